"""The walkthrough of a trace with its actions."""

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import streamlit as st

from core.funnel.lists import Lists
from core.retrievers import Spec
from core.store.index import Index
from core.trace_analysis.gold_passages import arrival_of
from core.trace_analysis.trace_frames import play
from core.traces import Trace
from core.types import Passage
from core.walkthroughs.making import walkthrough_of, with_fix
from pages.components.ask.method_description import how_it_ranks
from pages.components.passages.gold import GoldMarks
from pages.components.shell import nav
from pages.components.shell.glossary import term
from pages.components.walkthrough.component import Acts, Keep, Mark, show_walkthrough
from pages.components.walkthrough.evidence_arrival import show_arrival

WALKTHROUGH = "trace_walkthrough"
"""Its key."""
_TIME = re.compile(r"retrieved in (?:under )?[\d.,]+ m?s", re.IGNORECASE)


def show_trace(
    trace: Trace,
    marks: GoldMarks,
    index: Index | None,
    *,
    from_start: bool,
    lists: Lists | None = None,
    turn: Callable[[int], None] | None = None,
    amend: Callable[[Any], None] | None = None,
    remark: tuple[str, str] = ("", ""),
    heed: Callable[[Any], None] | None = None,
    beside: str = "",
    keeps: Sequence[Keep] = (),
    keep: Acts | None = None,
    fix: str = "",
) -> None:
    """Draw the walkthrough of `trace`, with its cost below.

    `index` is the trace's index, if open; `from_start` opens an address without a step at the first
    one, not the last. `lists` has ranks below the top k. `remark` is a sentence above and a button,
    which calls `heed`. `turn` shows the next question, or with -1 the previous. `amend` applies a
    change by hand. `beside` is shown next to the retriever's name. `keeps` are fixes of lost gold,
    whose buttons call `keep`; `fix` is the smallest one, for the last step.
    """
    trace, gold = trace.measured(marks.now())
    said = gold.authors(trace.ranking)
    played = play(trace, said, index, lists)
    places = ("explore",) if index else ()
    acts = _acts(trace, marks, index)
    if turn:
        acts = {**acts, "question": turn}
    if amend:
        acts = {**acts, "amend": amend}
    if heed:
        acts = {**acts, "remark": heed}
    if keep:
        acts = {**acts, **keep}
    told = with_fix(walkthrough_of(played, gold, index), fix)
    wish = show_walkthrough(
        told,
        key=WALKTHROUGH,
        acts=acts,
        places=places,
        from_start=from_start,
        remark=remark,
        beside=beside,
        keeps=keeps,
    )
    if wish and index:
        nav.go(wish.name, index=index.name, passage=wish.value, q=trace.query)
    show_arrival(arrival_of(played, said, gold.pieces(trace.ranking)), played=True)
    with st.container(horizontal=True, vertical_alignment="center", key="trace_below"):
        if spec := Spec.known(trace.retriever):
            how_it_ranks(spec, place="trace")
        st.html(f"<p class='hop-foot-note'>{_with_term(told['footer'])}</p>")


def _with_term(footer: str) -> str:
    """Return the line below a walkthrough as HTML, with the definition of its retrieval time."""
    return _TIME.sub(lambda found: term("retrieval_time", found[0]), escape(footer))


def _acts(trace: Trace, marks: GoldMarks, index: Index | None) -> Acts:
    """Return the action that marks gold, if the visitor may mark."""
    if not marks.may_mark:
        return {}

    def mark(wish: Mark) -> None:
        if passage := _passage(wish["passage"], trace, index):
            marks.put(passage, wish["gold"], undo=wish.get("undo", False))

    return {"mark": mark}


def _passage(passage_id: str, trace: Trace, index: Index | None) -> Passage | None:
    """Return a passage of the trace, or else of the index."""
    if passage_id in trace.passages:
        return trace.passages[passage_id]
    return index.passage(passage_id) if index and passage_id in index.number else None
