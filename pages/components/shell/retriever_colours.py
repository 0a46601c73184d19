"""The colour of a retriever, or of its family, and its badge of two letters.

The tints are quieter than the colours of the graph. They contrast with the light and the dark
background, and with white letters.
"""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core import colours
from core.retrievers import Card, Spec

INK = "#ffffff"
"""Of the letters on a tint."""
_LIGHTEST = 0.45
"""Share of white in the lightest shade of a tint."""
_ON_DARK = 0.25
"""Share of white in the marks of charts on the dark ground."""


def tint(card: Card) -> str:
    """Return the colour of a retriever, or of its family."""
    return colours.tint(card.key, card.family)


def tint_of(retriever: str) -> str:
    """Return the colour of a run's column, which may be imported."""
    spec = Spec.known(retriever)
    return tint(spec.card) if spec else colours.TINTS["imported"]


def mark_tint_of(retriever: str) -> str:
    """Return the colour of a retriever's marks in a chart: lighter on the dark ground."""
    share = _ON_DARK if st.context.theme.type == "dark" else 0.0
    return _with_white(tint_of(retriever), share)


def shades(tints: Sequence[str]) -> list[str]:
    """Return `tints` as `#rrggbb`, those that occur again lighter each time, to tell them apart."""
    return [
        _lighter(tint, tints[:at].count(tint), tints.count(tint)) for at, tint in enumerate(tints)
    ]


def _lighter(tint: str, place: int, of: int) -> str:
    return _with_white(tint, _LIGHTEST * place / max(1, of - 1))


def _with_white(tint: str, share: float) -> str:
    parts = (int(tint[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + share * (255 - part)):02x}" for part in parts)


def badge(card: Card, name: str = "") -> str:
    """Return the letters of a retriever on its tint, as HTML.

    `name` is shown when the pointer rests.
    """
    title = f" title='{escape(name)}'" if name else ""
    style = f"background:{tint(card)};color:{INK}"
    return f"<span class='hop-badge' style='{style}'{title}>{escape(card.badge)}</span>"
