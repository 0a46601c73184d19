"""Places of passages on a canvas, the same for the same input: x to the right, y downwards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Place = tuple[float, float]
Link = tuple[str, str]

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
