"""The keys of the Errors page, handled by `assets/scripts/src/errors/keys.js`."""

import streamlit as st

from pages.components.errors.component import component
from pages.components.errors.status_message import tell_then
from pages.components.shell.client_input.component_events import expect
from pages.components.shell.visitors.signature import COOKIE, signature

HELP = (
    ("y x d", "Pass, fail or defer."),
    ("1 to 9, 0", "Add or remove the label with that key."),
    ("n", "Edit the note (Esc to finish)."),
    ("j k", "Next or previous result."),
    ("g", "Next result without a verdict."),
    (".", "Repeat your last verdict and labels, then go to the next result."),
    ("u U", "Undo (Shift+U to redo)."),
)


def listen(name: str) -> None:
    """Mount the script that handles keys; the browser stores the reviewer's `name`."""
    expect("errors_listen", refused=str)
    with st.container(key="errors_keys"):
        component("keys", "keys")(
            key="errors_listen",
            data={"cookie": COOKIE, "name": name},
            on_refused_change=_refuse,
            height=1,
        )


def refusal(key: str, *, named: bool) -> str:
    """Return why a key does nothing."""
    if not named:
        return "Enter your name first. Verdicts, notes and labels are saved under it."
    if key == "U":
        return "Nothing to redo: you have not undone a change, or you have made another one since."
    if key == ".":
        return "Nothing to repeat yet. Set a verdict or a label, then go to the next result."
    return f"No label has the key {key}. To add one, type it below the verdict and press Enter."


def _refuse() -> None:
    key = st.session_state["errors_listen"]["refused"]
    tell_then(refusal(key, named=bool(signature())))
