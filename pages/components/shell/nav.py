"""Navigation: which pages there are, and the guard that makes each safe to open first.

The navigation follows the workflow. Pages keep what they show in the address bar, so that every
view can be copied as a link.
"""

from pathlib import Path

import streamlit as st

_PAGES = Path(__file__).parent.parent.parent
_TITLES = {
    "start": "Start",
    "corpus": "Corpus",
    "build": "Build",
    "explore": "Explore",
    "trace": "Trace",
    "compare": "Compare",
    "settings": "Settings",
}
_ROUTED = "_routed"


def pages() -> list[st.Page]:
    """All pages, in the order of the workflow."""
    return [
        st.Page(_PAGES / f"{name}.py", title=title, url_path=name, default=name == "start")
        for name, title in _TITLES.items()
    ]


def run() -> None:
    """The application: called by app.py and by nothing else."""
    st.session_state[_ROUTED] = True
    st.navigation(pages()).run()


def guard() -> None:
    """First line of every page.

    With a folder named pages, Streamlit runs a page without app.py if its address is the first to
    be opened after the server started; this puts the server back on the right way.
    """
    if not st.session_state.get(_ROUTED):
        st.navigation(pages(), position="hidden")
        st.rerun()


def go(name: str, **params: str) -> None:
    """Leave for the page called `name`; `params` go into its address."""
    st.switch_page(_PAGES / f"{name}.py", query_params={k: v for k, v in params.items() if v})
