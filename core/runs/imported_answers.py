"""Imported columns of a run, answered from by the model as those that were measured here."""

from collections.abc import Iterator
from dataclasses import replace

from core.evaluation.role_costs import costs_of
from core.runs.answers import Answers
from core.runs.evaluation_report import outcome_of, with_answer
from core.runs.model_prices import prices_of
from core.runs.run import Row, Run
from core.runs.store import Runs
from core.store.index import Index
from core.types import Passage

_AT_ONCE = 25  # rows of which no more is lost when it is killed


def answer_imported(runs: Runs, run: Run, index: Index, answers: Answers) -> None:
    """Answer and judge the remaining imported columns of `run`, and store the results.

    The model reads what the pipeline retrieved: its own texts where the file has them, else the
    passages of the index. Where the file has an answer, that one is judged.

    Raises
    ------
    LlmError, BudgetReached : the model is lost, or the budget used up; what was answered before
        is stored.
    """
    for column in run.columns:
        if not column.configuration:
            _answer_column(runs, run, column.retriever, index, answers)


def _answer_column(runs: Runs, run: Run, retriever: str, index: Index, answers: Answers) -> None:
    """Answer and judge the open rows of one imported column, and store them batch by batch.

    Rows that were answered before an error are stored, too.
    """
    price_of = prices_of(*answers.oracles)
    rows = [row for row in _whole_rows(runs, run, retriever) if _is_open(row, answers)]
    for start in range(0, len(rows), _AT_ONCE):
        batch, answered_rows = rows[start : start + _AT_ONCE], list[Row]()
        rankings = [_read(runs, run, row, index) for row in batch]
        outcomes = [replace(outcome_of(row), answer=row.answer) for row in batch]
        try:
            for row, answer in zip(batch, answers.answers_of(outcomes, rankings), strict=True):
                if answer:
                    exchange = answer.exchange
                    calls = row.calls + (len(exchange.replies) if exchange else 0)
                    tokens = row.tokens + (
                        exchange.tokens_in + exchange.tokens_out if exchange else 0
                    )
                    kept = row.kept + (exchange.cost.cached if exchange else 0)
                    row = replace(row, calls=calls, tokens=tokens, kept=kept)
                    costs = costs_of((), exchange, answer.judged, price_of)
                    row = replace(row, costs=costs)
                    row = replace(row, em=answer.score.em, f1=answer.score.f1, answer=answer.text)
                    answered_rows.append(replace(row, accuracy=answer.accuracy, judge=answer.judge))
        finally:
            runs.append(run.id, answered_rows)


def _is_open(row: Row, answers: Answers) -> bool:
    """Check whether a known answer still lacks its score or verdict."""
    missing = row.em is None or (answers.judges and row.judge is None)
    return missing and row.question.is_answer_known


def _whole_rows(runs: Runs, run: Run, retriever: str) -> Iterator[Row]:
    """Yield the rows of a column with what a page of rows lacks."""
    answers, scores = runs.answers(run.id, retriever), runs.scores(run.id, retriever)
    lengths = runs.lengths(run.id, retriever)
    for row in runs.every(run.id, retriever):
        name = row.question.id
        row = replace(row, scores=scores.get(name, ()), lengths=lengths.get(name))
        yield with_answer(row, answers)


def _read(runs: Runs, run: Run, row: Row, index: Index) -> list[Passage]:
    """Return the passages that the pipeline retrieved, best first, without ids that lack a text."""
    own = runs.contexts(run.id, row.retriever, row.question.id)
    passages = []
    for hit in row.hits:
        if hit in own:
            passages.append(Passage(hit, hit, 0, own[hit].title, own[hit].text))
        elif hit in index.number:
            passages.append(index.passage(hit))
    return passages
