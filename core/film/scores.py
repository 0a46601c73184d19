"""How scores are written: their decimals, and the tones of their parts."""

WORDS = "wv"
"""Tones of parts that no card knows, which are words of the question, in turn."""
BY_RANK = "1/rank"
"""What is given for a place in a list."""


def word_tone(at: int) -> str:
    """The tone of the word that stands `at` this place among the parts, from 0."""
    return WORDS[at % len(WORDS)]
