"""Which roles and kinds the drawing of a trace can have at any of its steps."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from core.playback import DrawnLine
from core.steps import Asked, Began, Kind, Offered, Pooled, Ranked, Spread, Step
from pages.components.graph.graph_view import EdgeRole, Legend, NodeRole, legend_of


def legend_for(
    steps: Sequence[Step],
    lines: Iterable[DrawnLine],
    kinds: Iterable[Kind],
    gold: AbstractSet[str],
) -> Legend:
    """The same at each step, so that the graph is not mounted anew."""
    nodes = {role for step in steps for role in _node_roles(step)}
    if gold:
        nodes |= {"gold", "lost"}
    edges = {role for line in lines for role in _edge_roles(line)}
    return legend_of(nodes, edges, kinds)


def _node_roles(step: Step) -> Iterator[NodeRole | Literal["gold"]]:
    match step:
        case Asked():
            yield "plain"
        case Began() if step.waiting:
            yield from ("queued", "visited")
        case Offered() if step.entry:
            yield "seed"
        case Offered():
            if step.offers and not step.at.startswith("#"):
                yield "current"
            if step.taken:
                yield "visited"
            if len(step.taken) < len(step.offers):
                yield "refused"
        case Spread() | Pooled():
            yield "visited"
        case Ranked():
            yield "retrieved"
            if step.pruned:
                yield "pruned"


def _edge_roles(line: DrawnLine) -> Iterator[EdgeRole]:
    if line.taken:
        yield from ("chosen", "walked")
    if line.of_graph:
        yield from ("offered", "unoffered")
        if not line.taken:
            yield "refused"
    elif not line.taken:
        yield "plain"
