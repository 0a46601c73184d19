"""Texts, counts and scores as people read them."""
