"""Outcomes of retrievers on all questions of an index, from stored results."""

import time
from collections.abc import Callable, Iterator, Sequence

from core.artefacts.workbench import Workbench
from core.evaluation.kept import KeptRankings, kept_passages
from core.evaluation.outcomes import QuestionOutcome, question_outcome
from core.marks import golds_of_queries
from core.marks.store import question_key
from core.playback.returned_texts import measured_steps
from core.retrievers import Spec, make
from core.types import Query

_AT_ONCE = 25  # questions of which no more is lost when it is stopped


def question_outcomes(
    workbench: Workbench, specs: Sequence[Spec]
) -> list[tuple[QuestionOutcome, ...]]:
    """Return for each question of the index, in order, the outcome of each of `specs`.

    Raises
    ------
    StoreError : the file of the marks, or of the outcomes, cannot be read.
    """
    held = KeptRankings.of(workbench)
    kept = [held.rankings(spec) for spec in specs]
    questions = workbench.index.questions
    golds = golds_of_queries(workbench.index, questions)
    return [
        tuple(question_outcome(gold, rankings.get(question_key(query.text))) for rankings in kept)
        for query, gold in zip(questions, golds, strict=True)
    ]


def unrun_questions(workbench: Workbench, spec: Spec) -> list[Query]:
    """Return the questions of the index that `spec` was not asked yet, each text once."""
    known = KeptRankings.of(workbench).rankings(spec)
    asked = {question_key(query.text): query for query in workbench.index.questions}
    return [query for key, query in asked.items() if key not in known]


def ask_all(
    workbench: Workbench,
    spec: Spec,
    questions: Sequence[Query],
    on_progress: Callable[[int, int], None] | None = None,
    *,
    seconds: float = float("inf"),
) -> int:
    """Run `spec` on each question, for about `seconds`, and store the rankings.

    Finished questions are kept if it stops early.

    Parameters
    ----------
    on_progress : called with the number of finished questions and of all.

    Returns
    -------
    The number of questions that were run.

    Raises
    ------
    ArtefactMissing : an artefact that the retriever needs is not built.
    StoreError : the outcomes cannot be written.
    """
    until = time.monotonic() + seconds
    retriever = make(spec, workbench)
    held, done = KeptRankings.of(workbench), 0
    for some in _batches(questions):
        rankings = {}
        for query in some:
            steps = tuple(retriever.retrieve(query.text))
            rankings[query.text] = kept_passages(measured_steps(steps, workbench.index, query.text))
        held.put(spec, {text: kept for text, kept in rankings.items() if kept is not None})
        done += len(some)
        if on_progress:
            on_progress(done, len(questions))
        if time.monotonic() > until:
            break
    return done


def _batches(questions: Sequence[Query]) -> Iterator[Sequence[Query]]:
    for start in range(0, len(questions), _AT_ONCE):
        yield questions[start : start + _AT_ONCE]
