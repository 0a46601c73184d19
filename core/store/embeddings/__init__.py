"""Vectors of texts that an index has embedded before."""
