"""How long a search over everything takes, after a first one.

    python tests/benchmarks/screen/site_search.py [--passages 10001]

Prints the median and the slowest of 40 searches over an index of that many made-up passages.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.models.embedder import Embedder
from core.site_search import IndexTexts, method_entries, search
from core.store.index import Index
from core.visitors.roles import ANYBODY
from tests.benchmarks.scale.synthetic import INFO, World, write

LIMIT = 100  # ms
SEARCHES = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=10_001)
    wanted = parser.parse_args().passages
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "index"
        write(World(wanted), folder)
        bench = Workbench(Index.open(folder), cast(Embedder, SimpleNamespace(info=INFO)))
        _print(_times(IndexTexts(bench), World(wanted), wanted), wanted)


def _times(texts: IndexTexts, world: World, passages: int) -> list[float]:
    """Return milliseconds of searches for whole, cut and misspelt names."""
    entries: Any = method_entries()
    search("warm up", entries, ANYBODY, texts)
    times = []
    for number in range(SEARCHES):
        name = world.name(number * passages // SEARCHES)
        typed = (name, name[:4], name[1:] + "x", f"{name.split()[0]} qx")[number % 4]
        begun = time.perf_counter()
        search(typed, entries, ANYBODY, texts)
        times.append(1000 * (time.perf_counter() - begun))
    return times


def _print(times: list[float], passages: int) -> None:
    print(f"{passages:,} passages, {len(times)} searches: limit {LIMIT} ms")
    print(f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms")


if __name__ == "__main__":
    main()
