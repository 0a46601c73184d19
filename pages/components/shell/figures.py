"""Figures in a row, tables of words, and section headings. All text is escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType

import streamlit as st

from pages.components.shell.glossary import term

Figure = tuple[str, str, str]
"""What it is, its value, and a note in small letters (may be empty)."""
AXIS_NUMBERS = ",~f"
"""Format of the numbers on axes: an axis of one value has six decimals by default."""


def show_figures(
    figures: Iterable[Figure], terms: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Draw figures side by side, in as many rows as the width needs.

    Parameters
    ----------
    terms : the key in the glossary of each label that is a term.
    """
    cells = "".join(
        f"<div><dt>{_label(label, terms)}</dt><dd>{escape(value)}</dd>"
        f"<small>{escape(note)}</small></div>"
        for label, value, note in figures
    )
    st.html(f"<dl class='hop-figures'>{cells}</dl>")


def _label(label: str, terms: Mapping[str, str]) -> str:
    return term(terms[label], label) if label in terms else escape(label)


def show_words(rows: Iterable[Sequence[str]], caption: str = "") -> None:
    """Draw a table whose first column is a heading for the others; long texts wrap."""
    lines = "".join(_line(row) for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    st.html(f"<div class='hop-scroll'><table class='hop-kinds'>{title}{lines}</table></div>")


def section(title: str) -> None:
    """Draw the heading of a part of a page."""
    st.html(f"<h2 class='hop-section'>{escape(title)}</h2>")


def _line(row: Sequence[str]) -> str:
    first, *rest = (escape(cell) for cell in row)
    cells = "".join(f"<td dir='auto'>{cell}</td>" for cell in rest)
    return f"<tr><th scope='row' dir='auto'><div>{first}</div></th>{cells}</tr>"
