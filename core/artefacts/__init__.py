"""Artefacts: data that retrievers need, computed once per index and shared by all of them."""
