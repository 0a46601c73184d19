"""The search for fixes of lost gold; results are stored with the index."""

from collections.abc import Sequence
from functools import partial
from html import escape

import streamlit as st

from core.retrievers import Spec
from core.reviews.losses.fixes import Line, fix_lines, search_offered
from core.reviews.losses.lost_gold import title
from core.runs import Row
from core.runs.fixes import Found, known, losses_of, lost_of
from core.text.display.plurals import number
from pages.components.errors.review_context import Bench
from pages.components.passages.tried_fixes import show_trials
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.visitors.visitor import visitor

SEARCH_HELP = "Takes a few seconds per question. Fixes found so far are kept if you stop."


def search_label(questions: int) -> str:
    """Return the label of the button that searches for a fix of each of several questions."""
    return "Search for a fix" if questions == 1 else f"Search for fixes for {questions:,} questions"


def search_fixes(bench: Bench, rows: Sequence[Row]) -> None:
    """Search for a fix of each lost gold passage of `rows` that has no stored result yet.

    A press of Stop runs the page again, which ends the search before its next question.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, f"0 of {number(len(rows), 'question')}", width="stretch")
        st.button("Stop", key="errors_look_stop")
    for done, row in enumerate(rows, start=1):
        run_actions.rescue(bench.run, row, bench.workbench)
        bar.progress(done / len(rows), f"{done:,} of {number(len(rows), 'question')}")


def can_search_further(row: Row, found: Found) -> bool:
    """Return whether a search could add to the fixes `found` of a row."""
    spec = Spec.known(row.retriever)
    if spec is None or spec.asks_model:
        return False
    return any(fate.gold not in found for fate in lost_of(row) if fate.stage != "absent")


def show_fixes(bench: Bench, row: Row) -> None:
    """Show the fix of each lost gold passage of the result, or a button that searches for it."""
    spec = bench.spec
    if spec is None:
        return
    called = partial(title, workbench=bench.workbench)
    some = losses_of(bench.run, row, bench.workbench, spec)
    held = known(some, bench.workbench, bench.run.configuration(row.retriever))
    told = "".join(map(_line, fix_lines(some, held.found, called, bench.workbench.index)))
    if told:
        st.html(f"<div class='hop-keeps'>{told}</div>")
    shown = {called(one): held.trials[one.gold] for one in some.lost if one.gold in held.trials}
    show_trials(shown, key="errors_tried", narrow=True)
    offer = search_offered(some, held.found, held.stopped, called)
    if spec.asks_model or offer is None or not visitor().may_edit:
        return
    if offer.told:
        st.caption(layout.literal(offer.told))
    st.button(
        offer.action,
        key="errors_keep",
        help="Tries one change at a time: another value of a setting, or one more edge followed",
        on_click=_search,
        args=(bench, row),
    )


def _line(one: Line) -> str:
    told = escape(" · ".join((one.told, *one.facts)))
    return f"<p dir='auto'>{f'<b>{told}</b>' if one.heading else told}</p>"


def _search(bench: Bench, row: Row) -> None:
    with layout.mendable():
        run_actions.rescue(bench.run, row, bench.workbench)
