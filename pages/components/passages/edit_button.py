"""The button beside a passage that opens its editor (`pages.components.ask.passage_editor`)."""

import streamlit as st

from core.store.index import Index
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.dialogs import open_dialog

DIALOG = "edit_passage"
"""Name of the editor among the dialogs."""


def edit_button(index: Index, passage_id: str, key: str) -> None:
    """Show the button to editors; the query of the address is replayed on the copy."""
    if visitor().may_edit and st.button(
        "Edit in a copy …",
        key=f"{key}_edit",
        help="Edit the text or the pseudo-queries in a copy of the index, then replay the query.",
    ):
        open_dialog(DIALOG, index.name, passage_id, st.query_params.get("q", ""))
