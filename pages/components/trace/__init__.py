"""The Trace page: a retrieval, step by step."""
