"""The end of the list: where to go with what was said."""

import streamlit as st

from pages.components.errors.bench import Bench
from pages.components.errors.wish import change

_ON = {"groups": "Groups", "report": "Report"}


def ended(bench: Bench) -> None:
    """The way on to what all results add up to, at the last one or once all are judged."""
    judged = bench.done >= bench.total
    if not judged and bench.wish.at < bench.total:
        return
    with st.container(
        horizontal=True, gap="xsmall", vertical_alignment="center", key="errors_ended"
    ):
        st.caption("All are judged:" if judged else "The last one:")
        for face, title in _ON.items():
            st.button(title, key=f"errors_to_{face}", on_click=change, kwargs={"show": face})
