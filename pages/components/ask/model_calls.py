"""Approval of model calls: their cost is shown first, and a click approves them."""

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from core import OpenIndex, retrieve
from core.artefacts.workbench import Workbench
from core.errors import BudgetReached
from core.jobs.maker import metered
from core.models.leave import Leave
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.forecast import Forecast
from core.models.money.prices import FREE, price_of
from core.retrievers import Retriever, Spec, spec_of
from core.retrievers.cost_forecast import forecast
from core.settings import settings
from core.traces import Trace
from pages.components.building.pseudo_query_maker import ask_budget, budget_of
from pages.components.shell import layout
from pages.components.shell.actions import permissions
from pages.components.shell.visitors.visitor import visitor

_FREE = "calls_none"
_AGAIN = "Ask again"


@dataclass(frozen=True)
class Gate:
    """Whether a retriever may run, and its `leave`, which is None if no model call is needed.

    A click has a `run` of its own, so that asking again is a new run. Without model calls, the run
    is that of the cached replies. `budget` belongs to the run.
    """

    run: str = ""
    leave: Leave | None = None
    waits_for: Forecast | None = None
    budget: Budget = NO_BUDGET

    def opened(self, workbench: Workbench) -> Workbench:
        """Return the workbench that may ask its model as was agreed.

        Raises
        ------
        InputError : the budget is money, and no price is known.
        """
        oracle = workbench.oracle
        if not oracle or not self.leave or not self.budget:
            return workbench.with_leave(self.leave)
        endpoint = oracle.llm.endpoint
        return workbench.with_oracle(
            metered(workbench.index.path, endpoint, self.leave, self.budget)[0]
        )

    def retrieve(self, workbench: Workbench, question: str, retriever: str | Spec) -> Trace:
        """Return the steps of a retrieval, with the model calls that were agreed.

        Raises
        ------
        HopRagError : as `core.retrieve` does; nothing is built that has to be built first.
        """
        opened = OpenIndex(self.opened(workbench), builds=False)
        return retrieve(opened, question, retriever).trace


@dataclass(frozen=True)
class _Agreed:
    """A click that approves model calls: for which request, as which run, and on which terms."""

    wish: Hashable
    run: str
    again: bool
    budget: Budget


def leave(retriever: Retriever, question: str, *, place: str) -> Gate:
    """Return the gate of a retrieval: whether it may run without another click.

    `place` is where on which page; each retriever of a page has its own.
    """
    oracle = retriever.workbench.oracle
    if oracle is None:
        return Gate()
    if opened := agreed(retriever, question, place=place):
        return opened
    wish = _wish(retriever, question)
    # A rehearsal takes as long as a retrieval, which a step of the player is not to wait for.
    free: dict[Hashable, str] = st.session_state.setdefault(_FREE, {})
    if wish in free:
        return Gate(free[wish])
    calls = forecast(retriever, question, settings().prices)
    if calls.calls:
        return Gate(waits_for=calls)
    free[wish] = f"kept {oracle.replies.spent()}" if calls.kept else ""
    return Gate(free[wish])


def agreed(retriever: Retriever, question: str, *, place: str) -> Gate | None:
    """Return the permission that a click gave for this retriever and question; None without a
    click.
    """
    click: _Agreed | None = st.session_state.get(_agreement_key(place))
    if click is None or click.wish != _wish(retriever, question):
        return None
    return Gate(click.run, permissions.leave(again=click.again), budget=click.budget)


def ask_leave(retriever: Retriever, question: str, calls: Forecast, *, place: str) -> None:
    """Show how many model calls a retrieval needs, and the button that approves them."""
    _ask(retriever, question, calls, "Ask the model", place=place)


def ask_again(retriever: Retriever, question: str, *, place: str) -> None:
    """Show the button that repeats the model calls which gave no usable reply."""
    agreed: _Agreed | None = st.session_state.get(_agreement_key(place))
    about = _wish(retriever, question), agreed and agreed.run
    held: tuple[Hashable, Forecast] | None = st.session_state.get(_forecast_key(place))
    if held is None or held[0] != about:  # as above, a step is not to wait for it
        held = about, forecast(retriever, question, settings().prices, again=True)
        st.session_state[_forecast_key(place)] = held
    _ask(retriever, question, held[1], _AGAIN, place=place)


@contextmanager
def within_budget(place: str) -> Iterator[None]:
    """Rerun the page if a budget is used up, so that it says so and asks to continue."""
    try:
        yield
    except BudgetReached as error:
        st.session_state.pop(_agreement_key(place), None)
        st.session_state[_budget_message_key(place)] = str(error)
        st.rerun()


def _ask(retriever: Retriever, question: str, calls: Forecast, label: str, *, place: str) -> None:
    """Draw the button that approves the model calls, with price and budget, for editors only."""
    oracle = retriever.workbench.oracle
    if oracle is None:
        return
    if not visitor().may_edit:
        st.caption(layout.literal(f"{oracle.llm.model}: {calls}. An editor must approve this."))
        return
    again = label == _AGAIN
    if ended := st.session_state.get(_budget_message_key(place)):
        st.info(layout.literal(ended))
    with st.container(horizontal=True, vertical_alignment="center", key=f"{place}_calls"):
        st.button(
            label,
            type="secondary" if again else "primary",
            key=f"{place}_again" if again else f"{place}_ask_model",
            on_click=_agree,
            args=(place, _wish(retriever, question), again),
        )
        price = price_of(oracle.llm.endpoint, settings().prices)
        if price != FREE:
            with st.popover("Budget", key=f"{place}_limit"):
                ask_budget(_budget(place), in_money=price is not None)
        st.caption(layout.literal(f"{oracle.llm.model}: {calls}. Replies are cached."))


def _agree(place: str, wish: Hashable, again: bool = False) -> None:
    run, budget = str(time.time_ns()), budget_of(_budget(place))
    st.session_state[_agreement_key(place)] = _Agreed(wish, run, again, budget)
    st.session_state.pop(_budget_message_key(place), None)


def _agreement_key(place: str) -> str:
    return f"{place}_calls_agreed"


def _forecast_key(place: str) -> str:
    return f"{place}_calls_foreseen"


def _budget_message_key(place: str) -> str:
    return f"{place}_calls_ended"


def _budget(place: str) -> str:
    return f"{place}_calls_budget"


def _wish(retriever: Retriever, question: str) -> Hashable:
    index, oracle = retriever.workbench.index, retriever.workbench.oracle
    about = (str(index.path), index.meta.finished_at, question, oracle and oracle.llm.endpoint)
    return (*about, str(spec_of(retriever)), retriever.workbench.amendments)
