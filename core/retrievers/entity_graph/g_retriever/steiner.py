"""Prize-collecting Steiner trees where few nodes have a prize and all edges cost the same.

Goemans and Williamson's scheme is for any number of prizes. With a dozen, each set of them can be
tried: the spanning tree of its shortest ways costs at most twice the best tree for it (Kou,
Markowsky and Berman, 1981), so that what is left out and paid is at most twice the least there is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.entity_graph.graph import Numbers
from core.ranking import Scores

FAR = -1
Steps = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Way:
    """From a place in the list of prized nodes to the one that it is attached to, and the nodes
    in between and at both ends; -1 and nothing for the first one."""

    place: int
    to: int
    nodes: tuple[int, ...]


def steps_between(links: sparse.csr_matrix, prized: Sequence[int], most: int) -> Steps:
    """Count the edges of a shortest path to each node, (nodes, prized); `FAR` beyond `most`.

    The search ends once all of `prized` are connected.
    """
    steps: Steps = np.full((links.shape[0], len(prized)), FAR, np.int16)
    places = np.arange(len(prized))
    steps[list(prized), places] = 0
    front = (steps == 0).astype(np.float32)
    for step in range(1, most + 1):
        fresh = ((links @ front) > 0) & (steps == FAR)
        if not fresh.any() or (steps[list(prized)] != FAR).all():
            break
        steps[fresh] = step
        front = fresh.astype(np.float32)
    return steps


def best_tree(prizes: Sequence[float], steps: Steps, cost: float) -> list[tuple[int, int]]:
    """Return the prized nodes worth joining as (place, place it is attached to), in order.

    Parameters
    ----------
    steps : (prized, prized) edges between each two, `FAR` where there is no way.
    cost : of an edge.
    """
    ways = np.where(steps == FAR, np.inf, steps * cost)
    best: list[tuple[int, int]] = []
    most = -np.inf
    for count in range(1, len(prizes) + 1):
        for places in combinations(range(len(prizes)), count):
            tree, paid = _spanned(places, prizes, ways)
            worth = sum(prizes[place] for place in places) - paid
            if worth > most + 1e-9:
                best, most = tree, worth
    return best


def _spanned(
    places: Sequence[int], prizes: Sequence[float], ways: Scores
) -> tuple[list[tuple[int, int]], float]:
    """Return Prim's tree from the place with the highest prize, and its cost."""
    start = max(places, key=lambda place: (prizes[place], -place))
    tree, paid = [(start, FAR)], 0.0
    near = {place: (ways[place][start], start) for place in places if place != start}
    while near:
        place = min(near, key=lambda p: (near[p][0], p))
        dear, to = near.pop(place)
        paid += dear
        if paid == np.inf:
            break
        tree.append((place, to))
        for other, (now, _) in near.items():
            if ways[other][place] < now:
                near[other] = (ways[other][place], place)
    return tree, paid


def way(links: sparse.csr_matrix, start: int, steps: Steps, liked: Scores) -> tuple[int, ...]:
    """Return the nodes of a shortest path from `start` to where `steps` is 0, inclusive.

    Parameters
    ----------
    steps : (nodes,) edges to the end of it.
    liked : (nodes,) of several nodes that are equally near, the one with the most is taken.
    """
    nodes = [start]
    while steps[nodes[-1]] > 0:
        near: Numbers = links[nodes[-1]].indices
        near = np.sort(near[steps[near] == steps[nodes[-1]] - 1])
        nodes.append(int(near[liked[near].argmax()]))
    return tuple(nodes)
