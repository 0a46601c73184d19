"""Separate what a model wrote itself from what it copied from the prompt."""
