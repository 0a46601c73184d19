"""How a retriever ranks, in words and formulae: the pages in `assets/methods/`, one a retriever."""

import streamlit as st

from core.retrievers import CARDS
from core.settings import ASSETS

FOLDER = ASSETS / "methods"


def how_it_ranks(retriever: str, *, place: str) -> None:
    """A button that opens the page of `retriever`.

    A trace from a file may name any retriever; for one that there is not, nothing is drawn.
    `place` sets this button apart from others of the page.
    """
    if retriever not in CARDS:
        return
    with (
        st.popover(
            "How it ranks",
            type="tertiary",
            icon=":material/function:",
            help=CARDS[retriever].summary,
            key=f"how_{place}",
        ),
        st.container(key=f"method_{place}"),
    ):
        # Our own text, and the one place where markdown is wanted: for its formulae.
        st.markdown((FOLDER / f"{retriever}.md").read_text(encoding="utf-8"))
