"""The row above a walkthrough, columns or a difference: question, list, retrievers, settings, Ask.

The three differ in how many retrievers can be chosen, and in nothing else.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from pages.components.ask.questions.question_list import Questions, question_buttons, question_list
from pages.components.ask.request import too_long
from pages.components.ask.required_structures import cost_of
from pages.components.ask.retriever_choice import (
    Besides,
    Specs,
    draft,
    retriever_choice,
    settings_choice,
)
from pages.components.ask.retriever_names import called
from pages.components.ask.small_index import SmallIndex, edge_ends, small_index
from pages.components.ask.view_switch import View
from pages.components.shell import layout
from pages.components.shell.formatting import all_of

_SEVERAL = ("Reference", "2nd", "3rd", "4th")
PLACES: dict[View, tuple[str, ...]] = {
    "walkthrough": ("Retriever",),
    "difference": _SEVERAL,
    "columns": _SEVERAL,
}
"""What the retrievers of a view are called, in their order."""
FEWEST: dict[View, int] = {"walkthrough": 1, "difference": 2, "columns": 2}
_QUESTION, _FILLED, _REFUSED = "ask_question", "ask_filled", "ask_refused"
_AT_ONCE = "ask_at_once"
_FITS, _A_LINE, _LINES = 60, 115, 4
"""Characters that every field shows, those of a line of a narrow window, and most lines."""
_CUT = 100
"""Characters that the field of a wide window shows."""

Ask = Callable[[str, Specs], None]
"""Has a question asked of retrievers from now on."""


def question_row(
    view: View,
    question: str,
    specs: Specs,
    workbench: Workbench,
    ask: Ask,
    besides: Besides | None = None,
) -> tuple[Questions, DeltaGenerator]:
    """Draw the row for question and retrievers, with the list of questions below it.

    A draft of the question is kept while retrievers are chosen.

    Parameters
    ----------
    question, specs : what was run last.
    besides : what is compared with these retrievers, such as imported results.

    Returns
    -------
    The questions, and a box beside the retrievers for further choices of the view.
    """
    fewest = max(1, FEWEST[view] - (len(besides.badges) if besides else 0))
    places = PLACES[view][: len(PLACES[view]) - (len(besides.badges) if besides else 0)]
    asked = specs[: len(places)]
    now = draft(asked)
    _fill(view, question)
    with_model = workbench.oracle is not None
    choose = partial(_ask_for, asked=asked, ask=ask)
    questions = Questions(
        workbench, tuple(dict.fromkeys(now)), question, choose, more=view == "walkthrough"
    )
    if now == asked:
        st.session_state.pop(_AT_ONCE, None)
    elif question and _runs_at_once(now, asked, fewest, workbench):
        choose(question)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="question_row"):
        with st.form("ask_form", border=False):
            st.text_input(
                "Question",
                key=_QUESTION,
                placeholder="Ask a question that needs more than one passage",
                label_visibility="collapsed",
            )
            st.form_submit_button(
                "Ask", type="primary", key="ask_submit", on_click=_submit, args=(choose,)
            )
        question_buttons(questions, keys=view != "walkthrough")
        beside = st.container(horizontal=True, width="content", key="question_beside")
        first = _builds_needed(now, workbench)
        retriever_choice(now, places, fewest, with_model, first, besides)
        apply = partial(choose, question) if question else None
        settings_choice(now, places, len(workbench.index.ids), apply, same=now == asked)
        if now != asked and question:
            _show_stale(" ".join((_stale_message(view, now, asked), *first)))
    if question and view != "walkthrough" and not questions.is_open:  # which has it itself
        _show_whole(question, others=[row.text for row in workbench.index.questions])
    if question and view != "walkthrough":  # which says it itself
        index = workbench.index
        small = small_index(now, len(index.passages), edge_ends(index))
        _show_small_index(small, partial(ask, question))
    if refused := st.session_state.get(_REFUSED) or too_long(question):
        st.warning(layout.literal(refused))
    question_list(questions)
    return questions, beside


def _show_whole(question: str, others: Sequence[str]) -> None:
    """Show a question in full below the row if the field is too narrow for it.

    Its room is kept where one of the `others` is too long, so that to go on to it moves nothing.
    """
    kept = any(len(other) > _CUT for other in others)
    if kept or len(question) > _FITS:
        lines = min(_LINES, -(-len(question) // _A_LINE))
        kinds = f"hop-whole hop-lines-{lines}{' hop-kept' if kept else ''}"
        st.html(f"<p class='{kinds}' dir='auto'>{escape(question)}</p>")


def _runs_at_once(now: Specs, asked: Specs, fewest: int, workbench: Workbench) -> bool:
    """Return whether a choice of retrievers runs without Ask, because it is free.

    New settings of the same retrievers wait for Apply or Ask, so that several can be changed first.
    A choice runs once only; if it cannot run, it stays a draft.
    """
    state = st.session_state
    if state.get(_AT_ONCE) == now or len(set(now)) < max(fewest, len(now)):
        return False
    if [spec.key for spec in now] == [spec.key for spec in asked]:
        return False
    with layout.mendable():
        new = [spec for spec in now if spec not in asked]
        if all(not spec.asks_model and not missing(spec.needs, workbench) for spec in new):
            state[_AT_ONCE] = now
            return True
    return False


def _show_stale(told: str) -> None:
    """Show above the results that they belong to another choice than the current one."""
    st.html(f"<p class='hop-stale' dir='auto' title='{escape(told)}'>{escape(told)}</p>")


def _stale_message(view: View, chosen: Specs, asked: Specs) -> str:
    """Explain that the current choice did not produce the results below."""
    if twice := [
        called(spec, but=["top_k"]) for spec in dict.fromkeys(chosen) if chosen.count(spec) > 1
    ]:
        return (
            f"{' · '.join(twice)} is selected twice with the same settings. Choose a different "
            "retriever or change a setting."
        )
    shown = " · ".join(called(spec) for spec in asked)
    wanted = " · ".join(called(spec) for spec in chosen if spec not in asked)
    what = {"columns": "These columns are", "difference": "This is"}.get(view, f"This {view} is")
    return f"{what} for {shown}. Press Ask to run {wanted or 'the current selection'}."


def _builds_needed(chosen: Specs, workbench: Workbench) -> list[str]:
    """Describe what has to be built before the chosen retrievers can run, and its cost."""
    told = []
    with layout.mendable():
        for spec in chosen:
            if waiting := missing(spec.needs, workbench):
                names = all_of([each.title for each in waiting])
                cost = cost_of(waiting, workbench)
                told.append(f"{spec.card.title} first builds: {names}. {cost}")
    return told


def _show_small_index(small: SmallIndex | None, ask: Callable[[Specs], None]) -> None:
    """Show a notice on a small index, with a button that applies the suggested retrievers."""
    if small is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(layout.literal(small.told), width="content")
        if small.instead:
            st.button(small.action, key="ask_seeds", on_click=ask, args=(small.instead,))


def _fill(view: View, question: str) -> None:
    """Copy the current question into the field, which is a new and empty widget on each page."""
    state, filled = st.session_state, (view == "walkthrough", question)
    if state.get(_FILLED) != filled or _QUESTION not in state:
        state[_FILLED], state[_QUESTION], state[_REFUSED] = filled, question, ""


def _submit(choose: Callable[[str], None]) -> None:
    """Run the typed question without surrogate characters, or record why it is too long."""
    # Surrogates cannot be hashed or embedded, and no keyboard makes them.
    question = re.sub(r"[\ud800-\udfff]", "", st.session_state[_QUESTION]).strip()
    st.session_state[_REFUSED] = too_long(question)
    if not st.session_state[_REFUSED]:
        choose(question)


def _ask_for(question: str, *, asked: Specs, ask: Ask) -> None:
    """Ask another question of the retrievers as they are chosen now."""
    # The draft as it is now: a widget may have changed it on the way to the button.
    ask(question, draft(asked))
