"""A review as a row of the file of reviews."""

import json
from collections.abc import Container, Sequence

from core.reviews.review import VERDICTS, Review, Verdict

COLUMNS = (
    *("reviewer", "question", "retriever", "verdict", "stage", "found", "note", "labels", "at"),
    *("run", "gold"),
)
ADDED = ("run", "gold")
"""Those that an older file has not, until it is written."""


def select_list(existing: Container[str], prefix: str = "") -> str:
    """Return the column list for a SELECT, with '' for columns that the table lacks.

    Parameters
    ----------
    there : the columns of the table.
    of : a prefix of the table, such as `said.`.
    """
    return ", ".join(f"{prefix}{one}" if one in existing else "''" for one in COLUMNS)


def row_of(review: Review) -> Sequence[str]:
    """Return the values of a review, in the order of `COLUMNS`."""
    said = (review.verdict, review.stage, review.found, review.note)
    on = (review.run, json.dumps(review.gold))
    return (review.reviewer, *review.key, *said, json.dumps(review.labels), review.at, *on)


def review_of(row: Sequence[str]) -> Review:
    """Return the review whose values `row` has, in the order of `COLUMNS`."""
    *texts, labels, at, run, gold = row
    reviewer, question, retriever, verdict, stage, found, note = texts
    known: Verdict = next((one for one in VERDICTS if one == verdict), "")
    return Review(
        *(reviewer, question, retriever, known, stage, found, note),
        labels=tuple(json.loads(labels)),
        at=at,
        run=run,
        gold=tuple(json.loads(gold or "[]")),
    )
