"""How well a build keeps a model busy, and in how much memory.

    python tests/benchmarks/models/model.py [MILLISECONDS...]

Builds indexes with 32 calls at once, against the scripted server in a process of its own. Prints
the calls that the server has under way on average, from the first to the last, and what 1,000
passages add to the memory that 200 take. Embeddings are stand-ins of 16 numbers.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[3]))

FEW, MANY = 200, 1000  # passages
AT_LEAST = 26  # calls under way, of 32
AT_MOST = 1.15  # times the memory


def measured(passages: int, delay: float) -> dict[str, Any]:
    """A build in a process of its own."""
    with tempfile.TemporaryDirectory() as folder, serving(delay) as server:
        url = server.stdout.readline().strip()
        command = [sys.executable, __file__, "build", folder, url, str(passages)]
        built = subprocess.run(command, capture_output=True, text=True, check=True)
        server.stdin.write("\n")
        seen = float(server.stdout.readline())
        return {"server": seen, **json.loads(built.stdout)}


@contextmanager
def serving(delay: float) -> Iterator[Any]:
    command = [sys.executable, __file__, "serve", str(delay)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as server:
        yield server


def serve(delay: float) -> None:
    """Print the address, and when a line comes the calls under way on average."""
    from tests.llm.replies import questions
    from tests.llm.server import Answer, ChatServer

    with ChatServer(lambda request: Answer(questions(request).text, delay=delay)) as server:
        print(server.url, flush=True)
        sys.stdin.readline()
        print(server.mean_at_once(), flush=True)


def build_many(folder: Path, url: str, passages: int) -> None:
    """Build and print what it took, as JSON."""
    from core.corpus.types import Corpus
    from core.hop_graph.model_questions import ByModel
    from core.indexing.updates import build
    from core.models.kept.replies import Replies
    from core.models.leave import Leave
    from core.models.llm import Llm
    from core.models.oracle import Oracle
    from core.progress import Progress
    from core.settings import Endpoint
    from core.types import Document
    from tests.core.fakes import WordEmbedder

    text = (
        "Place {0} lies by River {0}. It is near Place {1}. Ada Birch {0} was born there in 1{0}. "
    )
    documents = tuple(
        Document(f"p{i}", f"Place {i}", text.format(i, i + 1) * 3) for i in range(passages)
    )
    llm = Llm(Endpoint("scripted", url), at_once=32)
    maker = ByModel(Oracle(llm, Replies(folder), Leave("a benchmark")))
    began: dict[str, float] = {}

    def report(progress: Progress) -> None:
        began.setdefault(progress.stage, time.perf_counter())

    meta = build(folder, Corpus(documents, ()), WordEmbedder(), report, maker=maker)
    took = {
        "stage": began["embed"] - began["questions"],
        "seconds": meta.seconds,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "questions": meta.counts.in_coming + meta.counts.out_coming,
    }
    print(json.dumps(took))


def main(delays: list[float]) -> None:
    table = Table("reply", "passages", "under way", "stage", "build", "memory")
    for column in table.columns:
        column.justify = "right"
    for delay in delays:
        found = {passages: measured(passages, delay) for passages in (FEW, MANY)}
        for passages, took in found.items():
            table.add_row(
                f"{1000 * delay:.0f} ms",
                f"{passages:,}",
                f"{took['server']:.1f}",
                *(f"{took[part]:.1f} s" for part in ("stage", "seconds")),
                f"{took['megabytes']:.0f} MB",
            )
        more = found[MANY]["megabytes"] / found[FEW]["megabytes"]
        table.add_row("", "limits", f">= {AT_LEAST}", "", "", f"{more:.2f} <= {AT_MOST}")
    Console(width=110).print(table)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", delay]:
            serve(float(delay))
        case ["build", folder, url, passages]:
            build_many(Path(folder), url, int(passages))
        case delays:
            main([float(delay) / 1000 for delay in delays or ("200", "50")])
