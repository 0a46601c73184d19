"""A run as an `Evaluation`: what the command prints and writes of it."""

from core.answers import Score
from core.evaluate.measures import Evaluation, Outcome
from core.playback.decided import Decided
from core.runs.run import Row, Run
from core.runs.store import Runs


def report_of(runs: Runs, run: Run) -> Evaluation:
    """All rows of `run`, in the order of its retrievers and questions."""
    rows = [
        row
        for retriever in run.retrievers
        for row in runs.rows(run.id, retriever, order="asked", limit=run.questions)
    ]
    keys = tuple(dict.fromkeys(row.retriever for row in rows))
    unknown = dict.fromkeys(name for row in rows for name in row.absent)
    return Evaluation(keys, tuple(map(outcome_of, rows)), tuple(unknown))


def outcome_of(row: Row) -> Outcome:
    """A row as the outcome that it was made of."""
    lost = row.turned_to - row.decided
    why = ((f"Of them, {lost:,} were not decided by the model.", lost),) if lost else ()
    return Outcome(
        retriever=row.retriever,
        question=row.question,
        hits=row.hits,
        ranks=row.ranks,
        seconds=row.seconds,
        embed_seconds=row.embed_seconds,
        judgements=row.judgements,
        score=None if row.em is None or row.f1 is None else Score(row.em, row.f1),
        model=Decided(row.turned_to, why),
    )
