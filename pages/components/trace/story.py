"""Saving a walkthrough as a story with title, introduction and conclusion."""

from collections.abc import Callable

import streamlit as st

from core.walkthroughs.story import Framing
from pages.components.shell.formatting import size
from pages.components.shell.widgets.dialogs import close_dialog, is_open, open_dialog

_DIALOG, _TEXTS, _IS_MADE = "trace_story_dialog", "trace_story_texts", "trace_story_is_made"
_TITLE, _INTRODUCTION = "trace_story_title", "trace_story_introduction"
_CONCLUSION = "trace_story_conclusion"
LONGEST_TITLE, LONGEST_TEXT = 120, 2_000


def story_button(query: str, file_name: str, make: Callable[[Framing], bytes]) -> None:
    """Draw the button that opens the dialog in which a story is written and downloaded.

    What is typed is kept for each query as long as the session lasts. `make` returns the file.
    """
    pressed = st.button(
        "Save as a story …",
        key="trace_story",
        help="A single page that plays this walkthrough offline, in any browser.",
    )
    if pressed:
        st.session_state[_IS_MADE] = False
        open_dialog(_DIALOG)
    if is_open(_DIALOG):
        _write(query, file_name, make)


@st.dialog("Save as a story", on_dismiss=close_dialog)
def _write(query: str, file_name: str, make: Callable[[Framing], bytes]) -> None:
    """Draw the text fields, then write the file; a download button would miss the latest texts."""
    texts: dict[str, Framing] = st.session_state.setdefault(_TEXTS, {})
    if st.session_state.get(_IS_MADE):
        _offer(file_name, make(texts[query]))
        return
    known = texts.get(query, Framing())
    with st.form("trace_story_form", border=False):
        st.text_input("Title", known.title, max_chars=LONGEST_TITLE, key=_TITLE)
        st.text_area(
            "Introduction",
            known.introduction,
            max_chars=LONGEST_TEXT,
            key=_INTRODUCTION,
            help="The first slide, below the title.",
        )
        st.text_area(
            "Conclusion",
            known.conclusion,
            max_chars=LONGEST_TEXT,
            key=_CONCLUSION,
            help="The last slide, after the evidence chain.",
        )
        st.form_submit_button(
            "Create the story",
            type="primary",
            key="trace_story_make",
            on_click=_keep,
            args=(query,),
        )
    st.caption("All three are optional. Plain text; an empty line starts a new paragraph.")


def _keep(query: str) -> None:
    told = (str(st.session_state[key]) for key in (_TITLE, _INTRODUCTION, _CONCLUSION))
    st.session_state[_TEXTS][query] = Framing(*told)
    st.session_state[_IS_MADE] = True


def _change() -> None:
    st.session_state[_IS_MADE] = False


def _offer(file_name: str, page: bytes) -> None:
    """Draw the download button of the finished story, and a button that returns to the texts."""
    st.text(f"{file_name} plays offline in any browser.")
    with st.container(horizontal=True):
        st.download_button(
            f"Download ({size(len(page))})",
            page,
            file_name=file_name,
            mime="text/html",
            key="trace_story_download",
            on_click="ignore",
            type="primary",
        )
        st.button("Change the text", key="trace_story_change", on_click=_change)
