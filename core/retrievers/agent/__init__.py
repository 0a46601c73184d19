"""Retrievers that decide for themselves what to look for next."""
