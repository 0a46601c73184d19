"""Retrievers of one step: lexical, dense, hybrid, and the model alone."""
