"""Calls of a language model: said before they are made, and made on a click only."""

import time
from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st

from core.models.forecast import Forecast
from core.models.leave import Leave
from core.retrievers import Retriever, spec_of
from core.retrievers.foreseeing import forecast
from core.settings import settings
from pages.components.shell import frame

_FREE = "calls_none"


@dataclass(frozen=True)
class Gate:
    """Whether a retriever may run, and with which `leave`; None where it needs no call.

    What was asked for by a click has a `run` of its own, so that asking again is another run.
    """

    run: str = ""
    leave: Leave | None = None
    waits_for: Forecast | None = None


def leave(retriever: Retriever, question: str, *, place: str) -> Gate:
    """Whether `retriever` may answer `question` without another click.

    `place` is where on which page; each retriever of a page has its own.
    """
    if retriever.workbench.oracle is None:
        return Gate()
    wish = _wish(retriever, question)
    agreed = st.session_state.get(_agreed(place))
    if agreed and agreed[0] == wish:
        return Gate(agreed[1], Leave("a click"))
    # A rehearsal takes as long as a retrieval, which a step of the player is not to wait for.
    free: set[Hashable] = st.session_state.setdefault(_FREE, set())
    if wish in free:
        return Gate()
    calls = forecast(retriever, question, settings().prices)
    if calls.calls:
        return Gate(waits_for=calls)
    free.add(wish)
    return Gate()


def ask_leave(retriever: Retriever, question: str, calls: Forecast, *, place: str) -> None:
    """What it will take, and the button that has it done."""
    oracle = retriever.workbench.oracle
    if oracle is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"{place}_calls"):
        st.button(
            "Ask the model",
            type="primary",
            key=f"{place}_ask_model",
            on_click=_agree,
            args=(place, _wish(retriever, question)),
        )
        st.caption(frame.literal(f"{oracle.llm.model}: {calls}. Its replies are kept."))


def take_back(place: str) -> None:
    """Ask again before the next run."""
    st.session_state.pop(_agreed(place), None)


def _agree(place: str, wish: Hashable) -> None:
    st.session_state[_agreed(place)] = wish, str(time.time_ns())


def _agreed(place: str) -> str:
    return f"{place}_calls_agreed"


def _wish(retriever: Retriever, question: str) -> Hashable:
    index, oracle = retriever.workbench.index, retriever.workbench.oracle
    model = oracle and oracle.llm.model
    about = (str(index.path), index.meta.finished_at, question, model)
    return (*about, str(spec_of(retriever)))
