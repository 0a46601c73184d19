"""A run made by hand: four questions, three of them with gold, by `bm25` and `walk`."""

from itertools import count

from core.runs import Column, Row, Run, Runs
from core.types import Query

numbers = count()
QUESTIONS = [
    Query("a", "A?", gold=("p1", "p2"), dataset="wiki", type="x", fields={"level": "hard"}),
    Query("b", "B?", gold=("p3",), dataset="wiki", type="y", fields={"level": "easy"}),
    Query("c", "C?", gold=("p4",), dataset="news", type="x", fields={"level": "hard"}),
    Query("d", "D?", dataset="news", type="y", fields={"level": "easy"}),
]


def row(retriever: str, question: Query, *ranks: int | None, **more: object) -> Row:
    found = dict(zip(question.gold, ranks, strict=True))
    return Row(retriever, question, found, ("p9",), **more)  # type: ignore[arg-type]


def hand_made(runs: Runs) -> Run:
    """A run of `QUESTIONS` by two retrievers, of which each does better than the other once."""
    made = Run(
        id=f"r{next(numbers)}",
        name="First",
        made_at="2024-05-01T10:00:00+00:00",
        question_set="index",
        questions=0,
        columns=(Column("bm25", "c1"), Column("walk", "c2")),
        content="content",
    )
    made = runs.begin(made, QUESTIONS)
    a, b, c, d = QUESTIONS
    runs.append(
        made.id,
        [
            row("bm25", a, 1, 7, seconds=1.0, embed_seconds=0.5, found=(1, 2)),
            row("bm25", b, None, seconds=2.0, embed_seconds=0.5, found=(0,)),
            row("bm25", c, 3, seconds=3.0, embed_seconds=0.5, found=(0, 0, 1)),
            row("bm25", d, seconds=4.0, embed_seconds=0.5),
            row("walk", a, 1, 2, calls=4, tokens=100),
            row("walk", b, 4, calls=0),
            row("walk", c, None),
            row("walk", d),
        ],
    )
    return made
