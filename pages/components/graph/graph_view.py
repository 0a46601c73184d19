"""The graph drawing: what a page says of it.

A graph is mounted in two halves, because a step of the player must not send or lay out the graph
again. `graph_structure` mounts nodes and edges in their fixed places (outside of fragments);
`paint_graph` sends how one step looks (inside the fragment). The browser's half is told of in
`component`.

Texts are data: the browser writes them on a canvas or by `textContent`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import streamlit as st

from core.drawing.layout import Band
from core.steps import Kind
from pages.components.graph.component import components

NodeRole = Literal[
    "seed", "queued", "visited", "current", "retrieved", "pruned", "lost", "refused", "plain"
]
EdgeRole = Literal["offered", "chosen", "refused", "walked", "unoffered", "plain"]

SIZES = (0.6, 2.4)
"""What `Paint.sizes` is kept within, so that a node can be hit and does not fill the drawing."""


@dataclass(frozen=True, slots=True)
class Node:
    """A passage or a thing in its place. `label` is the whole title; the drawing crops it.

    `detail` is shown under the title in the tooltip. `kind` decides the shape; the role in which
    it is painted decides colour and mark, and of a passage the shape too.
    """

    id: str
    label: str
    x: float
    y: float
    detail: str = ""
    kind: Kind = "passage"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between nodes of any kinds; a head is drawn when it is `directed`.

    `question` is shown when it is hovered or selected, `detail` in the tooltip.
    """

    id: str
    source: str
    target: str
    question: str = ""
    detail: str = ""
    directed: bool = True


@dataclass(frozen=True, slots=True)
class Paint:
    """How one step looks. What is not named has the role `node` or `edge`.

    `counts` are visits, drawn from 2 on. `gold` are passages drawn as stars. `sizes` are factors
    of the radius, kept within `SIZES`, for nodes that hold a share of what is spread; 1 otherwise.
    """

    nodes: Mapping[str, NodeRole] = field(default_factory=dict)
    edges: Mapping[str, EdgeRole] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    gold: AbstractSet[str] = frozenset()
    node: NodeRole = "plain"
    edge: EdgeRole = "plain"
    sizes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Legend:
    """The names of the roles and kinds that a page uses, in the order of display."""

    nodes: Mapping[NodeRole | Literal["gold"], str]
    edges: Mapping[EdgeRole, str]
    kinds: Mapping[Kind, str] = field(default_factory=dict)


TRACE_LEGEND = Legend(
    nodes={
        "seed": "Seed",
        "queued": "In the queue",
        "visited": "Visited",
        "current": "Looked at now",
        "retrieved": "Retrieved",
        "pruned": "Pruned",
        "refused": "Only refused",
        "plain": "Not reached",
        "gold": "Gold",
        "lost": "Gold, lost",
    },
    edges={
        "chosen": "Chosen now",
        "offered": "On offer",
        "walked": "Followed",
        "refused": "Refused",
        "unoffered": "Never offered",
        "plain": "Joined",
    },
)
KIND_NAMES: Mapping[Kind, str] = {
    "query": "Question",
    "passage": "Passage",
    "sentence": "Sentence",
    "entity": "Entity",
    "fact": "Fact",
    "relation": "Relation",
    "cluster": "Cluster",
    "community": "Community",
    "field": "Field",
    "speaker": "Speaker",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user clicked."""

    kind: Literal["node", "edge"]
    id: str


def legend_of(
    node_roles: Iterable[NodeRole | Literal["gold"]],
    edge_roles: Iterable[EdgeRole],
    kinds: Iterable[Kind],
) -> Legend:
    """The entries of `TRACE_LEGEND` for these roles, and names for these kinds, in their order.

    Give what any step may paint: another legend mounts the graph anew. Kinds are named only when
    there are others than passages.
    """
    nodes, edges, drawn = set(node_roles), set(edge_roles), set(kinds)
    return Legend(
        nodes={role: text for role, text in TRACE_LEGEND.nodes.items() if role in nodes},
        edges={role: text for role, text in TRACE_LEGEND.edges.items() if role in edges},
        kinds={kind: text for kind, text in KIND_NAMES.items() if kind in drawn}
        if drawn - {"passage"}
        else {},
    )


def graph_structure(
    name: str,
    nodes: Sequence[Node],
    arrows: Sequence[Arrow],
    *,
    bands: Sequence[Band] = (),
    legend: Legend = TRACE_LEGEND,
    height: int = 560,
) -> None:
    """Mount the nodes and edges of graph `name`, `height` pixels high with the legend.

    A page's style sheet may set another height, `--hop-tall`, on something around the graph.
    Call it outside of fragments: it is sent again only when something in it changes. Zoom and
    dragged nodes are kept by the browser tab for the same structure.

    Raises
    ------
    ValueError : an arrow has an end that is not among `nodes`, or an id is used twice.
    """
    _require_whole(nodes, arrows)
    data: dict[str, Any] = {
        "name": name,
        "height": height,
        "nodes": [_node(node) for node in nodes],
        "arrows": [_arrow(arrow) for arrow in arrows],
        "bands": [
            {"label": band.label, "left": float(band.left), "right": float(band.right)}
            for band in bands
        ],
        "legend": [
            {"of": of, "name": name, "label": text}
            for of, words in (
                ("shape", legend.kinds),
                ("node", legend.nodes),
                ("edge", legend.edges),
            )
            for name, text in words.items()
        ],
    }
    structure, _ = components()
    structure(key=f"graph_{name}", data={**data, "rev": _hash(data)}, height="content")


def paint_graph(name: str, paint: Paint, *, on_select: Callable[[], None] | None = None) -> None:
    """Send the looks of one step to graph `name`; call it inside the fragment.

    `on_select` is called after a click changed `selection(name)`, before the rerun.
    """
    picked = selection(name)
    data = {
        "nodes": dict(paint.nodes),
        "edges": dict(paint.edges),
        "counts": {key: int(count) for key, count in paint.counts.items()},
        "sizes": {key: _kept(size) for key, size in paint.sizes.items()},
        "gold": sorted(paint.gold),
        "node": paint.node,
        "edge": paint.edge,
        "selected": {"kind": picked.kind, "id": picked.id} if picked else None,
    }

    def selected() -> None:
        _remember(name)
        if on_select:
            on_select()

    _, painter = components()
    painter(
        key=_painter_key(name),
        data={"name": name, "paint": data, "rev": _hash(data)},
        on_selected_change=selected,
        height=1,
    )


def selection(name: str) -> Selection | None:
    """What is selected in graph `name`; it outlives the component, over pages too."""
    return cast(Selection | None, st.session_state.get(_selection_key(name)))


def select(name: str, chosen: Selection | None) -> None:
    """Select from the outside, e.g. from a table; the next `paint_graph` shows it."""
    st.session_state[_selection_key(name)] = chosen


def _remember(name: str) -> None:
    """Copy the component's state, which is dropped with it, into a plain key."""
    picked = st.session_state[_painter_key(name)]["selected"]
    select(name, Selection(picked["kind"], str(picked["id"])) if "id" in picked else None)


def _selection_key(name: str) -> str:
    return f"graph_selection_{name}"


def _painter_key(name: str) -> str:
    return f"graph_paint_{name}"


def _require_whole(nodes: Sequence[Node], arrows: Sequence[Arrow]) -> None:
    ids = {node.id for node in nodes}
    if len(ids) < len(nodes) or len({arrow.id for arrow in arrows}) < len(arrows):
        raise ValueError("an id is used twice in one graph")
    loose = [arrow.id for arrow in arrows if not {arrow.source, arrow.target} <= ids]
    if loose:
        raise ValueError(f"edges with an end that is not in the graph: {loose[:3]}")


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": node.label,
        "x": round(float(node.x), 2),
        "y": round(float(node.y), 2),
        "detail": node.detail,
        "kind": node.kind,
    }


def _arrow(arrow: Arrow) -> dict[str, str | bool]:
    return {
        "id": arrow.id,
        "source": arrow.source,
        "target": arrow.target,
        "question": arrow.question,
        "detail": arrow.detail,
        "directed": arrow.directed,
    }


def _kept(size: float) -> float:
    least, most = SIZES
    # In this order what is not a number becomes the least.
    return round(min(most, max(least, float(size))), 2)


def _hash(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
