"""What stands for a retriever: its family's tint, with the two letters of its badge.

The tints are quiet beside the colours of the graph, which say what a passage is; each is told
from its ground in light and in dark, and holds white letters.
"""

from collections.abc import Mapping
from html import escape

from core.retrievers import Card
from core.retrievers.base import Family

TINTS: Mapping[Family, str] = {
    "lexical": "#766528",
    "dense": "#566a94",
    "hybrid": "#447572",
    "HopRAG": "#825c50",
    "entity graph": "#6e617f",
    "tree": "#56724f",
    "decomposition": "#856573",
    "agent": "#6a6c3c",
    "rerank": "#616367",
}
INK = "#ffffff"
"""Of the letters on a tint."""


def tint(card: Card) -> str:
    """The colour of a retriever's family."""
    return TINTS[card.family]


def badge(card: Card, name: str = "") -> str:
    """The letters of a retriever on its tint, as HTML; `name` is shown when the pointer rests."""
    title = f" title='{escape(name)}'" if name else ""
    colours = f"background:{tint(card)};color:{INK}"
    return f"<span class='hop-badge' style='{colours}'{title}>{escape(card.badge)}</span>"
