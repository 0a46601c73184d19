"""A build on a local Ray beside the same build in one process.

    python tests/benchmarks/cluster/cluster.py [--passages 20000] [--markdown]

Makes passages that name one another as real ones do, builds them both ways with an embedder that
costs next to nothing, each in a process of its own, and prints what that and all processes below
it computed and held, beside its limit. Linux only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.cluster.entry import stages_on
from core.corpus.files import read_files
from core.indexing.updates import build
from core.progress import Progress
from core.text.tokens import words
from core.types import EmbedderInfo
from core.vectors import Vectors, unit_norm
from tests.benchmarks.printing import grid, machine, show
from tests.benchmarks.retrieval.costs import Stages

DIMENSION = 384
WORDS = 8192  # vectors of words, which share them by their hash
DECAY = 0.985  # of each number of a vector to the next: a few directions hold most of all
NAMED = 8  # other passages that a passage names
EVERY = 1.0  # seconds between two looks at the processes
TICK = os.sysconf("SC_CLK_TCK")
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
VERBS = "was founded by, lies near, belongs to, was named after, plays against".split(", ")


class Cheap:
    """Vectors of a text by the hashes of its words, and a little by its own."""

    def __init__(self) -> None:
        self.info = EmbedderInfo("cheap", "cheap", DIMENSION, "float32")
        scale = DECAY ** np.arange(DIMENSION)
        rng = np.random.default_rng(0)
        self._table = (rng.normal(size=(WORDS, DIMENSION)) * scale).astype(np.float32)

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            places = [_hash(word) % WORDS for word in words(text)]
            own = self._table[_hash(text) % WORDS] / 3
            vectors[row] = self._table[places].sum(axis=0) + own
        if progress:
            progress(len(texts))
        return unit_norm(vectors)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def name_of(number: int) -> str:
    """Two words, another pair for each number."""
    found = []
    for _ in range(2):
        letters = [SYLLABLES[number // 20**i % 20] for i in range(3)]
        found.append("".join(letters).capitalize())
        number = number // 8000 + 37 * (number % 8000)
    return " ".join(found)


def passages(count: int, path: Path) -> None:
    """A file of so many, each of three sentences or four and with about eight names in it."""
    rng = np.random.default_rng(1)
    with path.open("w") as stream:
        for number in range(count):
            others = rng.integers(0, count, NAMED)
            title, rest = name_of(number), [name_of(int(other)) for other in others]
            lines = [
                f"{title} {VERBS[number % 5]} {rest[0]} and {rest[1]} in {1800 + number % 200}."
            ]
            for first, second in zip(rest[2::2], rest[3::2], strict=True):
                lines.append(f"It {VERBS[int(others[0]) % 5]} {first}, as {second} did.")
            row = {"id": f"d{number}", "title": title, "text": " ".join(lines)}
            stream.write(json.dumps(row) + "\n")


@dataclass
class Watched:
    """What a process and all below it have computed, in seconds, and held at most, in GB."""

    process: int
    computed: dict[int, float] = field(default_factory=dict)
    peak: float = 0.0

    def look(self) -> None:
        held = 0
        for number in below(self.process):
            try:
                stat = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
                rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
            except OSError:  # it ended meanwhile
                continue
            self.computed[number] = (int(stat[11]) + int(stat[12])) / TICK
            held += int(rollup.partition("\nPss:")[2].split()[0])
        self.peak = max(self.peak, held / 2**20)

    @property
    def seconds(self) -> float:
        return sum(self.computed.values())


def below(process: int) -> Iterator[int]:
    """`process` and all processes that it began, they began, and so on."""
    parents: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(place.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(place.parent.name))
    left = [process]
    while left:
        yield (number := left.pop())
        left += parents.get(number, [])


def measured(way: str, corpus: Path, folder: Path) -> dict[str, object]:
    """A build in a process of its own, watched."""
    command = [sys.executable, __file__, "--way", way, "--corpus", corpus, "--folder", folder]
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
    watched, over = Watched(process.pid), threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            watched.look()

    thread = threading.Thread(target=watch)
    thread.start()
    said, _ = process.communicate()
    over.set()
    thread.join()
    if process.returncode:
        raise SystemExit(f"the build {way} failed")
    return {**json.loads(said.splitlines()[-1]), "computed": watched.seconds, "peak": watched.peak}


def built(way: str, corpus: Path, folder: Path) -> None:
    """Build, and print what became of it as JSON."""
    stages = Stages()
    started = time.perf_counter()

    def told(progress: Progress) -> None:
        if progress.stage not in stages.begun:
            took = time.perf_counter() - started
            print(f"{way}: {progress.stage} begins at {took:.0f} s", file=sys.stderr, flush=True)
        stages(progress)

    make = stages_on("ray") if way == "ray" else None
    meta = build(folder, read_files([corpus]), Cheap(), told, make=make)
    found = {"version": meta.graph_version, "seconds": time.perf_counter() - started}
    counts = meta.counts
    print(
        json.dumps(
            {
                **found,
                "stages": stages.seconds(),
                "edges": counts.edges,
                "questions": counts.in_coming + counts.out_coming,
            }
        )
    )


def rows(one: dict[str, object], ray: dict[str, object], count: int) -> Iterator[tuple[str, ...]]:
    same = "the same" if one["version"] == ray["version"] else "ANOTHER"
    yield f"{count:,} passages, {one['questions']:,} questions", f"{one['edges']:,} edges", same, ""
    ratio = ray["computed"] / one["computed"]
    yield (
        "processor seconds, one process and Ray",
        f"{one['computed']:.0f}",
        f"{ray['computed']:.0f}, {ratio:.2f}x",
        "1.3x",
    )
    yield "seconds by the clock", f"{one['seconds']:.0f}", f"{ray['seconds']:.0f}", ""
    for stage, seconds in one["stages"].items():
        yield f"  {stage}", f"{seconds:.0f}", f"{ray['stages'].get(stage, 0):.0f}", ""
    yield "memory, GB (Pss)", f"{one['peak']:.1f}", f"{ray['peak']:.1f}", "12"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--markdown", action="store_true", help="print a table for a README")
    for name in ("--way", "--corpus", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        built(given.way, Path(given.corpus), Path(given.folder))
        return
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch) / "passages.jsonl"
        passages(given.passages, corpus)
        one, ray = (measured(way, corpus, Path(scratch) / way) for way in ("here", "ray"))
    table = grid(
        "Cluster", ("figure", "one process", "Ray", "limit"), rows(one, ray, given.passages)
    )
    show(f"{machine('float32')}", [table], markdown=given.markdown)


if __name__ == "__main__":
    main()
