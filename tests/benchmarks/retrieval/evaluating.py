"""How long an evaluation takes: a question set against retrievers that ask no model, as a run.

    python tests/benchmarks/retrieval/evaluating.py INDEX QUESTIONS.jsonl [--profile]

The target is 200 questions by 5 retrievers on 10,001 passages in under 60 s on two cores. The
index is copied, so that nothing is left in it.
"""

import argparse
import cProfile
import pstats
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.models.embedder import load_embedder
from core.retrievers import Spec
from core.runs import Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import questions_in
from core.store.index import Index
from core.store.tables import read_meta

SPECS = ("bm25", "dense", "hybrid", "hoprag-similarity", "hoprag-coverage")


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("index", type=Path)
    given.add_argument("questions", type=Path)
    given.add_argument("--profile", action="store_true")
    told = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "index"
        shutil.copytree(told.index, place)
        measured(place, told.questions, profile=told.profile)


def measured(place: Path, questions: Path, *, profile: bool) -> None:
    started = time.perf_counter()
    embedder = load_embedder(read_meta(place).embedder.name)
    bench = Workbench(Index.open(place, embedder.info), embedder, making=lambda progress: None)
    asked = questions_in(questions, bench.index).questions
    print(f"opened in {time.perf_counter() - started:.1f} s, {len(asked)} questions")
    run = begin(bench, asked, [Spec.parse(text) for text in SPECS], name="Benchmark")
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    measure(run, bench)
    profiler.disable()
    spent = time.perf_counter() - started
    print(f"all in {spent:.1f} s, {time.process_time():.1f} s of a processor")
    if profile:
        pstats.Stats(profiler).sort_stats("cumtime").print_stats(40)
    runs = Runs(place)
    for key in SPECS:
        rows = runs.rows(run.id, key, limit=len(asked))
        told = 1000 * sum(row.seconds for row in rows) / len(rows)
        recall = [row.recall for row in rows if row.recall is not None]
        print(f"{key:20} {told:6.1f} ms a question, recall {sum(recall) / len(recall):.3f}")


if __name__ == "__main__":
    main()
