"""A neighbourhood that a user grows and prunes by hand: some passages opened, some closed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.explore.neighbourhood import (
    NO_LIMIT,
    EdgesOf,
    Facing,
    Neighbourhood,
    neighbourhood,
    within_reach,
)
from core.types import Edge


@dataclass(frozen=True, slots=True)
class View:
    """The part of the graph to show: `hops` around `centre`, and one hop around each of `opened`.

    Nothing is reached through a passage of `closed`. At most `cap` passages are looked at; they are
    drawn one by one if `everything` is, else the strongest of them (`core.explore.focus`). Who is
    opened twice shows more of what it is joined to.
    """

    centre: str
    way: Facing = "both"
    hops: int = 1
    min_similarity: float = NO_LIMIT
    cap: int = 150
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    everything: bool = False

    def expand(self, passage_id: str) -> "View":
        """Return the view with neighbours of a passage, or more of them."""
        closed = tuple(name for name in self.closed if name != passage_id)
        return replace(self, opened=(*self.opened, passage_id), closed=closed)

    def collapse(self, passage_id: str) -> "View":
        """Return the view without what expanding a passage added, or else without what is behind
        it.
        """
        if passage_id in self.opened:
            kept = tuple(name for name in self.opened if name != passage_id)
            return replace(self, opened=kept)
        if passage_id in self.closed or passage_id == self.centre:
            return self
        return replace(self, closed=(*self.closed, passage_id))


def explore(view: View, out_edges: EdgesOf, in_edges: EdgesOf) -> Neighbourhood:
    """Return the passages of `view`, the centre's own first, and every edge between two of them."""
    out_edges, in_edges = _read_once(out_edges), _read_once(in_edges)
    leaving, arriving = _edges_except(view.closed, out_edges), _edges_except(view.closed, in_edges)

    def around(start: str, hops: int) -> tuple[str, ...]:
        return within_reach(leaving, arriving, [start], hops, view.min_similarity, view.way)

    met = dict.fromkeys(around(view.centre, view.hops))
    for passage_id in dict.fromkeys(view.opened):
        if passage_id in met:
            met |= dict.fromkeys(around(passage_id, 1))
    nodes = tuple(met)[: view.cap]
    between = neighbourhood(
        out_edges, in_edges, nodes, 0, len(nodes), view.min_similarity, view.way
    )
    return Neighbourhood(nodes, between.edges, len(met))


def hidden_neighbours(
    view: View, shown: Collection[str], passage_id: str, out_edges: EdgesOf, in_edges: EdgesOf
) -> int:
    """Return how many neighbours of a passage the view lets through but does not show."""
    near = within_reach(out_edges, in_edges, [passage_id], 1, view.min_similarity, view.way)
    return len(set(near) - set(shown))


def sibling_rank(edge: Edge, siblings: Sequence[Edge]) -> int:
    """Return the place of `edge` among `siblings` by similarity, from 1; it is one of them."""
    ordered = sorted(siblings, key=lambda other: (-other.similarity, other.id))
    return [other.id for other in ordered].index(edge.id) + 1


def _read_once(edges_of: EdgesOf) -> EdgesOf:
    """Wrap a function that reads edges, so that it reads those of each passage once."""
    held: dict[str, Sequence[Edge]] = {}

    def read(passages: Sequence[str]) -> list[Sequence[Edge]]:
        new = [name for name in dict.fromkeys(passages) if name not in held]
        held.update(zip(new, edges_of(new), strict=True))
        return [held[name] for name in passages]

    return read


def _edges_except(closed: Collection[str], edges_of: EdgesOf) -> EdgesOf:
    """Return `edges_of` without the edges of `closed` passages."""

    def read(passages: Sequence[str]) -> list[Sequence[Edge]]:
        open_ = [name for name in passages if name not in closed]
        edges = dict(zip(open_, edges_of(open_), strict=True))
        return [edges.get(name, ()) for name in passages]

    return read
