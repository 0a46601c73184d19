"""Vectors that files give with their texts."""
