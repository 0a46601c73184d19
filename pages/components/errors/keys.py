"""The keys of the page, which press its buttons; its half in the browser is `assets/errors`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS
from pages.components.shell.signature import COOKIE

HELP = (
    ("y x d", "Pass, fail or defer it."),
    ("1 to 9, 0", "Give it a label, where there is one."),
    ("n", "Write the note, which Esc leaves."),
    ("j k", "Go to the next or previous one."),
    ("g", "Go to the next without a verdict."),
    (".", "Same again: the last verdict, then go on."),
    ("u", "Undo it."),
)


def listen(name: str) -> None:
    """Mount what hears the keys; `name` is that of the reviewer, which the browser keeps."""
    with st.container(key="errors_keys"):
        _component()(
            key="errors_listen",
            data={"cookie": COOKIE, "name": name},
            on_unlabelled_change=_no_label,
            height=1,
        )


def _no_label() -> None:
    """A digit was pressed that is the key of no label."""
    digit = st.session_state["errors_listen"]["unlabelled"]
    st.toast(f"No label has the key {digit}. Write a new label below the verdict, then Enter.")


@cache
def _component() -> Callable[..., Any]:
    script = (ASSETS / "errors" / "keys.js").read_text(encoding="utf-8")
    return st.components.v2.component("hop_errors", js=script)
