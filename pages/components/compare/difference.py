"""Two retrievers on one layout: the first one chosen, which is A, and the second, which is B."""

from html import escape

import streamlit as st

from core.film.difference import make_difference
from pages.components.compare.columns import in_the_way
from pages.components.compare.run import Column, Comparison
from pages.components.film.arrival import show_arrival
from pages.components.film.difference import show_difference
from pages.components.shell.tints import badge
from pages.components.shell.words import count


def difference(found: Comparison) -> None:
    """Where they part, both on one drawing, and when the evidence arrived in each."""
    a, b = found.columns
    st.html(_named("A", a) + _named("B", b))
    for number, column in enumerate((a, b)):
        if in_the_way(found, column, number):
            return
    if a.trace is None or b.trace is None:
        return
    made = make_difference(a.trace, b.trace, found.said.said, found.index)
    verdict = _verdict(found)
    said = f"<b>{escape(verdict)}</b> {escape(made['parting']['text'])}"
    st.html(f"<p class='hop-headline' dir='auto'>{said}</p>")
    show_difference(made, verdict, key="compare_difference")
    show_arrival(made["arrival"])
    for letter, side in (("A", made["a"]), ("B", made["b"])):
        st.html(f"<p class='hop-foot-note'><b>{letter}</b> {escape(side['footer'])}</p>")


def _verdict(found: Comparison) -> str:
    """`A keeps 2 of 2 gold passages, B 1 of 2.`"""
    held = found.said.held
    if not held:
        return ""
    kept = [
        sum(
            found.gold_ranks[column.key][gold] in range(1, len(column.ranking) + 1) for gold in held
        )
        for column in found.columns
    ]
    of = len(held)
    return f"A keeps {kept[0]} of {count(of, 'gold passage')}, B {kept[1]} of {of}."


def _named(letter: str, column: Column) -> str:
    return (
        f"<p class='hop-side'><b class='{letter.lower()}'>{letter}</b> {badge(column.card)} "
        f"<span dir='auto'>{escape(column.name)}</span></p>"
    )
