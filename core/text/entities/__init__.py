"""Names that a text mentions, and the names of passages."""
