"""The view of the Explore page. The address is the state; the widgets follow it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.explore.neighbourhood import NO_LIMIT, Facing
from core.explore.starts import well_connected
from core.explore.view import View
from core.store.index import Index

WAYS: dict[Facing, str] = {"both": "Both", "out": "Out", "in": "In"}
SHOWN = {False: "Most similar", True: "All"}
HOPS = (1, 2)
CAPS = (150, 400, 1000)
KINDS = ("node", "edge")
HELD = "held"
PARAMS = ("way", "hops", "min", "cap", "show", "open", "closed", HELD, *KINDS)

_ADDRESS = "explore_address"
_WIDGETS = {
    "way": "explore_way",
    "hops": "explore_hops",
    "min": "explore_min",
    "cap": "explore_cap",
    "show": "explore_show",
}


@dataclass(frozen=True, slots=True)
class Picked:
    """A selected item: `kind` is `node` for a passage, or `edge`."""

    kind: str
    id: str


@dataclass(frozen=True)
class Wish:
    """The request in the address.

    `view` is around the passage of the address, or else around the one with most edges; None if no
    passage has an edge. `chosen` tells whether the address names the passage. `problems` are
    sentences on invalid parameters.
    """

    view: View | None
    chosen: bool = False
    problems: tuple[str, ...] = ()


def wish(index: Index) -> Wish:
    """Read the address; missing or invalid values get their defaults."""
    params = st.query_params
    problems = []

    def one_of(name: str, known: tuple[str, ...]) -> str:
        """Return the value of a parameter; record a problem and return the default if it is not
        known.
        """
        value = params.get(name, known[0])
        if value not in known:
            problems.append(f"The link asks for {name}={value[:40]!r}: use {', '.join(known)}.")
        return value if value in known else known[0]

    passage = params.get("passage", "")
    chosen = passage in index.number
    if passage and not chosen:
        problems.append(f"This index has no passage {passage[:80]!r}; choose one to start from.")
    if not chosen:
        most = well_connected(index.graph.adjacency, index.ids, 1)
        if not most:
            return Wish(None, problems=tuple(problems))
        passage = most[0].passage_id
    ways: tuple[Facing, ...] = tuple(WAYS)
    view = View(
        centre=passage,
        way=ways[ways.index(one_of("way", ways))],
        hops=int(one_of("hops", tuple(map(str, HOPS)))),
        min_similarity=_share(params.get("min", "0"), problems),
        cap=int(one_of("cap", tuple(map(str, CAPS)))),
        opened=tuple(id_ for id_ in params.get_all("open") if id_ in index.number),
        closed=tuple(id_ for id_ in params.get_all("closed") if id_ in index.number),
        everything=one_of("show", ("focus", "all")) == "all",
    )
    return Wish(view, chosen, tuple(problems))


def look_at(view: View) -> None:
    """Write `view` into the address."""
    write(_address_params(view))


def centre_on(view: View, passage_id: str) -> None:
    """Centre the view on another passage, and clear expanded passages and the selection."""
    told = _address_params(replace(view, centre=passage_id, opened=(), closed=()))
    write({**told, "node": [], "edge": [], "find": []})


def begin(passage_id: str) -> None:
    """Open the graph around a passage."""
    write({"passage": [passage_id], "find": []})


def start_again() -> None:
    """Return to the choice of a start passage and release the held passage."""
    nothing = dict.fromkeys(("passage", "find", "open", "closed", HELD, *KINDS), ())
    write({**nothing, "view": ["neighbourhood"]})


def pick(chosen: Picked | None) -> None:
    """Select a passage or an edge, or nothing."""
    write({kind: [chosen.id] if chosen and chosen.kind == kind else [] for kind in KINDS})


def hold(passage_id: str) -> None:
    """Hold a passage to compare with the next selected one; an empty id releases it."""
    write({HELD: [passage_id] if passage_id else []})


def compare(passage_id: str) -> None:
    """Compare a search result with the held passage, without moving the view."""
    write({"node": [passage_id], "edge": [], "find": []})


def swap(held_id: str, picked_id: str) -> None:
    """Exchange the held and the selected passage."""
    write({HELD: [picked_id], "node": [held_id], "edge": []})


def find(wanted: str) -> None:
    """Store the search text."""
    write({"find": [wanted] if wanted else []})


def picked(index: Index) -> Picked | None:
    """Return the selected passage or edge of the address."""
    params = st.query_params
    if index.graph.edge_number(params.get("edge", "")) is not None:
        return Picked("edge", params["edge"])
    if params.get("node") in index.number:
        return Picked("node", params["node"])
    return None


def held(index: Index) -> str:
    """Return the passage held for comparison; empty if there is none."""
    name = st.query_params.get(HELD, "")
    return name if name in index.number else ""


def _address_params(view: View) -> dict[str, list[str]]:
    """Return the view as parameters of the address, each a list of texts."""
    return {
        "passage": [view.centre],
        "way": [view.way],
        "hops": [str(view.hops)],
        "min": [f"{max(view.min_similarity, 0):.2f}"],
        "cap": [str(view.cap)],
        "show": ["all"] if view.everything else [],
        "open": list(view.opened),
        "closed": list(view.closed),
    }


def write(changes: Mapping[str, Sequence[str]]) -> None:
    """Change the address at once, so that each change is one step of the browser history."""
    params = st.query_params
    before = {name: params.get_all(name) for name in params}
    after = {**before, **{name: list(values) for name, values in changes.items()}}
    after = {name: values for name, values in after.items() if values}
    if after != before:
        params.from_dict(after)


def controls(view: View) -> None:
    """Draw direction, hops, minimum similarity and maximum in one row; they change the address."""
    state = st.session_state
    if state.get(_ADDRESS) != view or _WIDGETS["way"] not in state:
        state[_WIDGETS["way"]] = view.way
        state[_WIDGETS["hops"]] = view.hops
        state[_WIDGETS["min"]] = max(view.min_similarity, 0.0)
        state[_WIDGETS["cap"]] = view.cap
        state[_WIDGETS["show"]] = view.everything
        state[_ADDRESS] = view
    row = st.container(horizontal=True, gap="small", key="explore_controls")
    row.segmented_control(
        "Edges",
        list(WAYS),
        format_func=WAYS.__getitem__,
        key=_WIDGETS["way"],
        required=True,
        on_change=_follow,
    )
    row.segmented_control("Hops", HOPS, key=_WIDGETS["hops"], required=True, on_change=_follow)
    row.segmented_control(
        "Draw",
        list(SHOWN),
        format_func=SHOWN.__getitem__,
        key=_WIDGETS["show"],
        required=True,
        on_change=_follow,
    )
    row.slider(
        "Minimum similarity", 0.0, 1.0, step=0.05, key=_WIDGETS["min"], on_change=_follow, width=135
    )
    row.segmented_control(
        "Maximum passages", CAPS, key=_WIDGETS["cap"], required=True, on_change=_follow
    )


def _follow() -> None:
    """Write the view chosen by the widgets into the address."""
    state = st.session_state
    view = state[_ADDRESS]
    least = state[_WIDGETS["min"]]
    look_at(
        replace(
            view,
            way=state[_WIDGETS["way"]],
            hops=state[_WIDGETS["hops"]],
            min_similarity=least if least > 0 else NO_LIMIT,
            cap=state[_WIDGETS["cap"]],
            everything=state[_WIDGETS["show"]],
        )
    )


def _share(text: str, problems: list[str]) -> float:
    """Return a minimum similarity; 0 means no limit, so that negative similarities pass."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        problems.append(f"The link asks for min={text[:40]!r}: use a number from 0 to 1.")
        return NO_LIMIT
    return value if value > 0 else NO_LIMIT
