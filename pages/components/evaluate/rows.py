"""The questions behind a number: a page of them, each a way to its film."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

import streamlit as st

from core.artefacts.workbench import Workbench
from core.funnel.data import STAGES
from core.retrievers import Spec
from core.runs import Order, Row, Run, Runs, Where, configuration
from core.runs.run import OUTCOMES
from core.settings import ASSETS
from pages.components.ask.question_list import SIGNS
from pages.components.ask.wish import Ask
from pages.components.evaluate.losses import is_open, losses_button, show_losses
from pages.components.evaluate.picks import PAGE, Pick, presses
from pages.components.shell import frame, nav
from pages.components.shell.card import card
from pages.components.shell.figures import section
from pages.components.shell.words import count

SHOWN = 8
"""Questions on the screen at a time."""
_LOSSES = 74  # pixels
_ANY = "any"
_ORDERS: dict[Order, str] = {
    "worst": "worst first",
    "best": "best first",
    "asked": "as asked",
    "random": "random",
    "apart": "most unlike first",
    "regressions": "lost most first",
}
_OUTCOMES: dict[str, str] = {"": _ANY, **{name: name for name in OUTCOMES}}
_STAGES: dict[str, str] = {"": _ANY, **{str(stage): said for stage, said in STAGES.items()}}


def show_rows(runs: Runs, run: Run, pick: Pick, workbench: Workbench) -> None:
    """Title, filters, a page of questions; brought into sight when a number is pressed."""
    with st.container(key="evaluate_list", gap="small"):
        head = st.container(horizontal=True, vertical_alignment="center", key="evaluate_head")
        narrowed, order = _page(runs, run, pick, workbench)
        with head:
            with st.container(width="stretch"):
                section(f"Questions · {pick.title}")
            if st.button(
                "Review these", key="evaluate_review", help="One after the other, in Errors"
            ):
                nav.go("errors", index=workbench.index.name, **_review(pick, narrowed, order))
    with st.container(key="evaluate_pressed"):
        _in_sight()(key="evaluate_in_sight", data={"press": presses()}, height=1)


@cache
def _in_sight() -> Callable[..., Any]:
    script = (ASSETS / "evaluate" / "list.js").read_text(encoding="utf-8")
    return st.components.v2.component("hop_evaluate", js=script)


def _page(runs: Runs, run: Run, pick: Pick, workbench: Workbench) -> tuple[Where, Order]:
    """A page of the questions; which they are in all, and their order."""
    spec = Spec.known(pick.retriever) if run.configuration(pick.retriever) else None
    _say_if_changed(run, pick, spec, workbench)
    narrowed, order = _filters(pick)
    total = runs.count(run.id, pick.retriever, narrowed)
    page = min(int(st.session_state.get(PAGE, 0)), max(0, (total - 1) // SHOWN))
    found = runs.rows(
        run.id, pick.retriever, narrowed, order=order, limit=SHOWN, offset=page * SHOWN
    )
    with st.container(gap="xsmall", key="evaluate_rows"):
        for number, row in enumerate(found):
            _row(run, row, spec, workbench, number)
    _foot(total, page)
    return narrowed, order


def _review(pick: Pick, narrowed: Where, order: Order) -> dict[str, str]:
    """The address of these questions on the Errors page, which knows a stage and no words."""
    found = {"run": pick.run, "retriever": pick.retriever}
    if len(narrowed.stages) == 1:
        found["stage"] = narrowed.stages[0]
    if "found" in narrowed.outcomes:
        found["which"] = "all"
    if other := pick.where.other:
        return {**found, "order": order, "other_run": other.run, "other": other.retriever}
    return found


def _say_if_changed(run: Run, pick: Pick, spec: Spec | None, workbench: Workbench) -> None:
    if not spec:
        st.caption("This ranking was made elsewhere: there is no film of it.")
    elif configuration(workbench, spec) != run.configuration(pick.retriever):
        st.info(
            "The index or the model has changed since this run: a film shows what is found now, "
            "not what was counted then."
        )


def _filters(pick: Pick) -> tuple[Where, Order]:
    """What the widgets narrow the pick to. Each pick has widgets of its own."""
    key = f"evaluate_{abs(hash(pick))}"
    orders = [each for each in _ORDERS if each not in ("apart", "regressions") or pick.where.other]
    with st.container(horizontal=True, gap="small", key="evaluate_filters"):
        text = st.text_input(
            "Search",
            key=f"{key}_text",
            placeholder="Words of a question",
            label_visibility="collapsed",
            on_change=_first_page,
        )
        outcome = _choose("Outcome", f"{key}_outcome", _OUTCOMES)
        one = pick.where.stages[0] if len(pick.where.stages) == 1 else ""
        stage = _choose("Stage", f"{key}_stage", _STAGES, one)
        order = st.selectbox(
            "Order",
            orders,
            index=orders.index(pick.order),
            key=f"{key}_order",
            format_func=lambda one: f"Order: {_ORDERS[one]}",
            label_visibility="collapsed",
            width=190,
            on_change=_first_page,
        )
    stages = (stage,) if stage else () if one else pick.where.stages
    outcomes = (outcome,) if outcome else ()
    return replace(pick.where, text=text.strip(), outcomes=outcomes, stages=stages), order


def _choose(label: str, key: str, named: Mapping[str, str], first: str = "") -> str:
    """One of the keys of `named`, which are shown by their names."""
    return st.selectbox(
        label,
        list(named),
        index=list(named).index(first),
        key=key,
        format_func=lambda one: f"{label}: {named[one]}",
        label_visibility="collapsed",
        width=210,
        on_change=_first_page,
    )


def _row(run: Run, row: Row, spec: Spec | None, workbench: Workbench, number: int) -> None:
    if spec is None:
        st.html(_drawn(row))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        pressed = card(
            _drawn(row),
            f"{row.question.text} ({_said(row)})",
            key=f"evaluate_row_{number}",
            hint=f"{row.question.text} Open its film.",
        )
        losses_button(row, number, width=_LOSSES)
    if is_open(row):
        show_losses(run, row, workbench)
    if pressed:
        nav.go("trace", index=workbench.index.name, **Ask(row.question.text, spec).params())


def _drawn(row: Row) -> str:
    question = row.question
    kind = " · ".join(filter(None, (question.dataset, question.type)))
    return (
        f"<div class='hop-asked'><span class='hop-asked-outcome'>{SIGNS[row.outcome]} "
        f"{escape(_said(row))}</span>"
        f"<span class='hop-asked-text' dir='auto'>{escape(question.text)}</span>"
        f"<span class='hop-quiet' dir='auto'>{escape(kind)}</span>"
        f"<span class='hop-asked-by hop-quiet'>{escape(_lost(row))}</span></div>"
    )


def _said(row: Row) -> str:
    if not row.ranks:
        return row.outcome
    kept = [rank for rank in row.ranks.values() if rank is not None]
    ranks = ", ".join(map(str, sorted(kept)))
    at = f" at {ranks}" if kept else ""
    return f"{len(kept)} of {len(row.ranks)}{at}"


def _lost(row: Row) -> str:
    """Where the gold that was not kept was lost."""
    return ", ".join(STAGES[name] for name in STAGES if name in row.stages and name != "kept")


def _foot(total: int, page: int) -> None:
    first = page * SHOWN
    last = min(first + SHOWN, total)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("‹ Page", key="evaluate_back", disabled=not page, on_click=_go, args=(page - 1,))
        st.button(
            "Page ›", key="evaluate_on", disabled=last >= total, on_click=_go, args=(page + 1,)
        )
        of = f"{first + 1:,} to {last:,} of {count(total, 'question')}"
        st.caption(frame.literal(of if total else "No question is like that."))


def _first_page() -> None:
    _go(0)


def _go(page: int) -> None:
    st.session_state[PAGE] = page
