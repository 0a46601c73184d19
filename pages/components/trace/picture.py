"""A trace as the graph draws it: places for the whole retrieval, looks for one step."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.drawing.layout import Band, bands, layered
from core.playback import DrawnEdge, Frame, arrival_hop, columns, drawn_edges
from core.playback.rounds import Round
from core.steps import HopBegan, Judged
from core.traces import Trace
from core.types import Edge, Passage
from pages.components.graph.graph_view import Arrow, EdgeRole, Node, NodeRole, Paint
from pages.components.shell.words import cropped

CAP = 150
"""Passages drawn at most: gold and all that were visited, then those on offer in order of time."""
REFUSED = 2
"""Passages drawn of those that were refused at one vertex, the best; the others are in the list."""
SNIPPET = 240
"""Characters of a text in the tooltip."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A trace and its drawing. `left_out` counts passages that are not drawn."""

    trace: Trace
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    bands: tuple[Band, ...]
    left_out: int

    def passage(self, passage_id: str) -> Passage:
        return self.trace.passages[passage_id]

    def title(self, passage_id: str) -> str:
        """The passage's title, or its id where it has none."""
        return self.trace.passages[passage_id].title or passage_id


def make_picture(trace: Trace, gold: AbstractSet[str], *, everything: bool) -> Picture:
    """Give each passage and edge of `trace` its place.

    Drawn are the visited passages, those in `gold`, and the best that were refused at each vertex;
    with `everything` all that was ever on offer, up to `CAP`.
    """
    column = columns(trace.steps)
    shown = _shown(trace, column, gold, everything)
    column_of = {name: hop for name, hop in column.items() if name in shown}
    drawn = [e for e in drawn_edges(trace.steps) if {e.source, e.target} <= column_of.keys()]
    places = layered(column_of, [_direction(e) for e in sorted(drawn, key=_followed_first)])
    last = max(column_of.values(), default=0)
    first = "Seeds" if arrival_hop(trace.steps) else "Result"
    names = {0: first} | {n: f"Hop {n}" for n in range(1, last + 1)}
    return Picture(
        trace=trace,
        nodes=tuple(_node(trace.passages[name], *places[name]) for name in shown),
        arrows=tuple(_arrow(e, trace.edges[e.edge_id]) for e in drawn),
        bands=bands(column_of, places, names),
        left_out=len(column) - len(shown),
    )


def _shown(
    trace: Trace, column: Mapping[str, int], gold: AbstractSet[str], everything: bool
) -> set[str]:
    """The passages to draw. What is only in the result, as a one-shot method has it, is too."""
    offered = {offer.target for step in _judged(trace) for offer in step.offers}
    visited = set(arrival_hop(trace.steps))
    always = visited | (set(column) - offered) | (gold & column.keys())
    if everything:
        wanted = [name for name in column if name not in always]
    else:
        wanted = [
            name
            for step in _judged(trace)
            for name in [o.target for o in step.offers if o.edge_id not in step.chosen][:REFUSED]
            if name not in always
        ]
    return always | set(list(dict.fromkeys(wanted))[: max(0, CAP - len(always))])


def _judged(trace: Trace) -> list[Judged]:
    return [step for step in trace.steps if isinstance(step, Judged)]


def paint(stage: Picture, now: Frame, gold: AbstractSet[str], whole: Round | None) -> Paint:
    """How step `now` looks; with `whole` all that its round did counts as done now."""
    nodes: dict[str, NodeRole] = {}
    for name, role in now.roles.items():
        nodes[name] = "refused" if role == "offered" else role
    waiting = isinstance(now.step, HopBegan | Judged)
    nodes |= {name: "queued" for name in now.queue if nodes[name] == "visited" and waiting}
    if now.hits or now.pruned:
        kept = {hit.passage_id for hit in now.hits}
        nodes |= dict.fromkeys(gold - kept, "lost")
    edges: dict[str, EdgeRole] = dict.fromkeys(now.refused, "refused")
    edges |= dict.fromkeys(now.walked, "walked")
    if isinstance(now.step, Judged):
        if not whole:
            edges |= {offer.edge_id: "offered" for offer in now.offers}
        edges |= dict.fromkeys(now.chosen, "chosen")
    if whole and now.current:
        # A hop looks at many passages; none of them is the one of now.
        nodes[now.current] = "seed" if now.current in now.seeds else "visited"
    if whole:
        edges |= {offer.edge_id: "chosen" for _, offer in whole.followed}
    drawn = {node.id for node in stage.nodes}
    arrows = {arrow.id for arrow in stage.arrows}
    return Paint(
        nodes={name: role for name, role in nodes.items() if name in drawn},
        edges={name: role for name, role in edges.items() if name in arrows},
        counts={name: count for name, count in now.counter.items() if count > 1},
        gold=gold & drawn,
        edge="unoffered",
    )


def _followed_first(edge: DrawnEdge) -> tuple[bool, int]:
    return edge.chosen is None, edge.chosen or edge.offered


def _direction(edge: DrawnEdge) -> tuple[str, str]:
    """From where it was looked at to where following it leads."""
    return (edge.target, edge.source) if edge.backwards else (edge.source, edge.target)


def _node(passage: Passage, x: float, y: float) -> Node:
    return Node(
        passage.id, passage.title or passage.id, x, y, detail=cropped(passage.text, SNIPPET)
    )


def _arrow(drawn: DrawnEdge, edge: Edge) -> Arrow:
    detail = f"SIM {edge.similarity:.3f} · Jaccard {edge.jaccard:.3f} · cosine {edge.cosine:.3f}"
    return Arrow(drawn.edge_id, drawn.source, drawn.target, drawn.question, detail)
