"""Rows made by hand, and a run with its trial."""

from dataclasses import replace

from core.runs import Column, Row, Run, Runs
from core.types import Query


def row(name: str, *ranks: int | None, judgements: int = 3, retriever: str = "r") -> Row:
    """A row of the question `name`, whose gold ids `g0`, `g1` … stand at `ranks`."""
    golds = tuple(f"g{n}" for n in range(len(ranks)))
    query = Query(name, f"{name}?", gold=golds)
    found = dict(zip(golds, ranks, strict=True))
    return Row(retriever, query, found, (), judgements=judgements)


BEFORE = [row("a", None), row("b", None, 1), row("c", 1), row("d", 2), row("e", 1), row("f", 1)]
AFTER = [row("a", 3), row("b", None, 1), row("c", None), row("d", None), row("e", 1), row("f", 1)]


def with_trial(runs: Runs) -> tuple[Run, Run]:
    """A run, and its trial with a larger top k."""
    made = []
    for name, retriever, rows in (("One", "bm25", BEFORE), ("Two", "bm25(top_k=30)", AFTER)):
        trial = {"trial_of": made[0].id} if made else {}
        run = Run(
            *(name, name, "2024-05-01T10:00:00+00:00", "index", 0),
            columns=(Column(retriever, "c"),),
            content="content",
            settings=trial,
            state="finished",
        )
        made.append(runs.begin(run, [one.question for one in rows]))
        runs.append(name, [replace(one, retriever=retriever) for one in rows])
        runs.end(name, "finished")
    return made[0], made[1]
