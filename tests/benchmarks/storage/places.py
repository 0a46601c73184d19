"""What it costs that an index lies in object storage: opening it, and asking it.

    python tests/benchmarks/storage/places.py INDEX [--count N] [--rounds N] [--markdown]

INDEX is a folder. A copy of it is taken to an S3 server of our own on loopback (moto, in a process
of its own: real HTTP, and slower with large objects than a real one is). Each round opens folder
and copy in turn, each in a fresh process with an empty cache, and asks the questions of the index
by `hoprag-coverage`; the seconds are medians of the rounds. Loading the embedder is not counted.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.cli.common import quiet
from core.models.embedder import load_embedder
from core.places import Remote, place_of
from core.retrievers import make
from core.retrievers.hoprag.walks import HopRagCoverage
from core.store.index import Index
from core.store.tables import read_meta
from tests.benchmarks.printing import grid, machine, show
from tests.storage import serving, taken_to

RETRIEVER = "hoprag-coverage"
MEASURED = ("opened", "first question", "median question")


def measure(place: str, count: int) -> dict[str, float]:
    """Seconds of each of `MEASURED`; to be called in a process of its own."""
    quiet()
    embedder = load_embedder(read_meta(place_of(place)).embedder.name)
    embedder.encode(["To be warm."])
    began = time.perf_counter()
    index = Index.open(place, embedder.info)
    workbench = Workbench(index, embedder)
    workbench.warm(HopRagCoverage.card.needs)
    opened = time.perf_counter() - began
    taken = []
    for query in index.questions[: count + 1]:
        began = time.perf_counter()
        for _ in make(RETRIEVER, workbench).retrieve(query.text):
            pass
        taken.append(time.perf_counter() - began)
    return dict(zip(MEASURED, (opened, taken[0], statistics.median(taken[1:])), strict=True))


def apart(place: str, count: int, environment: dict[str, str]) -> dict[str, float]:
    """The same in a process of its own, which knows of no earlier one."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, __file__, place, "--count", str(count), "--alone"],
            env={**os.environ, **environment, "HOPRAG_HOME": home},
            check=True,
            capture_output=True,
            text=True,
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--alone", action="store_true", help="measure INDEX in this process")
    given = parser.parse_args()
    if given.alone:
        print(json.dumps(measure(given.index, given.count)))
        return
    folder = Path(given.index)
    with serving() as environment:
        os.environ.update(environment)
        there = place_of("s3://bucket/indexes/copied")
        assert isinstance(there, Remote)
        taken_to(there, folder)
        names = {"folder": str(folder), "s3": str(there)}
        rounds = [
            {name: apart(place, given.count, environment) for name, place in names.items()}
            for _ in range(given.rounds)
        ]
    seconds = {
        name: [statistics.median(each[name][what] for each in rounds) for what in MEASURED]
        for name in names
    }
    rows = [
        [what, f"{here:.3f}", f"{away:.3f}", f"{away / here:.2f}"]
        for what, here, away in zip(MEASURED, seconds["folder"], seconds["s3"], strict=True)
    ]
    meta = read_meta(folder)
    about = f"{meta.counts.vertices:,} passages, medians of {given.rounds} rounds, {RETRIEVER}"
    table = grid("Seconds", ["", "folder", "s3 on loopback", "times"], rows)
    show(f"{machine(meta.embedder.precision)}. {about}", [table], markdown=given.markdown)


if __name__ == "__main__":
    main()
