"""The browser components of the map: one draws it, and a small one carries messages."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import streamlit as st
from typing_extensions import TypedDict

from core.maps import assets
from core.maps.messages import Said
from core.maps.pyvis_network import library
from pages.components.shell.client_input.component_events import expect

_MAP, _MESSENGER = "corpus_map", "corpus_map_messenger"


class _Chosen(TypedDict):
    kind: Literal["passage", "region", "none"]
    number: int


def mount(name: str, version: str, drawn: str) -> None:
    """Mount the map; it is sent to the browser again only when it changes.

    Parameters
    ----------
    name : tells this map from those of other indexes.
    version : changes with the map.
    drawn : what is drawn, as JSON.
    """
    expect(_MAP)
    data = {"name": name, "version": version, "map": drawn}
    _map()(key=_MAP, data=data, height="content")


def send(name: str, said: Said, choose: Callable[[str, int], None]) -> None:
    """Send the map its drawing data; `choose` receives the kind and number of a clicked item."""

    def chosen() -> None:
        if made := st.session_state[_MESSENGER]["chosen"]:
            choose(made["kind"], made["number"])

    expect(_MESSENGER, chosen=_Chosen)
    data = {"name": name, "said": json.dumps(said, separators=(",", ":"))}
    _carrier()(key=_MESSENGER, data=data, on_chosen_change=chosen, height=1)


@cache
def _map() -> Callable[..., Any]:
    js = f"{library()}\n{assets.component()}"
    html = "<div class='corpus-map-root'></div>"
    return st.components.v2.component("hop_corpus_map", html=html, css=assets.style(), js=js)


@cache
def _carrier() -> Callable[..., Any]:
    html = "<span hidden></span>"
    return st.components.v2.component("hop_corpus_map_messenger", html=html, js=assets.messenger())
