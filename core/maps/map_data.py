"""A map as the browser draws it: JSON values, all places in whole units."""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NotRequired

import numpy as np
from typing_extensions import TypedDict

from core.maps.positions import dot_radius
from core.maps.regions import MOST_PASSAGES, CorpusMap, Region
from core.maps.stored import similarities
from core.store.index import Index

MOST_REGIONS = 3_000
"""Regions that are drawn of a corpus too large for its passages."""
_TIES_EACH = 12  # connections of such a region, at most
_TITLE = 90  # characters


class RegionsData(TypedDict):
    """Columns, a row for each region; `parent` is the row of its parent, -1 of the whole corpus.

    `number` is the region's number in the map, of which only a part may be drawn.
    """

    number: list[int]
    parent: list[int]
    name: list[str]
    x: list[int]
    y: list[int]
    radius: list[int]
    size: list[int]


class UnitsData(TypedDict):
    """The passages of the map in columns, with titles and numbers of neighbours.

    Of a corpus too large for that it is each smallest region itself, without those two.
    """

    x: list[int]
    y: list[int]
    radius: list[int]
    region: list[int]
    title: NotRequired[list[str]]
    degree: NotRequired[list[int]]
    text: NotRequired[list[str]]


class EdgesData(TypedDict):
    """Edges between units, `similarity` in hundredths; with `count` several edges are one row."""

    source: list[int]
    target: list[int]
    similarity: list[int]
    count: NotRequired[list[int]]


class MapData(TypedDict):
    """All data of a map of a corpus with so many `passages`."""

    passages: int
    regions: RegionsData
    units: UnitsData
    edges: EdgesData


def map_data(index: Index, made: CorpusMap) -> MapData:
    """Return the drawing data of the map of `index`."""
    if len(made) > MOST_PASSAGES:
        return _map_of_regions(index, made)
    adjacency = index.graph.adjacency
    ends = np.stack((np.asarray(adjacency.source), np.asarray(adjacency.target)))
    degree = _neighbours(ends, len(made))
    return MapData(
        passages=len(made),
        regions=_regions(made.regions, range(len(made.regions))),
        units=UnitsData(
            x=_rounded(made.x),
            y=_rounded(made.y),
            radius=_rounded(dot_radius(degree)),
            region=made.leaf.tolist(),
            title=[_title(name) for name in index.names],
            degree=degree.tolist(),
        ),
        edges=EdgesData(
            source=ends[0].tolist(),
            target=ends[1].tolist(),
            similarity=_rounded(100 * similarities(index)),
        ),
    )


def _neighbours(ends: np.ndarray, passages: int) -> np.ndarray:
    """(n,) passages that each has an edge with, in either direction."""
    low, high = ends.min(0).astype(np.int64), ends.max(0).astype(np.int64)
    pairs = np.unique(low[low != high] * passages + high[low != high])
    return np.bincount(np.concatenate((pairs // passages, pairs % passages)), minlength=passages)


def _map_of_regions(index: Index, made: CorpusMap) -> MapData:
    """Build a map of regions instead of passages, for a corpus too large to draw each passage.

    Its units are the regions without children, and edges between the same two are merged.
    """
    regions, drawn, number = _largest(made.regions, MOST_REGIONS)
    leaves = np.array([n for n, region in enumerate(regions) if not region.children])
    unit = np.full(len(regions), -1)
    unit[leaves] = np.arange(len(leaves))
    home = unit[number[made.leaf]].astype(np.int32)
    low, high, count, total = _connections(
        home[index.graph.adjacency.source],
        home[index.graph.adjacency.target],
        similarities(index),
        len(leaves),
    )
    kept = _strongest(low, high, count)
    shown = [regions[n] for n in leaves.tolist()]
    return MapData(
        passages=len(made),
        regions=_regions(regions, drawn),
        units=UnitsData(
            x=_rounded([region.x for region in shown]),
            y=_rounded([region.y for region in shown]),
            radius=_rounded([region.radius * 0.62 for region in shown]),
            region=leaves.tolist(),
        ),
        edges=EdgesData(
            source=low[kept].tolist(),
            target=high[kept].tolist(),
            similarity=_rounded(100 * total[kept] / count[kept]),
            count=count[kept].tolist(),
        ),
    )


def _largest(regions: Sequence[Region], most: int) -> tuple[list[Region], list[int], np.ndarray]:
    """Choose about `most` regions, the largest opened first.

    Returns
    -------
    The regions, their numbers, and for each of all regions the row of the one that it is in.
    """
    wanted, waiting = {0}, [(-regions[0].size, 0)]
    while waiting and len(wanted) < most:
        children = regions[heappop(waiting)[1]].children
        wanted |= set(children)
        for child in children:
            heappush(waiting, (-regions[child].size, child))
    number = np.zeros(len(regions), np.int32)
    kept: list[Region] = []
    for place, region in enumerate(regions):
        if place not in wanted:
            number[place] = number[region.parent]
            continue
        number[place] = len(kept)
        parent = int(number[region.parent]) if region.parent >= 0 else -1
        if parent >= 0:
            kept[parent].children.append(len(kept))
        kept.append(
            Region(
                parent,
                region.depth,
                terms=region.terms,
                x=region.x,
                y=region.y,
                radius=region.radius,
                size=region.size,
            )
        )
    return kept, sorted(wanted), number


def _connections(
    source: np.ndarray, target: np.ndarray, similarity: np.ndarray, units: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of different units that edges join, with their number and sum of
    similarities.

    Sums over a dense matrix take less time than sorting all edges by pair.
    """
    low, high = np.minimum(source, target), np.maximum(source, target)
    pair = np.multiply(low, units, dtype=np.int64) + high
    count, total = np.bincount(pair, minlength=units**2), np.bincount(pair, similarity, units**2)
    count[:: units + 1] = 0  # edges inside a unit
    pairs = np.flatnonzero(count)
    return pairs // units, pairs % units, count[pairs], total[pairs]


def _strongest(low: np.ndarray, high: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Places of the connections that are among the strongest of either end, ascending."""
    order = np.argsort(-count, kind="stable")
    ends = np.stack((low[order], high[order]), 1)
    # NumPy sorts small integers in linear time.
    by_end = np.argsort(ends.ravel().astype(np.min_scalar_type(ends.max(initial=0))), kind="stable")
    edges_of = np.bincount(ends.ravel())
    rank = np.empty(ends.size, np.int64)
    rank[by_end] = np.arange(ends.size) - np.repeat(np.cumsum(edges_of) - edges_of, edges_of)
    kept: np.ndarray = np.sort(order[(rank.reshape(-1, 2) < _TIES_EACH).any(1)])
    return kept


def _regions(regions: Sequence[Region], numbers: Iterable[int]) -> RegionsData:
    """Return the regions as columns; `numbers` are their numbers in the full map."""
    return RegionsData(
        number=list(numbers),
        parent=[region.parent for region in regions],
        name=[region.name for region in regions],
        x=_rounded([region.x for region in regions]),
        y=_rounded([region.y for region in regions]),
        radius=_rounded([region.radius for region in regions]),
        size=[region.size for region in regions],
    )


def _rounded(values: Sequence[float] | np.ndarray) -> list[int]:
    rounded: list[int] = np.rint(np.asarray(values, float)).astype(int).tolist()
    return rounded


def _title(name: str) -> str:
    title = name or "Untitled"
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
