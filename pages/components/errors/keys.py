"""The keys of the page: their half in the browser, as that of a note, is in `assets/errors`."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.settings import ASSETS
from pages.components.shell.signature import COOKIE, signature

HELP = (
    ("y x d", "Pass, fail or defer it."),
    ("1 to 9, 0", "Give it a label, where there is one."),
    ("n", "Write the note, which Esc leaves."),
    ("j k", "Go to the next or previous one."),
    ("g", "Go to the next without a verdict."),
    (".", "Same again: the last verdict and its labels, then go on."),
    ("u", "Undo it."),
)


def listen(name: str) -> None:
    """Mount what hears the keys; `name` is that of the reviewer, which the browser keeps."""
    with st.container(key="errors_keys"):
        component("keys")(
            key="errors_listen",
            data={"cookie": COOKIE, "name": name},
            on_refused_change=_refuse,
            height=1,
        )


def refusal(key: str, *, named: bool) -> str:
    """Why a key does nothing."""
    if not named:
        return "Give your name first"
    if key == ".":
        return "Nothing to repeat yet: give a verdict or a label, then go to the next result."
    return f"No label has the key {key}. Write a new label below the verdict, then Enter."


def _refuse() -> None:
    key = st.session_state["errors_listen"]["refused"]
    st.toast(refusal(key, named=bool(signature())))


@cache
def component(name: str, html: str = "") -> Callable[..., Any]:
    """What the script `name` does in the browser, with `html` where it is seen."""
    script = (ASSETS / "errors" / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(
        f"hop_errors_{name}", html=html or None, js=script, isolate_styles=not html
    )
