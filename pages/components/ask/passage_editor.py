"""Edit a passage and its pseudo-queries on a copy of the index, and replay the question there."""

import streamlit as st

from core.artefacts.workbench import Workbench
from core.edits import Edit, Edits, edit_of, kept_texts
from core.edits.edit import LONGEST_TEXT
from core.errors import HopRagError
from core.hop_graph.pseudo_queries import RULES
from core.jobs import Job
from core.library import catalogue
from core.settings import settings
from core.store.index import Index
from core.text.clean import one_line
from core.types import Direction
from pages.components.ask import current_question
from pages.components.passages.edit_button import DIALOG
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.widgets.dialogs import close_dialog, is_open, subject

_TITLE = "Edit this passage in a copy of the index"
_LONGEST = 30_000  # characters of all questions of a kind


def edit_dialog() -> None:
    """Show the editor if it is open."""
    if is_open(DIALOG):
        _editor(*subject())


@st.dialog(_TITLE, width="large", on_dismiss=close_dialog)
def _editor(name: str, passage_id: str, question: str) -> None:
    """Draw the form for the passage, or say that it is no longer in the index."""
    with layout.mendable():
        bench = resources.workbench(resources.entry(name))
        if passage_id not in bench.index.number:
            st.text("This passage is no longer in the index.")
            return
        _form(bench, passage_id, question or current_question.now(name).question)


def _form(bench: Workbench, passage_id: str, question: str) -> None:
    """Draw the fields for text and pseudo-queries; on Save, start a job that writes the edited
    copy.
    """
    index = bench.index
    passage = index.passage(passage_id)
    st.text(f"{passage.title or passage.id}, in {index.name}. The original index does not change.")
    with st.form("edit_form", border=False):
        text = st.text_area(
            "Text", value=passage.text, height=180, max_chars=LONGEST_TEXT, key="edit_text"
        )
        left, right = st.columns(2)
        with left:
            answered = _questions(
                index, passage_id, "in", "In-questions (the passage answers them)"
            )
        with right:
            raised = _questions(index, passage_id, "out", "Out-questions (the passage raises them)")
        st.caption(_regeneration_note(index))
        copy = st.text_input(
            "Copy name",
            value=_free_name(f"{index.name}, edited"),
            max_chars=catalogue.MAX_NAME,
            key="edit_name",
        )
        told = "Save copy and replay query" if question else "Save a copy"
        with st.container(horizontal=True):
            wanted = st.form_submit_button(told, type="primary", key="edit_save")
            if st.form_submit_button("Cancel", key="edit_cancel"):
                close_dialog()
                st.rerun()
    if wanted:
        made = edit_of(
            passage,
            index.graph.pseudo_queries(passage_id),
            text=text,
            answered=answered,
            raised=raised,
        )
        if made is None:
            st.info("You changed nothing, so no copy was made.")
            return
        _start(index, made, copy.strip(), question)


def _questions(index: Index, passage_id: str, way: Direction, label: str) -> list[str] | None:
    """Return the edited questions of a kind.

    None if they are unchanged. The field shows them as the graph does. An unchanged line keeps its
    stored text.
    """
    now = [one for one in index.graph.pseudo_queries(passage_id) if one.direction == way]
    shown = [one_line(index.graph.spoken(one)) for one in now]
    typed = st.text_area(
        f"{label}, one per line",
        value="\n".join(shown),
        height=180,
        max_chars=_LONGEST,
        key=f"edit_{way}",
    )
    lines = [line.strip() for line in typed.splitlines() if line.strip()]
    return None if lines == shown else kept_texts(lines, shown, now)


def _regeneration_note(index: Index) -> str:
    """Explain who regenerates the pseudo-queries if only the text changes."""
    maker = index.meta.maker or RULES.name
    by = "the rules" if maker == RULES.name or maker.startswith("file:") else layout.literal(maker)
    call = "" if by == "the rules" else " in one call"
    return (
        f"If you change only the text, {by} will regenerate the pseudo-queries{call}. Lines that "
        "you edit or add are kept and marked as handwritten."
    )


def _free_name(wish: str) -> str:
    """Return `wish`, with the lowest number that no existing index has if the name is taken."""
    name, number = wish, 1
    while catalogue.is_taken(settings().indexes, name):
        number += 1
        name = f"{wish} {number}"
    return name


def _start(index: Index, made: Edit, copy: str, question: str) -> None:
    """Start the job that writes the copy; the page then opens the copy and replays the question
    there.
    """
    target = catalogue.place(settings().indexes, copy)
    if catalogue.is_taken(settings().indexes, copy):
        st.error(layout.literal(f"An index named {copy!r} already exists. Choose another name."))
        return
    edits = Edits(index.name, (made,))
    job = Job("edit", target, source=str(index.path), edits=edits.to_json())
    try:
        index_actions.start(job)
    except HopRagError:
        close_dialog()
        raise
    close_dialog()
    spec = current_question.now(index.name).spec
    resources.select_index(copy)
    nav.go("trace", index=copy, q=question, retriever=str(spec) if question else "")
