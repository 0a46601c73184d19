"""Multi-Meta-RAG: search only the passages with the source or date that the query names."""
