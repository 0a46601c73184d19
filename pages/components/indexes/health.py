"""Health of an index: whether its files match their recorded checksums."""

from pathlib import Path

import streamlit as st

from core.errors import StoreError
from core.library.catalogue import Listed
from core.text.display.plurals import number
from pages.components.shell import layout, resources
from pages.components.shell.visitors.visitor import shown

_POLL = 1.5  # seconds


def damage(entry: Listed) -> str:
    """Return which files are damaged and what to do; empty if none is known to be."""
    try:
        found = resources.verification(entry)
    except StoreError:  # `show_health` tells why the files could not be read
        return ""
    return found.problem() if found else ""


def show_health(entry: Listed) -> None:
    """Show the result of the verification, which runs in the background."""
    if not isinstance(entry.path, Path):
        st.caption(
            "To verify an index in object storage, use the command line: python -m core info "
            "--verify"
        )
        return
    resources.verify(entry)
    st.fragment(_show, run_every=_POLL if _is_pending(entry) else None)(entry)


def _is_pending(entry: Listed) -> bool:
    """Return whether the verification still runs; False if it failed."""
    try:
        return resources.verification(entry) is None
    except StoreError:
        return False


def _show(entry: Listed) -> None:
    """Show the result of the verification, and a button that repeats it if files are damaged."""
    try:
        found = resources.verification(entry)
    except StoreError as error:
        st.warning(layout.literal(shown(str(error))))
        return
    if found is None:
        st.caption("Comparing the files with their checksums…")
    elif problem := found.problem():
        st.error(layout.literal(shown(problem)))
        st.button(
            "Verify again",
            key="build_verify",
            on_click=resources.verify,
            args=(entry,),
            kwargs={"again": True},
        )
    elif gap := found.gap():
        st.caption(layout.literal(shown(gap)))
    else:
        st.caption(f"The index is intact ({number(found.files, 'file')} checked).")
    if found and (other := found.note()):
        st.caption(layout.literal(shown(other)))
