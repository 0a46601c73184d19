"""Widgets that run a question: retrievers, settings, model calls, and answers."""
