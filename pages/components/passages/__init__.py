"""Passages on any page: text, ranked lists, gold."""
