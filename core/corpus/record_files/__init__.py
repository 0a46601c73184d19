"""Readers of CSV, JSON, Parquet and TREC files."""
