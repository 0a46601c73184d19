"""A run as an `Evaluation`, which the command prints and exports."""

from collections.abc import Mapping
from dataclasses import replace

from core.answers import Score
from core.evaluation.measures import Evaluation, Outcome
from core.playback.decided import Decided
from core.runs.run import Row, Run
from core.runs.store import Runs
from core.runs.store.stored_answers import StoredAnswer


def report_of(runs: Runs, run: Run) -> Evaluation:
    """Return the evaluation of a run, in the order of its retrievers and questions."""
    rows = [
        with_answer(
            replace(row, lengths=lengths.get(name), costs=costs.get(name)),
            answers,
        )
        for retriever in run.retrievers
        for lengths in [runs.lengths(run.id, retriever)]
        for answers in [runs.answers(run.id, retriever)]
        for costs in [runs.model_costs(run.id, retriever)]
        for row in runs.rows(run.id, retriever, order="asked", limit=run.questions)
        for name in [row.question.id]
    ]
    keys = tuple(dict.fromkeys(row.retriever for row in rows))
    unknown = dict.fromkeys(name for row in rows for name in row.absent)
    reasons = runs.reasons(run.id)
    outcomes = (outcome_of(row, reasons.get((row.retriever, row.question.id), ())) for row in rows)
    return Evaluation(keys, tuple(outcomes), tuple(unknown))


def with_answer(row: Row, answers: Mapping[str, StoredAnswer]) -> Row:
    """Return `row` with its answer, if `answers` (`Runs.answers`) has one."""
    one = answers.get(row.question.id)
    return replace(row, answer=one.text, accuracy=one.accuracy, judge=one.judge) if one else row


def outcome_of(row: Row, reasons: tuple[tuple[str, int], ...] = ()) -> Outcome:
    """Rebuild the outcome from which a stored row was made.

    Parameters
    ----------
    reasons : why the model did not decide; unknown for rows stored by an earlier version.
    """
    lost = row.turned_to - row.decided
    if lost and not reasons:
        reasons = (("The reason was not stored.", lost),)
    return Outcome(
        retriever=row.retriever,
        question=row.question,
        hits=row.hits,
        ranks=row.ranks,
        seconds=row.seconds,
        embed_seconds=row.embed_seconds,
        judgements=row.judgements,
        score=None if row.em is None or row.f1 is None else Score(row.em, row.f1),
        model=Decided(row.turned_to, reasons),
        lengths=row.lengths,
        accuracy=row.accuracy,
        judge=row.judge,
        costs=row.costs,
    )
