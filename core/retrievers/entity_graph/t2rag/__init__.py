"""Clues of a question, and their way from fuzzy to resolved."""
