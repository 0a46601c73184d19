"""What the Explore page looks at. The address bar is the state; the widgets follow it."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.drawing.exploration import View
from core.drawing.neighbourhood import NO_LIMIT, Facing
from core.store.index import Index
from pages.components.graph import graph_view
from pages.components.graph.graph_view import Selection

GRAPH = "explore"
WAYS: dict[Facing, str] = {"both": "Both", "out": "Out", "in": "In"}
HOPS = (1, 2)
CAPS = (150, 400, 1000)
PARAMS = ("way", "hops", "min", "cap", "open", "closed")

_ADDRESS = "explore_address"
_HERE = "explore_here"
_WIDGETS = {
    "way": "explore_way",
    "hops": "explore_hops",
    "min": "explore_min",
    "cap": "explore_cap",
}


@dataclass(frozen=True)
class Wish:
    """What the address asks for. `problems` are sentences on what it asks for in vain."""

    view: View
    problems: tuple[str, ...] = ()


def wish(index: Index) -> Wish:
    """Read the address; what is missing or makes no sense there has its default."""
    params = st.query_params
    problems = []

    def one_of(name: str, known: tuple[str, ...]) -> str:
        value = params.get(name, known[0])
        if value not in known:
            problems.append(f"The address asks for {name}={value[:40]!r}: use {', '.join(known)}.")
        return value if value in known else known[0]

    passage = params.get("passage")
    if passage is not None and passage not in index.number:
        problems.append(
            f"This index has no passage {passage[:80]!r}; the view starts at another one."
        )
        passage = None
    ways: tuple[Facing, ...] = tuple(WAYS)
    view = View(
        centre=passage or start(index),
        way=ways[ways.index(one_of("way", ways))],
        hops=int(one_of("hops", tuple(map(str, HOPS)))),
        min_similarity=_share(params.get("min", "0"), problems),
        cap=int(one_of("cap", tuple(map(str, CAPS)))),
        opened=tuple(id_ for id_ in params.get_all("open") if id_ in index.number),
        closed=tuple(id_ for id_ in params.get_all("closed") if id_ in index.number),
    )
    return Wish(view, tuple(problems))


def start(index: Index) -> str:
    """Where to begin: of the first question's gold the passage with most edges, or of all."""
    columns = index.graph.columns
    degree = np.bincount(
        np.concatenate([columns.source, columns.target]), minlength=len(index.passages)
    )
    firsts = next((question.gold for question in index.questions if question.gold), ())
    known = [index.number[gold] for gold in firsts if gold in index.number]
    numbers = known or list(range(len(index.passages)))
    return index.passages[max(numbers, key=lambda number: degree[number])].id


def look_at(view: View) -> None:
    """Write `view` into the address."""
    st.query_params.update(
        {
            "passage": view.centre,
            "way": view.way,
            "hops": str(view.hops),
            "min": f"{max(view.min_similarity, 0):.2f}",
            "cap": str(view.cap),
            "open": list(view.opened),
            "closed": list(view.closed),
        }
    )


def centre_on(view: View, passage_id: str) -> None:
    """Make another passage the middle of the view, with nothing opened by hand."""
    pick(None)
    look_at(replace(view, centre=passage_id, opened=(), closed=()))


def pick(chosen: Selection | None) -> None:
    """Select a passage or an edge, in the graph and in the address."""
    graph_view.select(GRAPH, chosen)
    note_pick()


def note_pick() -> None:
    """Write what is selected in the graph into the address."""
    chosen = graph_view.selection(GRAPH)
    for kind in ("node", "edge"):
        st.query_params.pop(kind, None)
    if chosen:
        st.query_params[chosen.kind] = chosen.id


def arrive(index: Index, view: View) -> None:
    """On another passage than before, forget what was selected for what the address names."""
    here = (str(index.path), view.centre)
    if st.session_state.get(_HERE) == here:
        return
    st.session_state[_HERE] = here
    params = st.query_params
    chosen = None
    if params.get("edge") in index.graph.edge_number:
        chosen = Selection("edge", params["edge"])
    elif params.get("node") in index.number:
        chosen = Selection("node", params["node"])
    graph_view.select(GRAPH, chosen)


def picked(view: View) -> Selection:
    """What the panel shows: what is selected, else the centre."""
    return graph_view.selection(GRAPH) or Selection("node", view.centre)


def controls(view: View) -> None:
    """Direction, hops, least similarity and cap, in one row; they write into the address."""
    state = st.session_state
    if state.get(_ADDRESS) != view or _WIDGETS["way"] not in state:
        state[_WIDGETS["way"]] = view.way
        state[_WIDGETS["hops"]] = view.hops
        state[_WIDGETS["min"]] = max(view.min_similarity, 0.0)
        state[_WIDGETS["cap"]] = view.cap
        state[_ADDRESS] = view
    way, hops, least, cap = st.columns([1.9, 1.1, 1.9, 2])
    way.segmented_control(
        "Edges",
        list(WAYS),
        format_func=WAYS.__getitem__,
        key=_WIDGETS["way"],
        required=True,
        on_change=_follow,
    )
    hops.segmented_control("Hops", HOPS, key=_WIDGETS["hops"], required=True, on_change=_follow)
    least.slider("Least similarity", 0.0, 1.0, step=0.05, key=_WIDGETS["min"], on_change=_follow)
    cap.segmented_control(
        "Passages at most", CAPS, key=_WIDGETS["cap"], required=True, on_change=_follow
    )


def _follow() -> None:
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
        )
    )


def _share(text: str, problems: list[str]) -> float:
    """A least similarity; 0 lets everything through, also what is below 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        problems.append(f"The address asks for min={text[:40]!r}: use a number from 0 to 1.")
        return NO_LIMIT
    return value if value > 0 else NO_LIMIT
