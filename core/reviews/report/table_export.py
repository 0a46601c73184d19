"""Reviews as rows of a table: CSV and JSON Lines. Stages are written in words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.drawing.export import written_csv
from core.funnel.stages import stage_words
from core.reviews.codes import Code, names
from core.reviews.losses.lost_gold import Case, Cases
from core.reviews.review import Review

HEADS = {
    "reviewer": "Reviewer",
    "question": "Question",
    "type": "Question type",
    "retriever": "Retriever",
    "verdict": "Verdict",
    "stage": "Lost at",
    "stage_found": "Lost at, as traced",
    "axial_labels": "Labels",
    "labels": "Labels before merging",
    "note": "Note",
    "lost": "Lost gold",
    "would_have_kept": "What would retrieve it",
    "run": "Run",
    "gold": "Gold ids",
    "gold_level": "Gold counts",
    "at": "Time (UTC)",
}
"""The columns of a CSV, by the names that JSON Lines has."""


def to_csv(
    reviews: Iterable[Review],
    codes: Mapping[int, Code],
    cases: Cases,
    runs: Mapping[str, str] | None = None,
) -> bytes:
    """Return the reviews as CSV, one row each, with several values of a cell on lines of their own.

    Labels are separated by semicolons.

    Parameters
    ----------
    cases : the type and lost gold of each reviewed result.
    runs : the names of runs, by id; a run without a name is written as its id.
    """
    rows = (_cells(one, codes, cases, runs or {}) for one in reviews)
    named = ({HEADS[name]: cell for name, cell in row.items()} for row in rows)
    return written_csv(tuple(HEADS.values()), named)


def to_jsonl(
    reviews: Iterable[Review],
    codes: Mapping[int, Code],
    cases: Cases,
    runs: Mapping[str, str] | None = None,
) -> bytes:
    """Return a JSON object on a line for each review.

    Labels are lists of names, lost gold of objects.
    """
    lines = (
        json.dumps(_row_of(review, codes, cases, runs or {}), ensure_ascii=False) + "\n"
        for review in reviews
    )
    return "".join(lines).encode("utf-8", "replace")


def _row_of(
    review: Review, codes: Mapping[int, Code], cases: Cases, runs: Mapping[str, str]
) -> dict[str, Any]:
    """Return the fields of one review, with its question's type and lost gold."""
    case = cases.get(review.key, Case())
    return {
        "reviewer": review.reviewer,
        "question": review.question,
        "type": case.type,
        "retriever": review.retriever,
        "verdict": review.verdict,
        "stage": stage_words(review.lost_at),
        "stage_found": stage_words(review.found),
        "labels": names(review.labels, codes, axial=False),
        "axial_labels": names(review.labels, codes, axial=True),
        "note": review.note,
        "lost": [asdict(one) for one in case.lost],
        "run": runs.get(review.run, review.run),
        "gold": list(review.gold),
        "gold_level": case.level,
        "at": review.at,
    }


def _cells(
    review: Review, codes: Mapping[int, Code], cases: Cases, runs: Mapping[str, str]
) -> dict[str, str]:
    """Return the columns of a review as text, for formats without nested values."""
    values = _row_of(review, codes, cases, runs)
    lost = values.pop("lost")
    return {
        **{name: _cell(value) for name, value in values.items()},
        "lost": "\n".join(_lost_text(passage) for passage in lost),
        "would_have_kept": "\n".join(
            f"{passage['title']}: {passage['kept_by']}" for passage in lost
        ),
    }


def _lost_text(one: Mapping[str, str]) -> str:
    """Format a lost passage: title, stage, and what would have retrieved it."""
    return ", ".join(filter(None, (f"{one['title']}: {one['stage']}", one["how"])))


def _cell(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)
