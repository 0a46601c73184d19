"""Parts of a map: a tree of regions, and a place for each passage."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

LARGEST = 60
"""Passages of a region that is not divided further, in a corpus whose passages are drawn."""
_LEAVES = 1_000  # regions not divided further, at least, of a corpus whose regions alone are drawn
MOST_PASSAGES = 20_000
"""Passages up to which a map draws each of them; beyond, regions only."""
ROOT = -1
"""The parent of the whole corpus, which is region 0."""


def largest(passages: int) -> int:
    """Return the maximum number of passages in a region without subregions.

    >>> largest(10_001), largest(1_000_000)
    (60, 1000)
    """
    return LARGEST if passages <= MOST_PASSAGES else max(LARGEST, passages // _LEAVES)


@dataclass(slots=True)
class Region:
    """A community of passages.

    Parameters
    ----------
    parent : its number in the tree; `ROOT` of the whole corpus.
    members : vertex numbers, ascending; empty where a map is read without them.
    terms : what sets it apart from its siblings, most distinctive first.
    x, y, radius : its disc, in the units of the map.
    size : how many passages it has.
    """

    parent: int
    depth: int
    members: Sequence[int] = ()
    children: list[int] = field(default_factory=list)
    terms: tuple[str, ...] = ()
    x: float = 0.0
    y: float = 0.0
    radius: float = 0.0
    size: int = 0

    @property
    def name(self) -> str:
        """The display name of the region."""
        return " · ".join(self.terms)


@dataclass(frozen=True, eq=False)
class CorpusMap:
    """The map of one version of a graph.

    Parameters
    ----------
    regions : parents before children; region 0 is the whole corpus.
    x, y : (n,) places of the passages, in order of vertex numbers.
    leaf : (n,) the region without children that each passage is in.
    late : (n,) whether a passage was placed on a map that was there before it.
    """

    regions: Sequence[Region]
    x: Floats
    y: Floats
    leaf: Ints
    late: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def top(self) -> Ints:
        """(regions,) the region of depth 1 that each is in; 0 of the whole corpus."""
        tops = np.zeros(len(self.regions), np.int32)
        for number, region in enumerate(self.regions):
            if region.depth:
                tops[number] = number if region.depth == 1 else tops[region.parent]
        return tops

    def path(self, region: int) -> list[int]:
        """Return the regions from the one of depth 1 down to `region`."""
        regions = []
        while region > 0:
            regions.append(region)
            region = self.regions[region].parent
        return regions[::-1]

    @cached_property
    def _members(self) -> list[NDArray[np.int64]]:
        """Vertex numbers of the passages of each region, ascending."""
        order = np.argsort(self.leaf, kind="stable")
        starts = np.searchsorted(self.leaf[order], np.arange(len(self.regions) + 1))
        members = [order[first:last] for first, last in pairwise(starts)]
        for number in reversed(range(len(self.regions))):
            if children := self.regions[number].children:
                members[number] = np.sort(np.concatenate([members[child] for child in children]))
        return members

    def inside(self, region: int) -> NDArray[np.int64]:
        """Return the vertex numbers of the passages of `region`, ascending."""
        return self._members[region]
