"""Asking a question: which, of whom, at what cost, and what is answered."""
