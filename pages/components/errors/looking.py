"""Looking for what would have retrieved lost gold: found once, held with the index for all."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.retrievers import Spec
from core.reviews.cases import Lost, losses
from core.runs import Row
from core.runs.rescuing import Found, known_rescues, lost_of
from pages.components.errors.bench import Bench
from pages.components.shell import acts, frame
from pages.components.shell.visitor import visitor
from pages.components.shell.words import count

FIND = "Find what would retrieve it"
"""The button of several results."""


def look(bench: Bench, rows: Sequence[Row]) -> None:
    """Find the rescue of each lost gold of `rows` that is not held with the index yet."""
    bar = st.progress(0.0, "Trying single changes")
    for done, row in enumerate(rows, start=1):
        acts.rescue(bench.run, row, bench.workbench)
        bar.progress(done / len(rows), f"{done:,} of {count(len(rows), 'question')}")


def unknown(row: Row, known: Found) -> bool:
    """Whether a look would tell more of a row of which `known` was looked for."""
    spec = Spec.known(row.retriever)
    if spec is None or spec.asks_model:
        return False
    return any(fate.gold not in known for fate in lost_of(row) if fate.stage != "absent")


def what_keeps(bench: Bench, row: Row) -> None:
    """What would have retrieved each lost gold of the result, or a button that looks for it."""
    known = known_rescues(bench.run, row, bench.workbench)
    open_ = unknown(row, known)
    lost = [one for one in losses(row, known, bench.workbench) if one.is_known]
    many = len(lost_of(row)) > 1
    told = "".join(
        f"<p dir='auto'>{escape(f'{one.title}. ' if many else '')}{_told(one)}</p>" for one in lost
    )
    if told:
        st.html(f"<div class='hop-keeps'>{told}</div>")
    if open_ and visitor().may_edit:
        st.button(
            "What would retrieve it?",
            key="errors_keep",
            help="Tries single changes: one setting raised, or one more edge taken",
            on_click=_look,
            args=(bench, row),
        )


def _told(lost: Lost) -> str:
    kept_by = escape(lost.kept_by)
    return f"<b>One change would retrieve it:</b> {kept_by}." if lost.is_kept else kept_by


def _look(bench: Bench, row: Row) -> None:
    with frame.mendable():
        acts.rescue(bench.run, row, bench.workbench)
