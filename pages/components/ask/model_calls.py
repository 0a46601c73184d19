"""Calls of a language model: said before they are made, and made on a click only."""

import time
from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st

from core.models.forecast import Forecast
from core.retrievers import Retriever
from core.retrievers.hoprag.llm import HopRagLlm
from core.settings import settings
from pages.components.shell import frame

HOW_TO_GET_IT = "llm asks a language model: set HOPRAG_LLM, see Settings"


@dataclass(frozen=True)
class Leave:
    """Whether a retriever may run; `run` is empty for one that asks no model or has all it needs.

    What was asked for by a click has a `run` of its own, so that asking again is another run.
    """

    run: str = ""
    waits_for: Forecast | None = None


def leave(retriever: Retriever, question: str, *, place: str) -> Leave:
    """Whether `retriever` may answer `question` without another click. `place` is the page."""
    if not isinstance(retriever, HopRagLlm):
        return Leave()
    agreed = st.session_state.get(_agreed(place))
    if agreed and agreed[0] == _wish(retriever, question):
        return Leave(agreed[1])
    calls = retriever.forecast(question, settings().prices)
    return Leave(waits_for=calls) if calls.calls else Leave()


def ask_leave(retriever: Retriever, question: str, calls: Forecast, *, place: str) -> None:
    """What it will take, and the button that has it done."""
    if not isinstance(retriever, HopRagLlm):
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"{place}_calls"):
        st.button(
            "Ask the model",
            type="primary",
            key=f"{place}_ask_model",
            on_click=_agree,
            args=(place, _wish(retriever, question)),
        )
        st.caption(frame.literal(f"{retriever.model}: {calls}. Its replies are kept."))


def take_back(place: str) -> None:
    """Ask again before the next run."""
    st.session_state.pop(_agreed(place), None)


def _agree(place: str, wish: Hashable) -> None:
    st.session_state[_agreed(place)] = wish, str(time.time_ns())


def _agreed(place: str) -> str:
    return f"{place}_calls_agreed"


def _wish(retriever: HopRagLlm, question: str) -> Hashable:
    meta = retriever.workbench.index.meta
    asked = (retriever.top_k, retriever.n_hop, retriever.entry, retriever.model)
    return (str(retriever.workbench.index.path), meta.finished_at, question, *asked)
