"""Scores of passages and edges for a question."""
