"""Labels against stages, types of question or retrievers, each cell with what it counts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from core.reviews.codes import Code, names
from core.reviews.review import Key, Review

By = Literal["stage", "type", "retriever", "verdict"]
BYS: tuple[By, ...] = get_args(By)
NO_LABEL = "without a label"
NOTHING = "none"
NO_LOSS = "nothing lost"
"""In the place of a stage."""


@dataclass(frozen=True, slots=True)
class Pivot:
    """The reviews by label and by another field.

    `cells` have the results that they count, each once whoever labelled it. A result with two
    labels is in two rows, so that rows add up to more than there are.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], tuple[Key, ...]]

    def count(self, row: str, column: str) -> int:
        return len(self.cells.get((row, column), ()))

    def of_row(self, row: str) -> tuple[Key, ...]:
        """Return the keys of all results that are counted in a row."""
        keys = (key for column in self.columns for key in self.cells.get((row, column), ()))
        return tuple(dict.fromkeys(keys))


def pivot(
    reviews: Iterable[Review],
    codes: Mapping[int, Code],
    by: By,
    *,
    axial: bool,
    types: Mapping[str, str] | None = None,
) -> Pivot:
    """Count reviewed results by label (rows) and by `by` (columns).

    Rows are sorted by their number of results, largest first; results without a label come last.
    A result without a label counts only if its verdict is a failure.

    Parameters
    ----------
    axial : count groups of labels (axial codes) instead of single labels.
    types : type of each question, by its text.
    """
    of = _column_getters(types or {})[by]
    cells: dict[tuple[str, str], dict[Key, None]] = {}
    for review in reviews:
        labels = names(review.labels, codes, axial=axial)
        if not labels and review.verdict in ("", "pass"):
            continue
        for label in labels or [NO_LABEL]:
            cells.setdefault((label, of(review)), {})[review.key] = None
    held = {cell: tuple(keys) for cell, keys in cells.items()}
    totals: dict[str, set[Key]] = {}
    for (label, _), keys in held.items():
        totals.setdefault(label, set()).update(keys)
    rows = sorted(totals, key=lambda row: (row == NO_LABEL, -len(totals[row]), row.casefold()))
    columns = sorted(
        {column for _, column in held}, key=lambda one: (one in (NOTHING, NO_LOSS), one)
    )
    return Pivot(tuple(rows), tuple(columns), held)


def _column_getters(types: Mapping[str, str]) -> dict[By, Callable[[Review], str]]:
    """Return the function that reads a review's column, for each way to group by columns.

    `types` are the types of questions, by question.
    """
    return {
        "stage": lambda review: review.lost_at or NO_LOSS,
        "type": lambda review: types.get(review.question) or NOTHING,
        "retriever": lambda review: review.retriever,
        "verdict": lambda review: review.verdict or NOTHING,
    }
