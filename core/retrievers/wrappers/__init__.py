"""Retrievers that change the rankings of other retrievers."""
