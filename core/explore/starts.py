"""Passages at which to start exploring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.store.adjacency import Adjacency


@dataclass(frozen=True, slots=True)
class Start:
    """A passage, and how many edges leave it and come to it."""

    passage_id: str
    leaving: int
    arriving: int


def well_connected(joined: Adjacency, ids: Sequence[str], most: int) -> list[Start]:
    """Return the passages with most edges, at most `most`, the ones with more first.

    Parameters
    ----------
    ids : of all passages, in order of vertex numbers.
    """
    leaving, arriving = joined.degrees()
    degree = leaving + arriving
    least = max(1, int(np.sort(degree)[-min(most, len(degree))]))
    starts = [
        Start(ids[vertex], int(leaving[vertex]), int(arriving[vertex]))
        for vertex in np.flatnonzero(degree >= least).tolist()
    ]
    return sorted(starts, key=lambda s: (-(s.leaving + s.arriving), s.passage_id))[:most]


def starts_at(joined: Adjacency, number: Mapping[str, int], wanted: Sequence[str]) -> list[Start]:
    """Return those of `wanted` that there are, in their order."""
    return [
        Start(name, len(joined.leaving(number[name])), len(joined.arriving(number[name])))
        for name in wanted
        if name in number
    ]
