"""Split a question into sub-questions by rules."""
