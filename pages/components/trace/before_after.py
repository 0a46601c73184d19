"""A changed retrieval compared with the original one: a headline and a common layout."""

from html import escape

import streamlit as st

from core.artefacts.workbench import Workbench
from core.difference import arrival_beside, make_difference
from core.difference.side import Called
from core.funnel.lists import Lists
from core.marks import Gold
from core.marks.gold_signs import star_sign
from core.store.index import Index
from core.text.display.shares import percent
from core.traces import Trace
from core.traces.changes import found
from pages.components.ask import model_calls
from pages.components.ask.request import Ask
from pages.components.difference.component import show_difference
from pages.components.trace import current_trace
from pages.components.trace.change_table import changes_row, changes_table
from pages.components.walkthrough.evidence_arrival import show_arrival

WALKTHROUGH, DIFFERENCE = "Walkthrough", "What changed"
_VIEW = "by_hand_view"
ORIGINAL = Called("the original walk", "original")
"""What a walk without the change is called."""


def known_trace(workbench: Workbench, wanted: Ask) -> Trace | None:
    """Return the trace of `wanted`; None if it needs a model call."""
    retriever = current_trace.retriever_of(workbench, wanted)
    gate = model_calls.leave(retriever, wanted.question, place="trace_plain")
    return None if gate.waits_for else current_trace.trace_of(workbench, wanted, gate)


def headline_and_switch(before: Trace, trace: Trace, gold: Gold) -> None:
    """Draw the effect of the change, and the switch between walkthrough and difference."""
    st.html(f"<p class='hop-caption'>{escape(headline(before, trace, gold))}</p>", width="content")
    st.segmented_control(
        "Shown",
        [WALKTHROUGH, DIFFERENCE],
        key=_VIEW,
        default=WALKTHROUGH,
        label_visibility="collapsed",
    )


def headline(before: Trace, trace: Trace, gold: Gold) -> str:
    """Describe what changed: recall, gold gained or lost, and visits."""
    was, now = found(before.steps, gold), found(trace.steps, gold)
    told = []
    if was.recall is not None and now.recall is not None:
        told.append(_change_text("recall", percent(was.recall), percent(now.recall)))
    moved = sum(was.ranks[name] != now.ranks[name] for name in was.ranks)
    if moved:
        told.append(f"{moved} of {len(was.ranks)} gold passages at a different rank")
    if was.visited or now.visited:
        told.append(_change_text("passages reached", str(was.visited), str(now.visited)))
    if was.calls + was.replies != now.calls + now.replies:
        told.append(
            _change_text("asked", str(was.calls + was.replies), str(now.calls + now.replies))
        )
    said = ", ".join(told)
    return f"{said[:1].upper()}{said[1:]}."


def _change_text(what: str, before: str, after: str) -> str:
    return f"{what} {before}" if before == after else f"{what} {before} → {after}"


def difference_shown(
    before: Trace, trace: Trace, gold: Gold, workbench: Workbench, changed_walk: Called, head: str
) -> bool:
    """Draw both walks on one layout; return False if the walkthrough is selected instead.

    `changed_walk` is the name of `trace` beside the original; `head` is drawn above it.
    """
    if st.session_state.get(_VIEW) != DIFFERENCE:
        return False
    index, lists = workbench.index, Lists(workbench)
    names = (ORIGINAL, changed_walk)
    authors = gold.authors(trace.ranking)
    made = make_difference(before.with_gold(gold), trace, authors, index, lists, names)
    columns = [
        changes_row(called, one.steps, gold, index, lists)
        for called, one in (("Original", before), (head, trace))
    ]
    st.html(changes_table(columns, gold_names(gold, index)))
    st.html(f"<p class='hop-caption' dir='auto'>{escape(made['parting']['text'])}</p>")
    show_difference(made, key="by_hand_difference")
    arrivals = arrival_beside(before, trace, gold.authors(before.ranking), index, lists)
    show_arrival(arrivals, signs=[each.sign for each in names])
    return True


def gold_names(gold: Gold, index: Index) -> dict[str, str]:
    """Return the titles of the gold in the index, by id, each after its star."""
    passages_by_gold = {name: gold.passages.get(name, ()) for name in gold.held}
    titles = {
        name: (index.passage(those[0]).title or name) if those else name
        for name, those in passages_by_gold.items()
    }
    return {name: f"{star_sign(gold.author_of(name))} {title}" for name, title in titles.items()}
