"""Where one may begin to look around."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.store.edges import Columns


@dataclass(frozen=True, slots=True)
class Start:
    """A passage, and how many edges leave it and come to it."""

    passage_id: str
    leaving: int
    arriving: int


def well_connected(columns: Columns, number: Mapping[str, int], most: int) -> list[Start]:
    """The passages with most edges, at most `most`, the ones with more first."""
    found = _counted(columns, number)
    kept = [start for start in found.values() if start.leaving + start.arriving]
    return sorted(kept, key=lambda s: (-(s.leaving + s.arriving), s.passage_id))[:most]


def starts_at(columns: Columns, number: Mapping[str, int], wanted: Sequence[str]) -> list[Start]:
    """Those of `wanted` that there are, in their order."""
    found = _counted(columns, number)
    return [found[name] for name in wanted if name in found]


def _counted(columns: Columns, number: Mapping[str, int]) -> dict[str, Start]:
    leaving = np.bincount(columns.source, minlength=len(number)).tolist()
    arriving = np.bincount(columns.target, minlength=len(number)).tolist()
    return {name: Start(name, leaving[i], arriving[i]) for name, i in number.items()}
