"""The questions behind a number, page by page, with links to walkthroughs."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import cast

import streamlit as st

from core.artefacts.workbench import Workbench
from core.evaluation.outcomes import outcome_label
from core.funnel.stages import STAGES, Stage, explained, stage_words
from core.marks import gold_of
from core.retrievers import Spec
from core.runs import Order, Other, Row, Run, Runs, Where, configuration
from core.runs.configuration import changed_versions, versions
from core.runs.run import OUTCOMES
from core.text.display import plurals
from core.text.display.question_types import named as named_type
from pages.components.ask import opened_trace
from pages.components.ask.imported_results import ImportedColumn
from pages.components.ask.questions.question_list import SIGNS
from pages.components.ask.request import Ask
from pages.components.evaluate.questions.lost_gold import is_open, losses_button, show_losses
from pages.components.evaluate.questions.question_selection import Pick
from pages.components.evaluate.result_import import STEPS
from pages.components.evaluate.state import LIST, ORDERS, View, change
from pages.components.runs.result_list import PAIRED, Wish
from pages.components.runs.stage_filter import LABEL, stage_choices
from pages.components.shell import address_params, layout, nav
from pages.components.shell.figures import section
from pages.components.shell.widgets.card import card
from pages.components.shell.widgets.scroll_into_view import in_sight

SHOWN = 8
"""Questions on the screen at a time."""
_LOSSES = 74  # pixels
_ANY = "any"
_TEXT = "evaluate_text"
_OUTCOMES: dict[str, str] = {"": _ANY, **{name: outcome_label(name) for name in OUTCOMES}}


def show_rows(runs: Runs, run: Run, pick: Pick, view: View, workbench: Workbench) -> None:
    """Draw title, filters and a page of questions; a pressed number scrolls to them."""
    with st.container(key=LIST, gap="small"):
        head = st.container(horizontal=True, vertical_alignment="center", key="evaluate_head")
        order = _page(runs, run, pick, view, workbench)
        with head:
            with st.container(width="stretch"):
                section(f"Questions · {pick.title}")
            if st.button("Review these", key="evaluate_review", help="Review in Errors"):
                nav.go("errors", index=workbench.index.name, **_review(pick, view, order))
    in_sight(LIST)


def _page(runs: Runs, run: Run, pick: Pick, view: View, workbench: Workbench) -> Order:
    """Draw a page of the questions; return their order."""
    spec = Spec.known(pick.retriever) if run.configuration(pick.retriever) else None
    traced = runs.traced(run.id, pick.retriever)
    if not traced:
        _say_if_changed(run, pick, spec, workbench)
    cut_offs = st.container()
    narrowed, order = _filters(pick, view)
    if told := _cut_offs(pick, order):
        cut_offs.caption(told)
    total = runs.count(run.id, pick.retriever, narrowed)
    page = max(1, min(view.page, -(-total // SHOWN)))
    offset = (page - 1) * SHOWN
    found = runs.rows(run.id, pick.retriever, narrowed, order=order, limit=SHOWN, offset=offset)
    with st.container(gap="xsmall", key="evaluate_rows"):
        for number, row in enumerate(found):
            if _row(run, row, workbench, number, plays=bool(spec) or row.question.id in traced):
                _open(runs, run, row, spec, workbench)
    _foot(total, page)
    return order


def _top_k_of(retriever: str) -> int:
    """Return how many passages a retriever returns; 0 if unknown, as for imported rankings."""
    spec = Spec.known(retriever)
    return int(str(spec.values["top_k"])) if spec else 0


def _cut_offs(pick: Pick, order: Order) -> str:
    """Describe the cut-off of each ranking; empty if it is unknown."""
    k, first = _top_k_of(pick.retriever), pick.where.measured_by.partition("@")[2]
    if not k:
        return ""
    if order != "worst" or first in ("", str(k)):
        return _key(k)
    return f"Sorted by {pick.where.measured_by}. {_key(k)}"


def _key(k: int) -> str:
    """Return the legend of a row."""
    return (
        f"Left: gold passages in the top {k:,} ({SIGNS['found']} all, "
        f"{SIGNS['partly']} some, {SIGNS['missed']} none retrieved) and their ranks. Right: the "
        "stage of loss of the rest."
    )


def _review(pick: Pick, view: View, order: Order) -> dict[str, str]:
    """Return the address of these questions on the Errors page."""
    other = pick.where.other or Other("", "")
    return address_params.params_of(
        Wish(
            run=pick.run,
            retriever=pick.retriever,
            order="worst" if order == "best" else order,
            other_run=other.run,
            other=other.retriever,
            won=pick.where.won,
            measure=pick.where.measured_by,
            which="all",
            stage=view.stages,
            beside=view.beside if view.stages or view.there else "",
            there=view.there,
            outcome=view.outcome,
            text=view.text,
            field=view.field,
            has=view.value,
        )
    )


def _say_if_changed(run: Run, pick: Pick, spec: Spec | None, workbench: Workbench) -> None:
    """Say that a walkthrough is missing, or may differ because versions have changed."""
    if not spec:
        st.caption(f"This ranking was imported without a trace, so it has no walkthrough. {STEPS}")
    elif configuration(workbench, spec) != run.configuration(pick.retriever):
        changed = changed_versions(versions(workbench, [spec]), run.settings)
        told = " and ".join(changed) or "the index or the model has changed"
        st.info(
            f"Since this run, {layout.literal(told)}. A walkthrough may differ from the results "
            "below."
        )


def _filters(pick: Pick, view: View) -> tuple[Where, Order]:
    """Draw the filters, all stored in the address; return the filtered pick and the order."""
    orders = [each for each in ORDERS if each not in PAIRED or pick.where.other]
    with st.container(horizontal=True, gap="small", key="evaluate_filters"):
        st.session_state[_TEXT] = view.text
        st.text_input(
            "Search",
            key=_TEXT,
            placeholder="Search the questions",
            label_visibility="collapsed",
            on_change=lambda: change(text=st.session_state[_TEXT].strip()),
        )
        _choose("Outcome", "outcome", _OUTCOMES, view.outcome)
        if not view.beside:
            _choose(LABEL, "stages", stage_choices(view.stages), view.stages)
        order = view.order if view.order in orders else pick.order
        _choose("Order", "order", {each: ORDERS[each] for each in orders}, order)
    outcomes = (view.outcome,) if view.outcome else ()
    return replace(pick.where, text=view.text, outcomes=outcomes), cast(Order, order)


def _choose(label: str, name: str, named: Mapping[str, str], now: str) -> None:
    """Draw a choice among the keys of `named`, stored in the address as `name`."""
    key = f"evaluate_{name}"
    st.session_state[key] = now if now in named else next(iter(named))
    st.selectbox(
        label,
        list(named),
        key=key,
        format_func=lambda one: f"{label}: {named[one]}",
        label_visibility="collapsed",
        on_change=lambda: change(**{name: st.session_state[key]}),
    )


def _row(run: Run, row: Row, workbench: Workbench, number: int, *, plays: bool) -> bool:
    """Draw a question; return whether it was pressed, which needs a walkthrough."""
    pressed = False
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        if plays:
            means = map(explained, _lost_at(row))
            pressed = card(
                _row_html(row),
                f"{row.question.text} ({_found_at_ranks(row)})",
                key=f"evaluate_row_{number}",
                hint=" ".join([row.question.text, *means, "Open its walkthrough."]),
            )
        else:
            st.html(_row_html(row), width="stretch")
        losses_button(row, number, width=_LOSSES)
    if is_open(row):
        show_losses(run, row, workbench)
    return pressed


def _open(runs: Runs, run: Run, row: Row, spec: Spec | None, workbench: Workbench) -> None:
    """Show the walkthrough of a row on Trace."""
    index = workbench.index
    if spec:
        nav.go("trace", index=index.name, **Ask(row.question.text, spec).params())
    if trace := runs.trace(run.id, row.retriever, row.question.id):
        column = ImportedColumn(row.retriever, run.id)
        opened_trace.show_trace(trace.with_gold(gold_of(index, row.question.text)), str(column))
        nav.go("trace", index=index.name)


def _row_html(row: Row) -> str:
    """Return a question as HTML: outcome, text, type, and the stages at which gold was lost."""
    question = row.question
    kind = " · ".join(filter(None, (question.dataset, named_type(question.type))))
    return (
        f"<div class='hop-asked'><span class='hop-asked-outcome'>{SIGNS[row.outcome]} "
        f"{escape(_found_at_ranks(row))}</span>"
        f"<span class='hop-asked-text' dir='auto'>{escape(question.text)}</span>"
        f"<span class='hop-quiet' dir='auto'>{escape(kind)}</span>"
        f"<span class='hop-asked-by hop-quiet'>{escape(_lost_stages(row))}</span></div>"
    )


def _found_at_ranks(row: Row) -> str:
    """Describe an outcome: `2 of 3 at 1, 4` with the ranks of the retrieved gold."""
    if not row.ranks:
        return outcome_label(row.outcome)
    kept = [rank for rank in row.ranks.values() if rank is not None]
    ranks = ", ".join(map(str, sorted(kept)))
    at = f" at {ranks}" if kept else ""
    return f"{len(kept)} of {len(row.ranks)}{at}"


def _lost_stages(row: Row) -> str:
    """Return the stages at which gold was lost."""
    k = _top_k_of(row.retriever)
    return ", ".join(stage_words(name, k) for name in _lost_at(row))


def _lost_at(row: Row) -> list[Stage]:
    return [name for name in STAGES if name in row.stages and name != "kept"]


def _foot(total: int, page: int) -> None:
    """Draw the range of questions shown, from 1, and buttons to the other pages."""
    first = (page - 1) * SHOWN
    last = min(first + SHOWN, total)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, key, to, off in (
            ("‹ Page", "evaluate_back", page - 1, page == 1),
            ("Page ›", "evaluate_on", page + 1, last >= total),
        ):
            st.button(label, key=key, disabled=off, on_click=change, kwargs={"page": to})
        of = f"{first + 1:,} to {last:,} of {plurals.number(total, 'question')}"
        st.caption(layout.literal(of if total else "No question matches these filters."))
