"""How long each part of the map of a large corpus takes, with what memory, and what is sent.

    nice python tests/benchmarks/scale/large_map.py [PASSAGES]

The graph is that of `World`, about six edges a passage, in memory: without the hours that writing
an index of a million passages takes. All that is timed are the map's own functions. Half of the
edges are anywhere, so that no division has a modularity above 0.5.
"""

import json
import sys
import time
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.maps import map_data as data_module
from core.maps import stored
from core.maps.joining import grouped
from core.maps.map_data import map_data
from core.maps.pyvis_network import network_data
from core.maps.regions import CorpusMap
from core.maps.ties import ties
from core.progress import Progress
from tests.benchmarks.scale.corpus_map import peak
from tests.benchmarks.scale.synthetic import _BLOCK, World

PASSAGES = 1_000_000


@dataclass(frozen=True)
class Passages:
    """The titles and texts of a world, a block at a time."""

    world: World

    def take(self, numbers: list[int]) -> list[Any]:
        """Return the passages of these numbers, ascending."""
        found = []
        for block in sorted({number // _BLOCK for number in numbers}):
            rows = self.world.passage_rows(block).select(["title", "text"]).to_pylist()
            own = (number % _BLOCK for number in numbers if number // _BLOCK == block)
            found += [SimpleNamespace(**rows[number]) for number in own]
        return found


@dataclass(frozen=True)
class InMemory:
    """What the map reads of an index."""

    world: World

    @property
    def ids(self) -> range:
        return range(self.world.passages)

    @property
    def names(self) -> list[str]:
        return [self.world.name(number) for number in self.ids]

    @property
    def passages(self) -> Passages:
        return Passages(self.world)

    @cached_property
    def vectors(self) -> Any:
        return np.concatenate([self.world.vectors(block) for block in self.world.blocks()])

    @cached_property
    def graph(self) -> Any:
        ends = []
        for block in self.world.blocks():
            targets = self.world.targets(block)
            row, which = np.nonzero(targets >= 0)
            ends.append(np.stack((self.world.block(block)[row], targets[row, which])))
        source, target = np.concatenate(ends, 1)
        return SimpleNamespace(adjacency=SimpleNamespace(source=source, target=target))


class Laps:
    """Prints what each part took."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def lap(self, what: str) -> None:
        now = time.perf_counter(), time.process_time()
        took, worked = (one - other for one, other in zip(now, self._begun, strict=True))
        self._begun = now
        told = f"{what}: {took:.1f} s, {worked:.1f} s of CPU, peak {peak():,} MB\n"
        sys.stdout.write(told)
        sys.stdout.flush()

    def timed(self, owner: Any, name: str) -> Any:
        """The function of that name of a module or class, timed."""
        function = getattr(owner, name)

        def called(*given: Any) -> Any:
            made = function(*given)
            self.lap(name)
            return made

        return patch.object(owner, name, called)


def unheard(_: Progress) -> None:
    """A report that nobody reads."""


def modularity(tied: Any, made: CorpusMap, depth: int) -> float:
    """Modularity of the division into the regions of a depth, and those above without children."""
    home = np.arange(len(made.regions))
    for number, region in enumerate(made.regions):
        if region.depth > depth:
            home[number] = home[region.parent]
    sums = grouped(tied, home[made.leaf]) / tied.sum()
    return float(sums.diagonal().sum() - (np.asarray(sums.sum(axis=1)) ** 2).sum())


def main() -> None:
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else PASSAGES
    index: Any = InMemory(World(passages))
    laps = Laps()
    edges = len(index.graph.adjacency.source)
    _ = index.vectors
    laps.lap(f"{passages:,} passages and {edges:,} edges generated")
    similar = (1 + np.random.default_rng(0).random(edges)) / 2
    parts = ("ties", "with_weak_ties", "region_tree", "place", "terms_of", "name_regions")
    with (
        patch.object(stored, "similarities", lambda _: similar),
        patch.object(data_module, "similarities", lambda _: similar),
        patch.object(stored, "_earlier", lambda _: None),
    ):
        timed = [laps.timed(stored, name) for name in parts] + [laps.timed(Passages, "take")]
        for one in timed:
            one.start()
        made = stored.make_map(index, unheard)
        data = map_data(index, made)
    laps.lap("data for the browser")
    network_data(data)
    laps.lap("first picture")
    tied = ties(index.graph.adjacency, similar, passages)
    for depth in range(1, 1 + max(region.depth for region in made.regions)):
        sys.stdout.write(f"modularity at depth {depth}: {modularity(tied, made, depth):.3f}\n")
    text = json.dumps(data, separators=(",", ":")).encode()
    sys.stdout.write(
        f"{len(made.regions):,} regions, {len(data['regions']['x']):,} of them sent with "
        f"{len(data['edges']['source']):,} connections: {len(text) / 1e6:.2f} MB, "
        f"{len(zlib.compress(text)) / 1e6:.2f} MB compressed\n"
    )


if __name__ == "__main__":
    main()
