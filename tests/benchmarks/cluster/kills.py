"""What is left when the process of a job is killed at any moment.

    python tests/benchmarks/cluster/kills.py [KILLS]

Builds, builds again, adds, removes and makes an artefact over a small corpus, kills each at a
random moment, and looks at what is there: the old version or the new one, whole. Then the same job
is done again, and the graph has to be that of a build that nobody disturbed. Prints a row a kind.
"""

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

import core.models.embedder as embedder
from core.jobs import Job, run
from core.store.artefact_tables import read_tables, shelved
from core.store.index import Index
from core.store.records.record import PUBLISHED
from tests.core.fakes import WordEmbedder

embedder.load_embedder = lambda name: WordEmbedder()  # type: ignore[assignment, return-value]

KINDS = ("build", "rebuild", "add", "remove", "make")
ARTEFACT = "facts"

_FORKS = """
import importlib, json, os, pkgutil, signal, sys, time
from pathlib import Path
import torch, scipy.sparse, core
import core.models.embedder as embedder
from tests.core.fakes import WordEmbedder
embedder.load_embedder = lambda name: WordEmbedder()  # before others import it by its name
for module in pkgutil.walk_packages(core.__path__, "core."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from core.jobs import Job, run
for line in sys.stdin:
    job, index, kill_after = json.loads(line)
    began = time.perf_counter()
    if (child := os.fork()) == 0:
        ended = 1
        try:
            run(Job.from_json(job, Path(index)))
            ended = 0
        finally:
            os._exit(ended)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    print(json.dumps([status, time.perf_counter() - began]), flush=True)
"""

State = tuple[str, tuple[str, ...], tuple[str, ...]]


def corpus(path: Path, first: int, count: int) -> Path:
    """A file of passages that name one another."""
    rows = (
        {
            "id": f"p{i}",
            "title": f"Place {i}",
            "text": f"Place {i} is a town. It lies by River {i} and near Place {i + 1}.",
        }
        for i in range(first, first + count)
    )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def held(index: Path) -> State | None:
    """Graph, documents and artefacts of an index, all read; None before its first version."""
    if not (index / PUBLISHED).exists():
        return None
    opened = Index.open(index)
    list(opened.graph.all_pseudo_queries)
    opened.graph.edges(range(len(opened.graph.adjacency)))
    shelf = shelved(index)
    for artefact in shelf.values():
        read_tables(index, artefact)
    documents = sorted(each.id for each in opened.documents)
    return opened.meta.graph_version, tuple(documents), tuple(sorted(shelf))


class Doer:
    """Does jobs, each in a process of its own that has imported all and done nothing yet.

    These are forks of one process that only imports. A new interpreter would be killed over its
    imports, most of the time; a fork of one that has used the store is not sound.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _FORKS],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def do(self, job: Job, kill_after: float | None = None) -> tuple[bool, float]:
        """Do `job`, kill it after so many seconds; whether it was killed, and how long it ran."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps([json.dumps(job.to_dict()), str(job.index), kill_after]) + "\n")
        stdin.flush()
        status, seconds = json.loads(stdout.readline())
        assert status in (0, signal.SIGKILL), f"the job failed by itself ({status})"
        return status == signal.SIGKILL, seconds


def attempt(doer: Doer, kind: str, folder: Path, rng: random.Random, found: Counter[str]) -> None:
    """One kill of a job of this kind."""
    index = folder / "ix"
    first, other = corpus(folder / "a.jsonl", 0, 120), corpus(folder / "b.jsonl", 120, 60)
    jobs = {
        "build": Job("build", index, files=(first,)),
        "rebuild": Job("build", index, files=(other,)),
        "add": Job("add", index, files=(other,)),
        "remove": Job("remove", index, documents=("p1", "p2", "p3")),
        "make": Job("make", index, artefacts=(ARTEFACT,)),
    }
    job = jobs[kind]
    if kind != "build":
        run(jobs["build"])
    before = held(index) if index.exists() else None
    undisturbed = folder / "whole"
    if index.exists():
        shutil.copytree(index, undisturbed)
    _, lasts = doer.do(Job.from_dict(job.to_dict(), undisturbed))
    after = held(undisturbed)
    was_killed, _ = doer.do(job, rng.uniform(0, 1.1 * lasts))
    found["killed"] += was_killed
    now: State | None = None
    try:
        now = held(index)
        found["old" if now == before else "new" if now == after else "WRONG"] += 1
    except Exception as error:
        found[f"BROKEN {type(error).__name__}"] += 1
    try:
        if not (now == after and kind == "remove"):  # what is gone cannot be removed again
            run(job)
        found["resumed" if held(index) == after else "RESUMED WRONG"] += 1
    except Exception as error:
        found[f"NOT RESUMED {str(error)[:90]}"] += 1
    tables = {each.name for each in index.glob("*.lance")}
    found["leftovers"] += len(tables - {each.name for each in undisturbed.glob("*.lance")})


def main(kills: int) -> None:
    rng, doer = random.Random(1), Doer()
    for kind in KINDS:
        found: Counter[str] = Counter()
        for _ in range(kills // len(KINDS)):
            with tempfile.TemporaryDirectory() as place:
                attempt(doer, kind, Path(place), rng, found)
        print(kind, dict(found), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
