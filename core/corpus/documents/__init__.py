"""Readers of files that are one document each."""
