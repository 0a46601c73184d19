"""A notice on model replies that could not be used, with a button that asks again."""

import streamlit as st

from core.playback.decided import Decided
from core.retrievers import Retriever
from pages.components.ask.model_calls import ask_again
from pages.components.shell import layout


def show_undecided(
    model: Decided, retriever: Retriever | None, question: str, *, place: str
) -> None:
    """Draw a notice and a button if fallbacks replaced replies of the model.

    Parameters
    ----------
    retriever : the retriever that could ask again; None for a trace from a file.
    place : distinguishes this button from others.
    """
    if not model.fallbacks:
        return
    with st.container(gap="small", key=f"{place}_undecided"):
        (st.error if model.nothing else st.warning)(layout.literal(str(model)))
        if retriever:
            ask_again(retriever, question, place=place)
