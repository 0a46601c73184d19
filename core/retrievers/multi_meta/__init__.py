"""Multi-Meta-RAG: a search in those passages alone of whose source or date the question speaks."""
