"""The film of a trace on the screen: fed once, played by the browser alone.

Its scripts and style sheets are in `assets/film`, where the one-file story takes them from too.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict

import streamlit as st

from core.film.assets import COMPONENT, ROOT, script, style
from core.film.data import FilmData

Acts = Mapping[str, Callable[[Any], None]]
"""What a person can do in the film that is done in Python, by name: `mark` gets a `Mark`,
`question` gets -1 or 1."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A page that a person wants to go to, and the passage that it is to show."""

    name: str
    value: str


class Mark(TypedDict):
    """What the act `mark` is given: a passage, and whether it is to be gold."""

    passage: str
    gold: bool


class Keep(TypedDict):
    """A line on the card of lost gold: what would have retrieved it, and the word of a button,
    which gives the act `keep` its `value`; empty where there is none."""

    told: str
    action: str
    value: str


def show_film(
    film: FilmData,
    *,
    key: str,
    acts: Acts,
    places: Sequence[str] = (),
    keys: Sequence[tuple[str, str]] = (),
    from_start: bool,
    remark: tuple[str, str] = ("", ""),
    beside: str = "",
    keeps: Sequence[Keep] = (),
) -> Wish | None:
    """Mount `film`; where it stands is kept in the address.

    Where the address names no step it opens at its first one when it is to play `from_start`, and
    else at its last. Its list of keys ends with `keys`, which the page
    hears, each with what it does. `remark` is a sentence above it and the word of the button for
    the act `remark`, both empty where there is none. A presenter has `beside` beside the name of
    who retrieved. `keeps` are lines below what it says of lost gold.

    Says to which of `places` the person wants to go, if they just did.
    """
    told = json.dumps(film, separators=(",", ":"))

    def done() -> None:
        wish = st.session_state[key]["done"]
        if wish and wish["name"] in acts:
            acts[wish["name"]](wish["value"])

    data = {
        "film": told,
        "rev": hashlib.sha256(told.encode()).hexdigest()[:16],
        "from_start": from_start,
        "acts": [*acts, *places],
        "keys": list(keys),
        "remark": remark,
        "beside": beside,
        "keeps": list(keeps),
    }
    wish = _component()(key=key, data=data, on_done_change=done, height="content").done
    return Wish(wish["name"], str(wish["value"])) if wish and wish["name"] in places else None


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("hop_film", html=ROOT, css=style(), js=script(COMPONENT))
