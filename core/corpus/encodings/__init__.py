"""Detect the encoding of a text file, and decode it."""
