"""Retrievers that spread probability over passages and entities."""
