"""Where one may begin to look around."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.store.adjacency import Adjacency


@dataclass(frozen=True, slots=True)
class Start:
    """A passage, and how many edges leave it and come to it."""

    passage_id: str
    leaving: int
    arriving: int


def well_connected(joined: Adjacency, number: Mapping[str, int], most: int) -> list[Start]:
    """The passages with most edges, at most `most`, the ones with more first."""
    found = _counted(joined, number)
    kept = [start for start in found.values() if start.leaving + start.arriving]
    return sorted(kept, key=lambda s: (-(s.leaving + s.arriving), s.passage_id))[:most]


def starts_at(joined: Adjacency, number: Mapping[str, int], wanted: Sequence[str]) -> list[Start]:
    """Those of `wanted` that there are, in their order."""
    found = _counted(joined, number)
    return [found[name] for name in wanted if name in found]


def _counted(joined: Adjacency, number: Mapping[str, int]) -> dict[str, Start]:
    leaving, arriving = (counts.tolist() for counts in joined.degrees())
    return {name: Start(name, leaving[i], arriving[i]) for name, i in number.items()}
