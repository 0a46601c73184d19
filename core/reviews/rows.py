"""A review as it stands in the file of reviews."""

import json
from collections.abc import Sequence

from core.reviews.review import VERDICTS, Review, Verdict

COLUMNS = ("reviewer", "question", "retriever", "verdict", "stage", "found", "note", "labels", "at")


def row_of(review: Review) -> Sequence[str]:
    """Its values, in the order of `COLUMNS`."""
    said = (review.verdict, review.stage, review.found, review.note)
    return (review.reviewer, *review.key, *said, json.dumps(review.labels), review.at)


def review_of(row: Sequence[str]) -> Review:
    """The review whose values `row` has, in the order of `COLUMNS`."""
    *told, labels, at = row
    reviewer, question, retriever, verdict, stage, found, note = told
    known: Verdict = next((one for one in VERDICTS if one == verdict), "")
    return Review(
        *(reviewer, question, retriever, known, stage, found, note),
        labels=tuple(json.loads(labels)),
        at=at,
    )
