"""What a model did not decide of a result: said, and asked for once more on a click."""

import streamlit as st

from core.playback.decided import Decided
from core.retrievers import Retriever
from pages.components.ask.model_calls import ask_again
from pages.components.shell import layout


def show_undecided(
    model: Decided, retriever: Retriever | None, question: str, *, place: str
) -> None:
    """A line and a button; nothing where the model decided all that it was asked.

    `place` is where on which page. Without a `retriever`, as for a trace from a file, nobody can be
    asked again.
    """
    if not model.fallbacks:
        return
    with st.container(gap="small", key=f"{place}_undecided"):
        (st.error if model.nothing else st.warning)(layout.literal(str(model)))
        if retriever:
            ask_again(retriever, question, place=place)
