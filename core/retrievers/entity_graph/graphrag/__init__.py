"""GraphRAG, local search: entities like a question, and what lies round them."""
