"""The end of the list: links to the summaries of the reviews."""

import streamlit as st

from pages.components.errors.review_context import Bench
from pages.components.runs.result_list import change

_ON = {"groups": "Groups", "report": "Report"}


def show_end_of_list(bench: Bench) -> None:
    """Draw links to the summaries, at the last result or once all have a verdict."""
    judged = bench.done >= bench.total
    if not judged and bench.wish.at < bench.total:
        return
    with st.container(
        horizontal=True, gap="xsmall", vertical_alignment="center", key="errors_ended"
    ):
        st.caption(_summary_intro(bench) if judged else "End of the list:")
        for face, title in _ON.items():
            st.button(title, key=f"errors_to_{face}", on_click=change, kwargs={"show": face})


def _summary_intro(bench: Bench) -> str:
    """Return the sentence that introduces the summary once all results have a verdict."""
    if bench.narrowed:
        one = bench.total == 1
        all_ = f"All {bench.total:,} results shown are judged:"
        return "The result shown is judged:" if one else all_
    return "All results are judged:"
