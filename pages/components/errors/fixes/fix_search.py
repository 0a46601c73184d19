"""Looking for what would have retrieved lost gold: found once, held with the index for all."""

from collections.abc import Sequence
from functools import partial
from html import escape

import streamlit as st

from core.retrievers import Spec
from core.reviews.losses.fixes import Line, lines
from core.reviews.losses.lost_gold import title
from core.runs import Row
from core.runs.fixes import Found, Losses, known_rescues, known_trials, lost_of
from core.text.display.plurals import number
from pages.components.errors.review_context import Bench
from pages.components.passages.tried_fixes import show_trials
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.visitors.visitor import visitor

FIND = "Search for a fix"
"""The button of several results."""


def look(bench: Bench, rows: Sequence[Row]) -> None:
    """Find the rescue of each lost gold of `rows` that is not held with the index yet."""
    bar = st.progress(0.0, "Trying single changes")
    for done, row in enumerate(rows, start=1):
        run_actions.rescue(bench.run, row, bench.workbench)
        bar.progress(done / len(rows), f"{done:,} of {number(len(rows), 'question')}")


def unknown(row: Row, known: Found) -> bool:
    """Whether a look would tell more of a row of which `known` was looked for."""
    spec = Spec.known(row.retriever)
    if spec is None or spec.asks_model:
        return False
    return any(fate.gold not in known for fate in lost_of(row) if fate.stage != "absent")


def what_keeps(bench: Bench, row: Row) -> None:
    """What would have retrieved each lost gold of the result, or a button that looks for it."""
    spec = bench.spec
    if spec is None:
        return
    known = known_rescues(bench.run, row, bench.workbench)
    some = Losses(spec, row.question.text, lost_of(row))
    told = "".join(map(_line, lines(some, known, partial(title, workbench=bench.workbench))))
    if told:
        st.html(f"<div class='hop-keeps'>{told}</div>")
    tried = known_trials(bench.run, row, bench.workbench)
    names = {fate.gold: title(fate, bench.workbench) for fate in some.lost}
    shown = {names[one]: told for one, told in tried.items() if one in names}
    show_trials(shown, key="errors_tried", narrow=True)
    if unknown(row, known) and visitor().may_edit:
        st.button(
            "What would retrieve it?",
            key="errors_keep",
            help="Tries one change at a time: a higher setting, or one more followed edge",
            on_click=_look,
            args=(bench, row),
        )


def _line(one: Line) -> str:
    told = escape(" · ".join((one.told, *one.facts)))
    return f"<p dir='auto'>{f'<b>{told}</b>' if one.heading else told}</p>"


def _look(bench: Bench, row: Row) -> None:
    with layout.mendable():
        run_actions.rescue(bench.run, row, bench.workbench)
