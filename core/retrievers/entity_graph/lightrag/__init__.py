"""LightRAG: entities of what a question names, and relations of what it is about."""
