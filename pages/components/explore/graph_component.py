"""The graph of a neighbourhood in the browser; its script is `assets/scripts/src/explore`."""

import json
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

import streamlit as st
from pydantic import Field
from typing_extensions import TypedDict

from core.bundles import bundle, style
from core.explore.contract import NeighbourhoodData
from core.walkthroughs.assets import NEIGHBOURHOOD
from pages.components.explore.state import Picked
from pages.components.shell.client_input.component_events import expect

HTML = "<div class='panes explore'></div>"
_KEY, _SAVED = "explore_picture", "explore_pictures_saved"


class _Element(TypedDict):
    kind: Literal["node", "edge"]
    id: str


class _Pick(TypedDict):
    name: Literal["pick"]
    value: _Element | None


class _Open(TypedDict):
    name: Literal["open"]
    value: str


_Done = Annotated[_Pick | _Open, Field(discriminator="name")]


def show_picture(
    drawn: NeighbourhoodData,
    chosen: Picked | None,
    *,
    pick: Callable[[Picked | None], None],
    expand: Callable[[str], None],
) -> None:
    """Mount a neighbourhood with `chosen` selected.

    `pick` receives the clicked item, None for the background. `expand` receives the passage whose
    count of hidden neighbours is clicked.
    """

    def done() -> None:
        """Expand the clicked passage, or pick the clicked passage or edge."""
        wish = st.session_state[_KEY]["done"]
        if not wish:
            return
        if wish["name"] == "open":
            expand(wish["value"])
        else:
            what = wish["value"]
            pick(Picked(what["kind"], what["id"]) if what else None)

    data = {
        "drawn": json.dumps(drawn, separators=(",", ":")),
        "saved": st.session_state.get(_SAVED, 0),
        "selected": {chosen.kind: chosen.id} if chosen else None,
    }
    expect(_KEY, done=_Done)
    _component()(key=_KEY, data=data, on_done_change=done, height="content")


def save_picture() -> None:
    """Make the browser save the graph as a PNG."""
    st.session_state[_SAVED] = st.session_state.get(_SAVED, 0) + 1


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "hop_explore", html=HTML, css=style(NEIGHBOURHOOD), js=bundle(NEIGHBOURHOOD)
    )
