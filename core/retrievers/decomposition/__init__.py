"""Retrievers that take a question apart."""
