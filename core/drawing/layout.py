"""Places of passages on a canvas, the same for the same input: x to the right, y downwards.

A unit is a CSS pixel at zoom 1. A step of the player never changes a place.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Place = tuple[float, float]
Link = tuple[str, str]

CANVAS = (960.0, 460.0)
"""What a layered graph should fill, in pixels: about 16:9 less the legend."""
ROW = 26.0
SUBCOLUMN = 130.0
GAP = 64.0
"""Between two columns, beyond the distance of two sub-columns."""
MARGIN = 70.0

SPRING = 52.0
"""Rest length of an edge; with many vertices pushing, edges come out longer."""
APART = 42.0
STRETCH = 1.3
"""A neighbourhood is laid out round and then widened to the shape of a screen."""
SPRING_ITERATIONS = 60
LARGE = 300
"""From here on a third of the iterations must do: a layout is waited for."""
PUSH_ITERATIONS = 120


@dataclass(frozen=True, slots=True)
class Band:
    """A column of a layered graph: its heading and where it starts and ends on the x axis."""

    label: str
    left: float
    right: float


def layered(columns: Mapping[str, int], links: Iterable[Link] = ()) -> dict[str, Place]:
    """Places in columns from left to right, a column a hop.

    A vertex stands beside its first parent, the source of the first of `links` that comes to it
    from a column to the left (the barycentre heuristic of Sugiyama, Tagawa and Toda 1981 with one
    parent). Long columns are wrapped into sub-columns, so that the whole fills `CANVAS` best.

    Parameters
    ----------
    columns : the column number of each vertex; the order breaks ties. Unused numbers are skipped.
    links : (source, target) of the edges that were followed, in order of time.
    """
    members = _members(columns)
    if not members:
        return {}
    parents = _first_parents(columns, links)
    rows = _best_rows([len(ids) for ids in members])
    height = rows * ROW
    places: dict[str, Place] = {}
    x = 0.0
    for ids in members:
        ids = sorted(ids, key=lambda id_: places[parents[id_]][1] if id_ in parents else 0.0)
        wide = -(-len(ids) // rows)
        tall = -(-len(ids) // wide)
        step = min(height / tall, 2 * ROW)
        top = -(tall - 1) * step / 2 - (step / 4 if wide > 1 else 0.0)
        for i, id_ in enumerate(ids):
            row, sub = divmod(i, wide)
            stagger = step / 2 if sub % 2 else 0.0
            places[id_] = (x + sub * SUBCOLUMN, top + row * step + stagger)
        x += wide * SUBCOLUMN + GAP
    return places


def bands(
    columns: Mapping[str, int], places: Mapping[str, Place], labels: Mapping[int, str]
) -> tuple[Band, ...]:
    """The columns of `layered` side by side without a gap; `labels` names them by number."""
    found = sorted(set(columns.values()))
    extents = []
    for number in found:
        xs = [places[id_][0] for id_, column in columns.items() if column == number]
        extents.append((min(xs), max(xs)))
    if not extents:
        return ()
    # A label stands to the right of its passage, so a column has its room there.
    between = [(a[1] + SUBCOLUMN + b[0]) / 2 for a, b in pairwise(extents)]
    cuts = [extents[0][0] - MARGIN, *between, extents[-1][1] + SUBCOLUMN + MARGIN / 2]
    return tuple(
        Band(labels.get(number, ""), left, right)
        for number, left, right in zip(found, cuts, cuts[1:], strict=False)
    )


def around(
    centres: Sequence[str],
    nodes: Sequence[str],
    links: Iterable[Link],
    previous: Mapping[str, Place] | None = None,
) -> dict[str, Place]:
    """Places of a neighbourhood: centre in the middle, neighbours around it by distance.

    A radial start is relaxed by springs (Fruchterman and Reingold 1991) and pushed apart until no
    two are closer than `APART`. A vertex with a place in `previous` keeps it.

    Parameters
    ----------
    centres : the vertices it grows from, the first in the middle.
    nodes : all vertices, the centres too.
    links : (source, target); those with an end outside `nodes` are left out.
    """
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(
        (source, target)
        for source, target in links
        if source in graph and target in graph and source != target
    )
    fixed = {
        node: np.array([x / STRETCH, y])
        for node, (x, y) in (previous or {}).items()
        if node in graph
    }
    if not fixed and (middle := next((node for node in centres if node in graph), None)):
        fixed = {middle: np.zeros(2)}
    if not fixed:
        return {}
    start = _radial(graph, fixed)
    if len(fixed) < len(graph):
        start = nx.spring_layout(
            graph,
            k=SPRING,
            pos=start,
            fixed=list(fixed),
            iterations=SPRING_ITERATIONS if len(graph) < LARGE else SPRING_ITERATIONS // 3,
            seed=0,
            method="force",
        )
    spread = _push_apart(np.array([start[node] for node in graph]), [n in fixed for n in graph])
    return {
        node: (previous or {}).get(node, (float(x) * STRETCH, float(y)))
        for node, (x, y) in zip(graph, spread, strict=True)
    }


def _members(columns: Mapping[str, int]) -> list[list[str]]:
    numbers = sorted(set(columns.values()))
    return [[id_ for id_, column in columns.items() if column == n] for n in numbers]


def _first_parents(columns: Mapping[str, int], links: Iterable[Link]) -> dict[str, str]:
    parents: dict[str, str] = {}
    for source, target in links:
        if source in columns and target in columns and columns[source] < columns[target]:
            parents.setdefault(target, source)
    return parents


def _best_rows(lengths: Sequence[int]) -> int:
    """How many rows let the drawing be shown largest on `CANVAS`."""

    def zoom(rows: int) -> float:
        wide = sum(-(-length // rows) for length in lengths)
        width = wide * SUBCOLUMN + (len(lengths) - 1) * GAP
        return min(CANVAS[0] / width, CANVAS[1] / (rows * ROW))

    return max(range(1, max(lengths) + 1), key=lambda rows: (zoom(rows), -rows))


def _radial(
    graph: nx.Graph, fixed: Mapping[str, NDArray[np.float64]]
) -> dict[str, NDArray[np.float64]]:
    """Breadth first from what is fixed, each vertex fanned out around the one it was met from."""
    places = dict(fixed)
    heading = dict.fromkeys(fixed, 0.0)
    layer = list(fixed)
    while len(places) < len(graph):
        found: list[str] = []
        for node in layer:
            fresh = [other for other in graph[node] if other not in places]
            whole = np.allclose(places[node], 0)
            reach = 2 * np.pi if whole else np.pi
            outward = 0.0 if whole else float(np.arctan2(places[node][1], places[node][0]))
            for i, other in enumerate(fresh):
                share = i / len(fresh) if whole else (i + 0.5) / len(fresh) - 0.5
                heading[other] = outward + reach * share
                arm = np.array([np.cos(heading[other]), np.sin(heading[other])])
                places[other] = places[node] + 2 * SPRING * arm
            found += fresh
        # What is joined to nothing yet stands below, like a new beginning.
        layer = found or [next(node for node in graph if node not in places)]
        if not found:
            lowest = max(place[1] for place in places.values())
            places[layer[0]] = np.array([0.0, lowest + 4 * SPRING])
    return places


def _push_apart(places: NDArray[np.float64], held: Sequence[bool]) -> NDArray[np.float64]:
    """Move what is not held until no two of the (n, 2) places are closer than `APART`."""
    places = places.copy()
    free = ~np.array(held, dtype=bool)[:, None]
    for _ in range(PUSH_ITERATIONS):
        pairs = cKDTree(places).query_pairs(APART * 0.99, output_type="ndarray")
        if not len(pairs):
            break
        one, two = pairs[np.lexsort(pairs.T)].T
        away = places[one] - places[two]
        distance = np.hypot(*away.T)[:, None]
        # Two in one place part along the diagonal.
        away = np.where(distance > 0, away / np.maximum(distance, 1e-9), np.sqrt(0.5))
        step = (APART - distance) / 2 * away
        push = np.zeros_like(places)
        np.add.at(push, one, step)
        np.add.at(push, two, -step)
        places += free * push
    return places
