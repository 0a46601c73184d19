"""Splitting a label: some of its results get a new label."""

from collections.abc import Mapping

import streamlit as st

from core.reviews import Review
from core.reviews.review import LONGEST_NAME
from core.text.display import plurals
from pages.components.errors import review_actions
from pages.components.errors.review_context import Bench
from pages.components.shell import layout
from pages.components.shell.formatting import cropped

_CODE, _CHOSEN, _NAME = "codes_divided", "codes_divided_notes", "codes_divided_name"
_CROP = 160


def split_form(bench: Bench) -> None:
    """Draw the form that splits a label."""
    held = {code: of for code in bench.codes if len(of := _reviews_with_label(bench, code)) > 1}
    with st.container(border=True, key="codes_divide", gap="small"):
        if held:
            _form(bench, held)
        else:
            st.caption("You can split a label once two results have it.")


def _form(bench: Bench, held: Mapping[int, list[Review]]) -> None:
    """Draw the form that moves some results of a label to a new label."""
    code = st.selectbox(
        "Split a label",
        list(held),
        key=_CODE,
        format_func=lambda one: f"{bench.codes[one].name} · {len(held[one]):,}",
    )
    reviews = held[code]
    with st.form("codes_divide_form", border=False):
        st.multiselect(
            "Results for the new label",
            range(len(reviews)),
            key=_CHOSEN,
            format_func=lambda number: _review_label(reviews[number]),
            placeholder="Choose by question and note",
        )
        st.text_input("The new label", key=_NAME, max_chars=LONGEST_NAME)
        st.form_submit_button(
            "Split", key="codes_divide_go", on_click=_split, args=(bench, code, reviews)
        )


def _reviews_with_label(bench: Bench, code: int) -> list[Review]:
    return [one for one in bench.told if code in one.labels]


def _review_label(review: Review) -> str:
    told = f"{review.question}: {review.note}" if review.note else review.question
    return f"{cropped(told, _CROP)} ({review.reviewer})"


def _split(bench: Bench, code: int, reviews: list[Review]) -> None:
    """Split the label as chosen, and empty the form."""
    with layout.mendable():
        chosen = [reviews[number] for number in st.session_state[_CHOSEN]]
        made = review_actions.divide_code(
            bench.workbench.index, bench.reviewer, code, st.session_state[_NAME], chosen
        )
        st.session_state[_CHOSEN], st.session_state[_NAME] = [], ""
        st.toast(layout.literal(f"{plurals.number(len(chosen), 'result')} moved to {made.name}"))
