"""Ids of documents and passages."""
