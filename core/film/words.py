"""Texts and numbers as a film carries them: cropped and rounded."""

TEXT = 900
"""Characters of a passage that was kept or is gold, or that leads there."""
SNIPPET = 240
"""Characters of another one that is drawn."""
HINT = 100
"""Characters of one that is only in a list."""


QUESTION, SENTENCE = 160, 260
"""Of a question that is asked, or that an edge was made from; and of the sentence that such a one
came from."""
LABEL = 120
"""Of a title, and of the question of an edge."""


def cropped(text: str, length: int) -> str:
    """At most `length` characters of `text`, the last one an ellipsis if it is cut."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def rounded(value: float) -> float:
    """To 4 significant digits."""
    return float(f"{value:.4g}")
