"""Navigation: the list of pages, and the guard that each page calls first.

The navigation follows the workflow. Pages keep what they show in the address bar, so that every
view can be copied as a link.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.shell.visitors import sign_in

_PAGES = Path(__file__).parent.parent.parent
TITLES = {
    "start": "Start",
    "corpus": "Corpus",
    "build": "Build",
    "explore": "Explore",
    "trace": "Trace",
    "compare": "Compare",
    "evaluate": "Evaluate",
    "studies": "Studies",
    "errors": "Errors",
    "methods": "Methods",
    "settings": "Settings",
    "help": "Help",
}
EDITORS_ONLY = frozenset(("corpus", "settings"))
"""Pages that readers cannot use (`frame.only_editors`)."""
_ROUTED = "_routed"
_HERE, _ARRIVED = "_here", "_arrived"


def pages() -> list[st.Page]:
    """Return all pages, in the order of the workflow."""
    return [
        st.Page(_PAGES / f"{name}.py", title=title, url_path=name, default=name == "start")
        for name, title in TITLES.items()
    ]


def run(*beside: Callable[[], None]) -> None:
    """Run the page of the address if the visitor may open it; draw `beside` first."""
    # Also for who is kept out: else Streamlit lists the files of the folder.
    page = st.navigation(pages(), position="sidebar" if sign_in.may_enter() else "hidden")
    sign_in.pass_through()
    st.session_state[_ROUTED] = True
    for draw in beside:
        draw()
    page.run()


def has_arrived() -> bool:
    """Return whether the visitor has just come from another page."""
    arrived: bool = st.session_state.get(_ARRIVED, True)
    return arrived


def guard() -> None:
    """Record the arrival and check access; the first call of every page.

    With a folder named pages, Streamlit runs a page without app.py if its address is the first to
    be opened after the server started; this puts the server back on the right way.
    """
    if not st.session_state.get(_ROUTED):
        st.navigation(pages(), position="hidden")
        st.rerun()
    context = get_script_run_ctx()
    here = context.page_script_hash if context else ""
    st.session_state[_ARRIVED] = st.session_state.get(_HERE) != here
    st.session_state[_HERE] = here
    sign_in.pass_through()
    sign_in.show_visitor()


def go(name: str, **params: str) -> None:
    """Open the page called `name`, with `params` in its address."""
    st.switch_page(_PAGES / f"{name}.py", query_params={k: v for k, v in params.items() if v})
