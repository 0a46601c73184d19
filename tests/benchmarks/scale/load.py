"""Many questions at a time, of one process of the app and of several over the same index.

    python tests/benchmarks/scale/load.py INDEX QUESTIONS.jsonl [--at-once 32] [--seconds 60]
                                    [--processes 1 2] [--retrievers SPEC...] [--markdown]

INDEX is a folder; a copy of it is taken to an S3 server of our own on loopback. Each process has
its share of threads, which ask one question after the other as a page does: look which indexes and
versions there are, open the last one, walk, keep the trace. Nothing remembers what was answered.
An error is what raises, and an answer that is not, id by id and score by score, that of the same
question asked alone. Told are questions a second and, in ms, the times that half of them took at
most, 95 and 99 in 100; the GB that all processes held at most; and how busy the machine was.
"""

import argparse
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.evaluation import read_questions
from core.places import Remote, place_of
from core.store.tables import read_meta
from tests.benchmarks.printing import grid, machine, show
from tests.benchmarks.scale.large import held
from tests.storage import serving, taken_to

RETRIEVERS = ("hoprag-coverage", "hybrid", "bm25")
_SHARES = (50, 95, 99)  # per cent
Answer = list[tuple[str, float]]


@dataclass(frozen=True)
class Share:
    """What one process is to ask."""

    index: str
    questions: Sequence[str]
    threads: int
    seconds: float


def ask(index: str, retriever: str, question: str) -> Answer:
    """Passages and scores, found as a page finds them."""
    from core.retrievers import Spec, make
    from core.steps import result
    from core.traces import record
    from pages.components.shell import resources

    bench = resources.workbench(resources.entry(index))
    steps = record(make(Spec.parse(retriever), bench), question, bench.index).steps
    return [(hit.passage_id, hit.score) for hit in result(steps).hits]


def serve(share: Share) -> None:
    """For each retriever that is named on standard input: what came of it, as JSON."""
    logging.disable(logging.WARNING)  # Streamlit's, of being used without a server
    for line in sys.stdin:
        asked = partial(ask, share.index, line.strip())
        alone = {question: asked(question) for question in share.questions}
        print("ready", flush=True)
        sys.stdin.readline()
        until = time.perf_counter() + share.seconds
        with ThreadPoolExecutor(share.threads) as threads:
            going = [
                threads.submit(_keep_asking, asked, alone, until, seed)
                for seed in range(share.threads)
            ]
            told = [each.result() for each in going]
        taken = [seconds for each in told for seconds in each["taken"]]
        wrong = [why for each in told for why in each["wrong"]]
        print(json.dumps({"taken": taken, "wrong": wrong, "held": held()}), flush=True)


def _keep_asking(
    asked: "partial[Answer]", alone: Mapping[str, Answer], until: float, seed: int
) -> dict[str, list[Any]]:
    draw, questions = random.Random(f"{os.getpid()} {seed}"), list(alone)
    taken: list[float] = []
    wrong: list[str] = []
    while (began := time.perf_counter()) < until:
        question = draw.choice(questions)
        try:
            found = asked(question)
        except Exception as error:
            wrong.append(repr(error))
            continue
        taken.append(time.perf_counter() - began)
        if found != alone[question]:
            wrong.append(f"another answer: {question}")
    return {"taken": taken, "wrong": wrong}


def measured(
    place: str, given: argparse.Namespace, processes: int, environment: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """A row for each retriever, asked by so many processes."""
    root, _, name = place.rpartition("/")
    rows = []
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        share = [name, given.questions, str(given.at_once // processes), str(given.seconds)]
        every = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, __file__, *share[:2], "--serve", *share[2:]],
                    env={**os.environ, **environment, "HOPRAG_HOME": home, "HOPRAG_INDEXES": root},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(processes)
        ]
        for retriever in given.retrievers:
            for line in (retriever, "go"):  # all begin when the last one is ready
                for each in every:
                    assert each.stdin
                    each.stdin.write(f"{line}\n")
                    each.stdin.flush()
                said = [each.stdout.readline() for each in every if each.stdout]
            rows.append((retriever, *_row(list(map(json.loads, said)), given.seconds)))
            print(place, processes, *rows[-1], file=sys.stderr)
        for each in every:
            assert each.stdin
            each.stdin.close()
    return rows


def _row(told: Sequence[dict[str, Any]], seconds: float) -> list[str]:
    taken = [each for one in told for each in one["taken"]]
    wrong = [each for one in told for each in one["wrong"]]
    for why in wrong[:3]:
        print(why, file=sys.stderr)
    times = np.percentile(taken or [0.0], _SHARES) * 1e3
    return [
        f"{len(taken) / seconds:.0f}",
        *(f"{each:.0f}" for each in times),
        str(len(wrong)),
        f"{sum(one['held'] for one in told):.2f}",
        f"{os.getloadavg()[0]:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index")
    parser.add_argument("questions")
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--retrievers", nargs="+", default=RETRIEVERS)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--serve", nargs=2, metavar=("THREADS", "SECONDS"))
    given = parser.parse_args()
    if given.serve:
        questions = [question.text for question in read_questions(Path(given.questions))]
        threads, seconds = given.serve
        serve(Share(given.index, questions, int(threads), float(seconds)))
        return
    folder = Path(given.index).resolve()
    rows: list[tuple[str, ...]] = []
    with serving() as environment:
        os.environ.update(environment)
        there = place_of(f"s3://bucket/indexes/{folder.name}")
        assert isinstance(there, Remote)
        taken_to(there, folder)
        for where, place in (("folder", str(folder)), ("s3 on loopback", str(there))):
            for processes in given.processes:
                found = measured(place, given, processes, environment)
                rows += [(f"{where}, {processes}", *row) for row in found]
    meta = read_meta(folder)
    about = f"{meta.counts.vertices:,} passages, {given.at_once} questions at a time"
    columns = ("where, processes", "retriever", "a second", *(f"p{share}" for share in _SHARES))
    table = grid("Asked", (*columns, "errors", "GB", "load"), rows)
    show(f"{machine(meta.embedder.precision)}. {about}", [table], markdown=given.markdown)


if __name__ == "__main__":
    main()
