"""How long a question takes when a model chooses the edges, and what it takes the second time.

    python tests/benchmarks/retrieval/traversal.py INDEX QUESTIONS.jsonl [--count N] [--markdown]

Walks with n_hop 4 and top_k 20 against the scripted server in a process of its own, which takes
200 ms a reply. Replies are kept in a folder for this run; the index is only read. Seconds are
those of the walk with the embedding of the question.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.cli.common import quiet
from core.evaluation import read_questions
from core.models.embedder import load_embedder
from core.models.kept.replies import Replies
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback.account import account
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.hoprag.walks import HopRagCoverage
from core.settings import Endpoint
from core.store.index import Index
from core.store.tables import read_meta
from tests.benchmarks.printing import grid, machine, show

DELAY = 0.2  # seconds a reply
REPLIES_LIMIT, AGAIN_LIMIT = 6, 0.2


@dataclass(frozen=True)
class Walk:
    """Seconds and calls of a question when it is new, and when all is kept."""

    first: float
    calls: int
    again: float
    calls_again: int
    looking_ahead: float


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server in a process of its own, which follows the words of the query."""
    command = [sys.executable, __file__, "serve"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        yield server.stdout.readline().strip()
        server.stdin.close()


def serve() -> None:
    from tests.llm.replies import choose
    from tests.llm.server import ChatServer

    with ChatServer(lambda request: replace(choose(request), delay=DELAY)) as server:
        print(server.url, flush=True)
        sys.stdin.read()


def walk(workbench: Workbench, question: str) -> Walk:
    retriever = make("hoprag-llm", workbench, n_hop=4, top_k=20)
    started = time.perf_counter()
    forecast(retriever, question)
    looked = time.perf_counter()
    first = account(tuple(retriever.retrieve(question)))
    asked = time.perf_counter()
    again = account(tuple(retriever.retrieve(question)))
    ended = time.perf_counter()
    return Walk(asked - looked, first.calls, ended - asked, again.calls, looked - started)


def of_all(values: list[float], unit: str = "") -> tuple[str, str]:
    return f"{statistics.median(values):.1f}{unit}", f"{max(values):.1f}{unit}"


def run(folder: Path, questions: list[str], scratch: Path, url: str, *, markdown: bool) -> None:
    embedder = load_embedder(read_meta(folder).embedder.name)
    oracle = Oracle(Llm(Endpoint("scripted", url)), Replies(scratch), Leave("a benchmark"))
    workbench = Workbench(Index.open(folder, embedder.info), embedder, oracle)
    workbench.warm(HopRagCoverage.card.needs)
    walk(workbench, "What is asked first pays for what is set up once?")
    walks = [walk(workbench, question) for question in questions]
    rows = [
        ("calls", *of_all([w.calls for w in walks]), ""),
        ("replies' time", *of_all([w.first / DELAY for w in walks]), f"{REPLIES_LIMIT}"),
        ("again: calls", *of_all([w.calls_again for w in walks]), "0"),
        (
            "again: time",
            *of_all([1000 * w.again for w in walks], " ms"),
            f"{1000 * AGAIN_LIMIT:.0f} ms",
        ),
        ("how many calls it will be", *of_all([1000 * w.looking_ahead for w in walks], " ms"), ""),
    ]
    about = (
        f"{len(workbench.index.passages):,} passages, {len(walks)} questions, n_hop 4, top_k 20, "
        f"{1000 * DELAY:.0f} ms a reply; {machine(embedder.info.precision)}."
    )
    columns = ("figure", "median", "most", "limit")
    show(about, [grid("A model chooses the edges", columns, rows)], markdown=markdown)


def main() -> None:
    if sys.argv[1:] == ["serve"]:
        serve()
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index", type=Path, help="a finished index")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--count", type=int, default=20, help="questions that are asked")
    parser.add_argument("--markdown", action="store_true", help="print a table for a README")
    given = parser.parse_args()
    quiet()
    questions = [question.text for question in read_questions(given.questions)][: given.count]
    with tempfile.TemporaryDirectory() as scratch, serving() as url:
        run(given.index, questions, Path(scratch), url, markdown=given.markdown)


if __name__ == "__main__":
    main()
