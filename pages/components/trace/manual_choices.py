"""Changes by hand in a trace: their effects, and buttons that revert them."""

from functools import partial
from typing import Any
from urllib.parse import quote

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import Amendment, Seed, amendments_of, in_words, outcomes, parse
from core.difference.side import Called
from core.marks import Gold
from core.store.index import Index
from core.traces import Trace
from pages.components.ask.request import Ask
from pages.components.shell import layout
from pages.components.trace import current_trace
from pages.components.trace.before_after import difference_shown, headline_and_switch, known_trace

EDITED = Called("the edited walk", "edited")


def choose(wanted: Ask, index: str, what: Any) -> None:
    """Apply a change that the user makes in the walkthrough: `verb`, `at` and `tie` of an
    amendment.

    Raises
    ------
    InputError : it is none.
    """
    told = {name: str(what.get(name, "")) for name in ("verb", "at", "tie")}
    at, tie = quote(told["at"], safe=""), quote(told["tie"], safe="")
    place = at if told["verb"] in ("start", "skip") else f"{tie}@{at}"
    (one,) = parse(f"{told['verb']}({place})")
    current_trace.change(wanted.amended(one), index)


def show_changed(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> bool:
    """Draw the changes made by hand, buttons that revert them, and their effects.

    Return True if the difference of both walks replaces the walkthrough.
    """
    index = workbench.index
    plain = known_trace(workbench, wanted.plain())
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="by_hand"):
        st.html("<p class='hop-side'>By hand</p>", width="content")
        _choices(trace, wanted, index)
        if plain:
            headline_and_switch(plain, trace, gold)
    for each in outcomes(trace.steps):
        if not each.made:
            words = _change_in_words(each.amendment, trace, index)
            st.warning(layout.literal(f"{words}: not applied. {each.why}"))
    if plain is None:
        st.caption("The effect of this change is unknown: the model was never called without it.")
        return False
    return difference_shown(plain, trace, gold, workbench, EDITED, "Edited by hand")


def _choices(trace: Trace, wanted: Ask, index: Index) -> None:
    """Draw each change with its effect, and a button that reverts it."""
    for number, each in enumerate(outcomes(trace.steps)):
        st.button(
            f"{layout.literal(_change_in_words(each.amendment, trace, index))} ✕",
            key=f"by_hand_{number}",
            type="secondary" if each.changed else "tertiary",
            help=f"{layout.literal(each.why)} Click to let the retriever decide again.".strip(),
            on_click=partial(current_trace.change, wanted.without(each.amendment), index.name),
        )
    if len(wanted.amendments) > 1:
        st.button(
            "Undo all",
            key="by_hand_none",
            type="tertiary",
            on_click=partial(current_trace.change, wanted.plain(), index.name),
        )


def show_changes_of_file(trace: Trace) -> None:
    """Show which changes by hand a trace from a file contains."""
    if not amendments_of(trace.steps):
        return
    words = "; ".join(in_words(one, trace.passages, trace.edges) for one in trace.amendments)
    st.info(layout.literal(f"This walk was changed by hand: {words}."))


def _change_in_words(one: Amendment, trace: Trace, index: Index) -> str:
    """Describe a change by hand, with the titles of its passages, also of those that the trace
    lacks.
    """
    more = {one.at: index.passage(one.at)} if one.at in index.number else {}
    number = None if isinstance(one, Seed) else index.graph.edge_number(one.tie or "")
    edges = {} if number is None else {edge.id: edge for edge in index.graph.edges([number])}
    ends = {end for edge in edges.values() for end in (edge.source, edge.target)}
    more |= {end: index.passage(end) for end in ends}
    return in_words(one, {**trace.passages, **more}, {**trace.edges, **edges})
