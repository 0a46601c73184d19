"""Entities of passages, and the facts and relations between them."""
