"""Select the passages of a neighbourhood to draw; the others are only counted.

The strength of a passage is the product of the edge similarities on the best path to it from the
centre. The strongest passages are drawn. Each other passage is counted at its nearest drawn
ancestor.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.explore.neighbourhood import Facing, Neighbourhood
from core.explore.view import View
from core.types import Edge

BESIDE = 18
"""Neighbours of the centre drawn on each side: as many as fit in one column with their names.
Passages that are always drawn or that the user opened are added to them."""
FARTHER = 9
"""More distant passages drawn on each side."""
CHILDREN = 3
"""More distant passages drawn behind the same passage."""
BATCH = 12
"""Neighbours added each time a passage is opened."""


@dataclass(frozen=True, slots=True)
class Focus:
    """The part of a neighbourhood that is drawn.

    Parameters
    ----------
    drawn : the centre first, then by distance in hops, the strongest first.
    parents : the previous passage on the best path from the centre; none for the centre.
    ways : the edge from the previous passage.
    distance : in hops.
    sides : 1 for passages reached along edges, -1 for those reached against them, 0 for the centre.
    strengths : in [0, 1], of all passages of the neighbourhood.
    hidden : by drawn passage, those behind it that are not drawn, the strongest first.
    """

    drawn: tuple[str, ...]
    parents: Mapping[str, str]
    ways: Mapping[str, Edge]
    distance: Mapping[str, int]
    sides: Mapping[str, int]
    strengths: Mapping[str, float]
    hidden: Mapping[str, tuple[str, ...]]


def select_focus(view: View, found: Neighbourhood, wanted: Collection[str] = ()) -> Focus:
    """Select the passages of `found` to draw; group the others by their nearest drawn ancestor.

    Parameters
    ----------
    found : the passages and edges of `view`.
    wanted : passages that are always drawn, with the path to them from the centre.
    """
    tree = _grow_tree(view, found)
    drawn = set(found.nodes) if view.everything else _passages_to_draw(view, found, tree, wanted)
    behind: defaultdict[str, list[str]] = defaultdict(list)
    for name in tree.ranked():
        if name not in drawn:
            behind[next(above for above in tree.above(name) if above in drawn)].append(name)
    return Focus(
        drawn=tuple(name for name in tree.ranked() if name in drawn),
        parents={name: tree.parents[name] for name in tree.parents if name in drawn},
        ways={name: tree.ways[name] for name in tree.ways if name in drawn},
        distance=tree.distance,
        sides=tree.sides,
        strengths=tree.strengths,
        hidden={name: tuple(members) for name, members in behind.items()},
    )


@dataclass(frozen=True, slots=True)
class _Tree:
    """The best path to each passage, stored as its parent and last edge."""

    parents: dict[str, str]
    ways: dict[str, Edge]
    distance: dict[str, int]
    sides: dict[str, int]
    strengths: dict[str, float]

    def ranked(self) -> list[str]:
        """Return all passages by distance, the strongest first."""
        return sorted(self.distance, key=lambda n: (self.distance[n], -self.strengths[n], n))

    def strongest(self, names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: (-self.strengths[name], name))

    def above(self, name: str) -> Iterator[str]:
        """Yield the ancestors of a passage, from its parent to the centre."""
        while name in self.parents:
            name = self.parents[name]
            yield name


def _grow_tree(view: View, found: Neighbourhood) -> _Tree:
    """Return the tree of shortest paths from the centre to the passages found."""
    tree = _Tree({}, {}, {view.centre: 0}, {view.centre: 0}, {view.centre: 1.0})
    _grow(tree, _reachable_neighbours(found.edges, view.way), set(view.closed))
    # A passage added by hand may be connected only by an edge that the view does not follow.
    _grow(tree, _reachable_neighbours(found.edges, "both"), set())
    return tree


def _grow(tree: _Tree, joined: Mapping[str, Sequence[tuple[str, Edge]]], closed: set[str]) -> None:
    """Add the passages that can be reached from `tree`, breadth first."""
    depth = 0
    while layer := [name for name, hops in tree.distance.items() if hops == depth]:
        depth += 1
        best: dict[str, tuple[float, str, Edge]] = {}
        for here in layer:
            for other, edge in joined.get(here, ()) if here not in closed else ():
                offered = (tree.strengths[here] * max(edge.similarity, 0.0), here, edge)
                if other not in tree.distance and (
                    other not in best or _key(offered) < _key(best[other])
                ):
                    best[other] = offered
        for name, (strength, parent, edge) in best.items():
            tree.parents[name], tree.ways[name] = parent, edge
            tree.distance[name], tree.strengths[name] = depth, strength
            tree.sides[name] = tree.sides[parent] or (1 if edge.source == parent else -1)


def _key(offered: tuple[float, str, Edge]) -> tuple[float, str, str]:
    strength, parent, edge = offered
    return (-strength, parent, edge.id)


def _reachable_neighbours(
    edges: Iterable[Edge], way: Facing
) -> defaultdict[str, list[tuple[str, Edge]]]:
    """Return, for each passage, its reachable neighbours and the connecting edge."""
    joined: defaultdict[str, list[tuple[str, Edge]]] = defaultdict(list)
    for edge in edges:
        if way != "in":
            joined[edge.source].append((edge.target, edge))
        if way != "out":
            joined[edge.target].append((edge.source, edge))
    return joined


def _passages_to_draw(
    view: View, found: Neighbourhood, tree: _Tree, wanted: Collection[str]
) -> set[str]:
    """Return the passages to draw: the nearest and strongest, those opened, and those `wanted`."""
    near = tree.strongest(name for name, depth in tree.distance.items() if depth == 1)
    drawn = {view.centre, *_near(near, tree)}
    brought: Counter[str] = Counter()
    farther: Counter[int] = Counter()
    for name in tree.strongest(tree.parents):
        parent = tree.parents[name]
        if parent == view.centre or parent not in drawn or farther[tree.sides[name]] == FARTHER:
            continue
        if brought[parent] < CHILDREN:
            brought[parent] += 1
            farther[tree.sides[name]] += 1
            drawn.add(name)
    joined = _reachable_neighbours(found.edges, view.way)
    for name, times in Counter(view.opened).items():
        if name in tree.distance:
            fresh = {other for other, _ in joined[name] if other in tree.distance} - drawn
            wanted = (*wanted, name, *tree.strongest(fresh)[: BATCH * times])
    for name in wanted:
        if name in tree.distance:
            drawn |= {name, *tree.above(name)}
    return drawn


def _near(near: Sequence[str], tree: _Tree) -> list[str]:
    """Return the strongest neighbours of the centre on each side."""
    return [
        name
        for side in (-1, 1)
        for name in [name for name in near if tree.sides[name] == side][:BESIDE]
    ]
