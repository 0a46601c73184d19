"""Checksums of the files of an index, and detection of damaged files."""
