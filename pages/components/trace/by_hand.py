"""What was chosen by hand in a trace: what became of it, what it changed, and the ways back."""

from functools import partial
from html import escape
from typing import Any
from urllib.parse import quote

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import Amendment, amendments_of, in_words, outcomes, parse
from core.film.difference import make_difference
from core.funnel.lists import Lists
from core.marks import Gold
from core.store.index import Index
from core.traces import Trace
from core.traces.changes import found
from pages.components.ask import model_calls
from pages.components.ask.wish import Ask
from pages.components.film.arrival import show_arrival
from pages.components.film.difference import show_difference
from pages.components.shell import frame
from pages.components.trace import current
from pages.components.trace.changes import changed, changes_table

FILM, DIFFERENCE = "Film", "What changed"
_VIEW = "by_hand_view"


def choose(wanted: Ask, index: str, what: Any) -> None:
    """Do what a person asks for in the film: `verb`, `at` and `tie` of an amendment.

    Raises
    ------
    InputError : it is none.
    """
    told = {name: str(what.get(name, "")) for name in ("verb", "at", "tie")}
    at, tie = quote(told["at"], safe=""), quote(told["tie"], safe="")
    place = at if told["verb"] in ("start", "skip") else f"{tie}@{at}"
    (one,) = parse(f"{told['verb']}({place})")
    current.change(wanted.amended(one), index)


def show_changed(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> bool:
    """The choices with the way back, and what they changed.

    True where the two walks are shown on one layout, in place of the film.
    """
    index = workbench.index
    plain = _plain_trace(workbench, wanted)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="by_hand"):
        st.html("<p class='hop-side'>By hand</p>", width="content")
        _choices(trace, wanted, index)
        if plain:
            told = escape(_headline(plain, trace, gold))
            st.html(f"<p class='hop-caption'>{told}</p>", width="content")
            st.segmented_control(
                "Shown", [FILM, DIFFERENCE], key=_VIEW, default=FILM, label_visibility="collapsed"
            )
    for each in outcomes(trace.steps):
        if not each.made:
            words = _words(each.amendment, trace, index)
            st.warning(frame.literal(f"{words}: not done. {each.why}"))
    if plain is None:
        st.caption("What this changes is not known: the model was never asked without it.")
        return False
    if st.session_state.get(_VIEW) != DIFFERENCE:
        return False
    _show_difference(plain, trace, gold, workbench)
    return True


def _choices(trace: Trace, wanted: Ask, index: Index) -> None:
    """Each choice with what became of it, and the way back."""
    for number, each in enumerate(outcomes(trace.steps)):
        st.button(
            f"{frame.literal(_words(each.amendment, trace, index))} ✕",
            key=f"by_hand_{number}",
            type="secondary" if each.changed else "tertiary",
            help=f"{frame.literal(each.why)} Click to leave it to the retriever again.".strip(),
            on_click=partial(current.change, wanted.without(each.amendment), index.name),
        )
    if len(wanted.amendments) > 1:
        st.button(
            "Undo all of them",
            key="by_hand_none",
            type="tertiary",
            on_click=partial(current.change, wanted.plain(), index.name),
        )


def told_of_file(trace: Trace) -> None:
    """That a trace from a file was changed by hand, and how."""
    if not amendments_of(trace.steps):
        return
    words = "; ".join(in_words(one, trace.passages, trace.edges) for one in trace.amendments)
    st.info(frame.literal(f"This walk was changed by hand: {words}."))


def _plain_trace(workbench: Workbench, wanted: Ask) -> Trace | None:
    """The walk without what is chosen by hand; None where a model would have to be asked for it."""
    plain = wanted.plain()
    retriever = current.retriever_of(workbench, plain)
    gate = model_calls.leave(retriever, wanted.question, place="trace_plain")
    return None if gate.waits_for else current.trace_of(workbench, plain, gate)


def _show_difference(plain: Trace, trace: Trace, gold: Gold, workbench: Workbench) -> None:
    """What differs in numbers, and both walks on one layout."""
    index, lists = workbench.index, Lists(workbench)
    made = make_difference(plain.with_gold(gold), trace, gold.said, index, lists)
    columns = [
        changed(head, one.steps, gold, index, lists)
        for head, one in (("A, as it is", plain), ("B, by hand", trace))
    ]
    st.html(changes_table(columns, gold_names(gold, index)))
    st.html(f"<p class='hop-caption' dir='auto'>{escape(made['parting']['text'])}</p>")
    show_difference(made, key="by_hand_difference")
    show_arrival(made["arrival"])


def gold_names(gold: Gold, index: Index) -> dict[str, str]:
    """The gold that the index holds, by id, with its titles."""
    stands = {name: gold.passages.get(name, ()) for name in gold.held}
    return {
        name: (index.passage(those[0]).title or name) if those else name
        for name, those in stands.items()
    }


def _headline(plain: Trace, trace: Trace, gold: Gold) -> str:
    """Recall, gold that came or went, and visits, where they differ."""
    before, after = found(plain.steps, gold), found(trace.steps, gold)
    told = []
    if before.recall is not None and after.recall is not None:
        told.append(_from_to("recall", f"{before.recall:.2f}", f"{after.recall:.2f}"))
    moved = sum(before.ranks[name] != after.ranks[name] for name in before.ranks)
    if moved:
        told.append(f"{moved} of {len(before.ranks)} gold passages at another rank")
    told.append(_from_to("reached", str(before.visited), str(after.visited)))
    if before.calls + before.replies != after.calls + after.replies:
        told.append(
            _from_to("asked", str(before.calls + before.replies), str(after.calls + after.replies))
        )
    said = ", ".join(told)
    return f"{said[:1].upper()}{said[1:]}."


def _from_to(what: str, before: str, after: str) -> str:
    return f"{what} {before}" if before == after else f"{what} {before} → {after}"


def _words(one: Amendment, trace: Trace, index: Index) -> str:
    more = {one.at: index.passage(one.at)} if one.at in index.number else {}
    return in_words(one, {**trace.passages, **more}, trace.edges)
