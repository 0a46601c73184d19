"""Runs as TREC files."""
