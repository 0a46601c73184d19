"""How soon a finished retrieval answers with other settings, no model asked.

    python tests/benchmarks/retrieval/replaying.py INDEX [QUESTION] [--retriever SPEC]...

Replays each retriever with every value of each of its numbers that a slider goes through, as the
panel of the Trace page does, and prints the median and the slowest one beside the limit.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from rich.console import Console
from rich.table import Table

from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.models.embedder import load_embedder
from core.models.remembered import Remembered
from core.replay import numeric_settings, replay, setting_range, with_maximum_counts
from core.retrievers import Spec
from core.store.index import Index
from core.store.tables import read_meta

LIMIT = 300  # ms
STOPS = 6  # of a slider
RETRIEVERS = ("bm25", "dense", "hybrid", "hoprag-similarity", "hoprag-coverage", "hipporag2")
RERANKED = ("rerank", "rerank(over=dense)")


def settings_of(spec: Spec) -> Iterator[Spec]:
    """One number turned at a time, over its whole span."""
    for one in numeric_settings(spec):
        low, high = setting_range(one, float(str(spec.values[one.name])))
        for stop in range(STOPS):
            value = min(high, low + (high - low) * stop / (STOPS - 1))
            yield spec.with_settings(**{one.name: one.kind(value)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("question", nargs="?", default="")
    parser.add_argument("--retriever", action="append", default=[])
    given = parser.parse_args()
    embedder = load_embedder(read_meta(given.index).embedder.name)
    bench = Workbench(Index.open(given.index, embedder.info), embedder)
    question = given.question or bench.index.questions[0].text
    table = Table(
        *("retriever", "read ahead, ms", "replays", "median, ms", "at worst, ms"),
        *("of a processor, median", "at worst", "with"),
    )
    for text in given.retriever or (*RETRIEVERS, *RERANKED):
        spec = Spec.parse(text)
        if missing(spec.needs, bench):
            table.add_row(text, "not built")
            continue
        replay(bench, spec, question)  # the trace that is there
        ready = bench.embedding_by(Remembered(embedder))
        started = time.perf_counter()
        replay(ready, with_maximum_counts(spec), question)  # while a person looks at the sliders
        opened = time.perf_counter() - started
        took: dict[str, float] = {}
        worked: list[float] = []
        for other in settings_of(spec):
            started, before = time.perf_counter(), time.process_time()
            replay(ready, other, question)
            took[str(other)] = 1000 * (time.perf_counter() - started)
            worked.append(1000 * (time.process_time() - before))
        worst = max(took, key=lambda one: took[one])
        told = [statistics.median(took.values()), took[worst], statistics.median(worked)]
        figures = [f"{one:.0f}" for one in (*told, max(worked))]
        table.add_row(text, f"{1000 * opened:.0f}", str(len(took)), *figures, worst)
    load = os.getloadavg()[0]
    table.caption = f"limit {LIMIT} ms; load {load:.1f} on {os.cpu_count()} cores"
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
