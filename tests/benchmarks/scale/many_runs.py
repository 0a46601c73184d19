"""Whether 5,000 questions and 10 runs stay usable: rows made up, the page's readings timed.

python tests/benchmarks/scale/many_runs.py [--questions 5000] [--runs 10]
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.funnel.data import Fate
from core.funnel.stages import LOST
from core.runs import Column, Other, Row, Run, Runs, Where
from core.runs.analysis.leaderboard import against, leaderboard_rows
from core.runs.analysis.slices import fields_of, found_by_round, recall_curve, slices
from core.types import Query

SPECS = ("bm25", "dense", "hybrid", "hoprag-similarity", "hoprag-coverage")


def made_up(runs: Runs, number: int, questions: list[Query], chance: random.Random) -> Run:
    """A run of all questions by five retrievers."""
    columns = tuple(Column(name, f"{number}-{name}") for name in SPECS)
    name, made = f"Run {number}", f"2024-01-{number + 1:02d}T00:00:00+00:00"
    run = runs.begin(Run(f"r{number}", name, made, "index", 0, columns, "content"), questions)
    for retriever in SPECS:
        rows = []
        for query in questions:
            ranks = {gold: chance.choice([None, *range(1, 21)]) for gold in query.gold}
            fates = tuple(
                Fate(gold, gold, "kept" if rank else chance.choice(LOST), rank=rank)
                for gold, rank in ranks.items()
            )
            hits = tuple(f"passage-{chance.randrange(10_000)}" for _ in range(20))
            rows.append(
                Row(retriever, query, ranks, hits, seconds=0.1, found=(0, 1, 2), fates=fates)
            )
        runs.append(run.id, rows)
    runs.end(run.id, "finished")
    return runs.get(run.id)


def timed(what: str, work: Callable[[], object]) -> None:
    started = time.perf_counter()
    work()
    print(f"{what:44} {1000 * (time.perf_counter() - started):8.0f} ms")


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--questions", type=int, default=5_000)
    given.add_argument("--runs", type=int, default=10)
    told = given.parse_args()
    chance = random.Random(0)
    questions = [
        Query(
            f"q{n}",
            f"Which town is number {n} of the {chance.choice(('old', 'new'))} list?",
            gold=(f"p{2 * n}", f"p{2 * n + 1}"),
            dataset=chance.choice(("wiki", "news", "film")),
            type=chance.choice(("bridge", "comparison")),
        )
        for n in range(told.questions)
    ]
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder))
        started = time.perf_counter()
        made = [made_up(runs, number, questions, chance) for number in range(told.runs)]
        spent = time.perf_counter() - started
        print(f"written in {spent:.0f} s, {runs.path.stat().st_size / 1e6:,.0f} MB")
        one, other = made[-1], Other(made[0].id, "bm25")
        against_it = Where(other=other, measured_by="R@5")
        timed("list of runs", runs.all)
        timed("board of a run", lambda: leaderboard_rows(runs, one))
        timed("pairs within a run", lambda: against(runs, one, Other(one.id, "bm25"), "R@5"))
        timed("pairs with another run", lambda: against(runs, one, other, "R@5"))
        timed("fields", lambda: fields_of(runs, one))
        timed("slices by data set", lambda: slices(runs, one, "dataset", "R@5"))
        timed("recall curve of a retriever", lambda: recall_curve(runs, one, "bm25"))
        timed("found by round of a retriever", lambda: found_by_round(runs, one, "bm25"))
        timed("first page, worst first", lambda: runs.rows(one.id, "bm25"))
        timed("a page in the middle", lambda: runs.rows(one.id, "bm25", offset=2_500))
        lost = Where(stages=("refused",), text="OLD")
        timed("a page of one stage and a word", lambda: runs.rows(one.id, "bm25", lost))
        timed("how many of them", lambda: runs.count(one.id, "bm25", lost))
        timed(
            "a page of regressions",
            lambda: runs.rows(one.id, "bm25", against_it, order="regressions"),
        )
        timed("one row", lambda: runs.row(one.id, "bm25", "q4000"))
        timed("deleting a run", lambda: runs.delete(made[1].id))


if __name__ == "__main__":
    main()
