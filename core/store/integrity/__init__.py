"""Checksums of the files of an index, and signs that a file is damaged."""
