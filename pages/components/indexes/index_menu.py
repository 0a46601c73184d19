"""The menu of indexes in the sidebar, and what is shown if an index cannot be opened."""

from typing import NoReturn

import streamlit as st

from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.library.catalogue import Listed
from pages.components.building.job_progress import show_job
from pages.components.indexes.health import damage
from pages.components.shell import layout, nav, resources
from pages.components.shell.visitors.visitor import shown

_MENU = "index_menu"
_NOT_READY = "◌"
_FITS = 16  # characters of a name that the menu shows whole


def need_index() -> Listed:
    """Return the index of the address, or the session's last, or the newest; without one, end the
    page.

    The sidebar has a menu to look at another one.
    """
    entries = {entry.name: entry for entry in resources.entries()}
    if not entries:
        layout.empty(
            "No index yet",
            "Try the sample, or build an index of your own documents.",
            "Go to Start",
            "start",
        )
    name = resources.index_name()
    if name is None:
        name = next((one for one, entry in entries.items() if entry.meta), next(iter(entries)))
        resources.select_index(name)
    _menu(entries, name)
    if name not in entries:
        layout.empty(
            f"No index named {name[:80]}",
            "It was renamed or deleted, or the link is wrong. Choose another index in the sidebar.",
            "Go to Start",
            "start",
        )
    return entries[name]


def need_workbench() -> Workbench:
    """Return that index, opened; if it cannot be opened, say what to do and end the page."""
    entry = need_index()
    if not entry.meta and entry.job and (entry.job.running or entry.job.resumable):
        _unfinished(entry)
    try:
        return resources.workbench(entry)
    except HopRagError as error:
        layout.empty("This index cannot be opened", shown(str(error)), "Go to Start", "start")


def _menu(entries: dict[str, Listed], name: str) -> None:
    """Draw the menu of indexes in the sidebar, and the state of an index that is not ready."""

    def said(one: str) -> str:
        return one if entries[one].meta else f"{_NOT_READY} {one}"

    st.session_state[_MENU] = name if name in entries else None
    with st.sidebar:
        st.selectbox(
            "Index",
            list(entries),
            key=_MENU,
            format_func=said,
            placeholder="Choose an index",
            on_change=_switch,
        )
        entry = entries.get(name)
        if len(name) > _FITS:
            st.text(name)
        below = st.empty()  # takes the place of what stood there, which else stays until the end
        if entry and not entry.meta:  # below the menu, which is too narrow for it
            below.caption(f"{_NOT_READY} {_state_in_words(entry)}")
        elif entry and damage(entry):
            below.warning("A file of this index is damaged. See Start.")


def _state_in_words(entry: Listed) -> str:
    """Describe the state of an index that cannot be opened."""
    if entry.damaged:
        return "damaged"
    return "being built" if entry.job and entry.job.running else "not finished"


def _switch() -> None:
    """Open the chosen index, and clear the parameters that concern the other index."""
    name = st.session_state[_MENU]
    if name:
        st.query_params.clear()
        resources.select_index(name)


def _unfinished(entry: Listed) -> NoReturn:
    """Show the progress of an index's first build; the page reruns when it ends."""
    st.text("This index is still being built. This page opens when it has finished.")
    show_job(entry.path, "unfinished")
    if st.button("Go to Build", key="unfinished_build"):
        nav.go("build", index=entry.name)
    st.stop()
