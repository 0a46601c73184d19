"""Compressed files and zip archives, read within limits."""
