"""The walkthrough of a trace, which receives its data once and is played by the browser.

Its script and style sheet are built from `assets/scripts/src`.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NotRequired

import streamlit as st
from pydantic import Field
from typing_extensions import TypedDict

from core.bundles import bundle, style
from core.walkthroughs.assets import COMPONENT, ROOT
from core.walkthroughs.contract import WalkthroughData
from pages.components.shell.client_input.component_events import expect

Acts = Mapping[str, Callable[[Any], None]]
"""What a person can do in a walkthrough that is done in Python, by name: `mark` gets a `Mark`,
`question` gets -1 or 1."""


_HEARD = "film_heard"


@dataclass(frozen=True, slots=True)
class Wish:
    """A page that the user wants to open, and the passage that it shows."""

    name: str
    value: str


class Mark(TypedDict):
    """The value of the action `mark`: a passage, whether it becomes gold, and whether this undoes
    the last change.
    """

    passage: str
    gold: bool
    undo: NotRequired[bool]


class _Amendment(TypedDict):
    """The value of the action `amend`, see `trace.manual_choices.choose`."""

    verb: NotRequired[str]
    at: NotRequired[str]
    tie: NotRequired[str]


class _Act(TypedDict):
    """A user action in a window; actions are numbered from 1."""

    number: int


class _MarkAct(_Act):
    name: Literal["mark"]
    value: Mark


class _QuestionAct(_Act):
    name: Literal["question"]
    value: Literal[-1, 1]


class _AmendAct(_Act):
    name: Literal["amend"]
    value: _Amendment


class _WordAct(_Act):
    name: Literal["keep", "explore"]
    value: str


class _RemarkAct(_Act):
    name: Literal["remark"]


_AnyAct = Annotated[
    _MarkAct | _QuestionAct | _AmendAct | _WordAct | _RemarkAct, Field(discriminator="name")
]
Done = TypedDict("Done", {"from": str, "acts": Annotated[list[_AnyAct], Field(min_length=1)]})
"""Payload of the event `done`: the actions of a window not yet received."""


class Keep(TypedDict):
    """A line on the card of lost gold: a fix, and the label of a button, or an empty text.

    The button runs the action `keep` with `value`. A `heading` is above the lines that follow it,
    and the `facts` of a change are below it. A line that is `below` refers to the page below the
    walkthrough. The button of a line that `searches` starts the search, as presenter mode does on
    the last step.
    """

    told: str
    action: str
    value: str
    heading: NotRequired[bool]
    facts: NotRequired[list[str]]
    below: NotRequired[bool]
    searches: NotRequired[bool]


def show_walkthrough(walkthrough: WalkthroughData, *, key: str, **how: Any) -> Wish | None:
    """Mount a walkthrough whose step is kept in the address. See `mounted` for `how`."""
    return mounted(_component(), "walkthrough", walkthrough, key=key, **how)


def mounted(
    component: Callable[..., Any],
    name: str,
    played: Mapping[str, Any],
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
    """Mount the component that plays a trace, and run the user's actions in it.

    Parameters
    ----------
    component : draws `played`, which it gets as JSON under `name`.
    acts : what is done in Python, by name.
    places : pages that a person may go to from it.
    keys : keys that the page hears, each with what it does, for its list of keys.
    from_start : whether an address without a step means the first one, or else the last.
    remark : a sentence above it and the label of the button for the act `remark`, or empty texts.
    beside : what a presenter sees beside the name of the retriever.
    keeps : lines below what is said of missed gold.

    Returns
    -------
    The page of `places` that the person wants to go to, if they just did.
    """
    told = json.dumps(played, separators=(",", ":"))
    heard: dict[str, int] = st.session_state.setdefault(_HEARD, {})

    def done() -> None:
        """Run the actions that the browser has sent since the last call."""
        wish = st.session_state[key]["done"]
        for act in _new_acts(wish, heard) if wish else ():
            if act["name"] in acts:
                acts[act["name"]](act.get("value"))

    data = {
        name: told,
        "rev": hashlib.sha256(told.encode()).hexdigest()[:16],
        "from_start": from_start,
        "acts": [*acts, *places],
        "keys": list(keys),
        "remark": remark,
        "beside": beside,
        "keeps": list(keeps),
        "heard": dict(heard),
    }
    expect(key, done=Done)
    wish = component(key=key, data=data, on_done_change=done, height="content").done
    last = wish["acts"][-1] if wish else {"name": ""}
    return Wish(last["name"], str(last["value"])) if last["name"] in places else None


def _new_acts(wish: Mapping[str, Any], heard: dict[str, int]) -> list[Mapping[str, Any]]:
    """Return the actions of a window since the last call, in order; each is returned once."""
    before = heard.get(wish["from"], 0)
    found = [act for act in wish["acts"] if act["number"] > before]
    heard[wish["from"]] = max((act["number"] for act in found), default=before)
    return found


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "hop_walkthrough", html=ROOT, css=style(), js=bundle(COMPONENT)
    )
