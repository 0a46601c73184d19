"""An index of many passages, opened in a fresh process and asked.

    python tests/benchmarks/scale/large.py 10000 1000000 [--at FOLDER] [--questions 30] [--markdown]

Made once in FOLDER (a million passages are 30 GB). Told are the seconds until the index is open,
those until the first question of each retriever is answered, the median of the questions after it,
without their embedding, with the processor time in it (more than one core may work), and what the
process holds then.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.store.index import Index
from core.store.records.record import PUBLISHED
from core.vectors import Vectors
from tests.benchmarks.printing import grid, machine, show
from tests.benchmarks.scale import synthetic

RETRIEVERS = (
    *("dense", "bm25", "hybrid", "hybrid-rrf"),
    *("hoprag-similarity", "hoprag-coverage"),
)


class Embedded:
    """An embedder of texts whose vectors are known."""

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self.info = synthetic.INFO
        self._vectors = vectors

    def encode(self, texts: Sequence[str], progress: object = None) -> Vectors:
        import numpy as np

        unknown = np.eye(1, synthetic.WIDTH, dtype=np.float32)[0]
        return np.stack([self._vectors.get(text, unknown) for text in texts])


def ask(folder: Path, questions: int) -> dict[str, object]:
    """Seconds and GB, measured in this process."""
    from core.artefacts.workbench import Workbench
    from core.retrievers import make

    world = synthetic.World(int(folder.name))
    asked = world.questions(questions)
    started = time.perf_counter()
    index = Index.open(folder, synthetic.INFO)
    told: dict[str, object] = {"open": time.perf_counter() - started, "missed": index.missed}
    workbench = Workbench(index, Embedded(dict(asked)))
    times: dict[str, tuple[float, float, float]] = {}
    for key in RETRIEVERS:
        retriever = make(key, workbench)
        taken, worked = [], []
        for text, _ in asked:
            started, begun = time.perf_counter(), time.process_time()
            list(retriever.retrieve(text))
            taken.append(time.perf_counter() - started)
            worked.append(time.process_time() - begun)
        times[key] = (taken[0], median(taken[1:]), median(worked[1:]))
        print(key, *times[key], held(), file=sys.stderr)
    return {**told, "times": times, "held": held(), "large": index.large}


def held() -> float:
    """GB that this process has held at most, but for the pages of files that it maps."""
    lines = Path("/proc/self/status").read_text().splitlines()
    sizes = {line.split()[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (most - sizes["RssFile:"]) * 1024 / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int, nargs="+")
    parser.add_argument("--at", type=Path, default=Path("synthetic"))
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--ask", action="store_true", help="in this process, and print JSON")
    given = parser.parse_args()
    if given.ask:
        print(json.dumps(ask(given.at / str(given.passages[0]), given.questions)))
        return
    rows = []
    for passages in given.passages:
        folder = given.at / str(passages)
        if not (folder / PUBLISHED).exists():
            started = time.perf_counter()
            synthetic.write(synthetic.World(passages), folder)
            print(f"made in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        command = [sys.executable, __file__, str(passages), "--ask", "--at", str(given.at)]
        command += ["--questions", str(given.questions)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = json.loads(said)
        name = f"{passages:,}, {'large' if found['large'] else 'in memory'}"
        rows.append((name, "open", f"{found['open']:.2f} s", "", ""))
        for key, (first, *rest) in found["times"].items():
            rows.append((name, key, f"{first:.2f} s", *(f"{1e3 * each:.0f} ms" for each in rest)))
        rows.append((name, "held", f"{found['held']:.2f} GB", "", ""))
        for table, share in found["missed"].items():
            rows.append((name, f"of the 20 nearest {table} missed", f"{share:.3f}", "", ""))
    columns = ("passages", "what", "first", "median", "of it processor")
    show(machine(""), [grid("Asked", columns, rows)], markdown=given.markdown)


if __name__ == "__main__":
    main()
