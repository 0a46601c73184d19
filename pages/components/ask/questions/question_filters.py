"""The fields that filter and sort the list of questions, stored in the address."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.evaluation.outcomes import outcome_label
from core.retrievers import Spec
from core.text.display.question_types import explained
from pages.components.ask.questions import question_order
from pages.components.ask.questions.question_order import Listed

_NOBODY = "–"
_WIDTHS = {
    question_order.OUTCOME: 185,
    question_order.FINDER: 170,
    question_order.MISSER: 158,
    question_order.TYPE: 225,
}
"""Pixels, each on one line."""
_WIDTH = 175


def show_filters(
    found: Sequence[Listed], specs: Sequence[Spec], changed: Callable[[], None]
) -> None:
    """Draw the filters: words, outcome, finding and missing retriever, type and order.

    Parameters
    ----------
    found : all questions with their outcomes, to list the types.
    specs : the retrievers; the outcome filter is about the first one.
    changed : called after a choice.
    """
    names = list(question_order.named(specs))
    several = (question_order.ANY, *names) if len(names) > 1 else ()
    kinds = sorted({one.query.type for one in found if one.query.type})
    of = f"Outcome of {names[0]}" if several else "Outcome"

    def choose(
        label: str,
        key: str,
        options: Sequence[str],
        format_option: Callable[[str], str] | None = None,
    ) -> None:
        """Draw a select box; its first option filters nothing. Nothing is drawn without options."""
        if st.session_state.get(key) not in options:
            st.session_state[key] = options[0] if options else ""
        if options:
            st.selectbox(
                label,
                options,
                key=key,
                format_func=format_option or (lambda one: f"{label}: {one}"),
                label_visibility="collapsed",
                width=_WIDTHS.get(key, _WIDTH),
                on_change=changed,
                persist_state="session",
            )

    with st.container(horizontal=True, gap="small", key="questions_filters"):
        st.text_input(
            "Search",
            key=question_order.SEARCH,
            placeholder="Search the questions",
            label_visibility="collapsed",
            on_change=changed,
            persist_state="session",
        )
        choose(
            of,
            question_order.OUTCOME,
            (question_order.ANY, question_order.FAILING, *question_order.OUTCOMES),
            lambda one: f"{of}: {outcome_label(one)}",
        )
        choose(
            "Finds all gold",
            question_order.FINDER,
            several,
            lambda one: f"Finds all gold: {_retriever_option(one)}",
        )
        choose(
            "Misses some",
            question_order.MISSER,
            several,
            lambda one: f"Misses some: {_retriever_option(one)}",
        )
        choose(
            "Type",
            question_order.TYPE,
            (question_order.ANY, *kinds) if len(kinds) > 1 else (),
            _kind,
        )
        choose("Order", question_order.SORT, question_order.SORTS)


def _retriever_option(name: str) -> str:
    return _NOBODY if name == question_order.ANY else name


def _kind(kind: str) -> str:
    return f"Type: {kind}" if kind == question_order.ANY else explained(kind)
