"""Reviews as rows of a table: CSV, and JSON Lines."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.drawing.export import written_csv
from core.reviews.codes import Code, names
from core.reviews.store import Review

COLUMNS = (
    *("reviewer", "question", "type", "retriever", "verdict", "stage", "stage_found"),
    *("labels", "axial_labels", "note", "at"),
)


def to_csv(reviews: Iterable[Review], codes: Mapping[int, Code], types: Mapping[str, str]) -> bytes:
    """A row for each review; several labels stand in one cell, with semicolons between them.

    Parameters
    ----------
    types : of questions, by their texts.
    """
    rows = (_row(review, codes, types) for review in reviews)
    return written_csv(COLUMNS, ({name: _cell(row[name]) for name in COLUMNS} for row in rows))


def to_jsonl(
    reviews: Iterable[Review], codes: Mapping[int, Code], types: Mapping[str, str]
) -> bytes:
    """A JSON object on a line for each review; labels are lists of names."""
    lines = (
        json.dumps(_row(review, codes, types), ensure_ascii=False) + "\n" for review in reviews
    )
    return "".join(lines).encode("utf-8", "replace")


def _row(review: Review, codes: Mapping[int, Code], types: Mapping[str, str]) -> dict[str, Any]:
    return {
        "reviewer": review.reviewer,
        "question": review.question,
        "type": types.get(review.question, ""),
        "retriever": review.retriever,
        "verdict": review.verdict,
        "stage": review.lost_at,
        "stage_found": review.found,
        "labels": names(review.labels, codes, axial=False),
        "axial_labels": names(review.labels, codes, axial=True),
        "note": review.note,
        "at": review.at,
    }


def _cell(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)
