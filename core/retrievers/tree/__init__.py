"""Retrievers over trees of summaries."""
