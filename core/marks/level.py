"""What counts as gold, as worded on every page and in every export."""

from core.evidence import GoldLevel
from core.marks.gold import Gold

LEVELS: dict[GoldLevel, str] = {"evidence": "evidence", "document": "whole documents or passages"}
"""What counts as gold, in words."""


def level_told(level: GoldLevel) -> str:
    """Return the label of a gold level.

    >>> level_told("document")
    'Gold: whole documents or passages'
    """
    return f"Gold: {LEVELS[level]}"


def level_of_gold(gold: Gold) -> GoldLevel:
    """Return the gold level of one question: evidence if it has any."""
    return "evidence" if gold.evidence else "document"
