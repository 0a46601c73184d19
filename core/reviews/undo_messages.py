"""Sentences that describe an undone change."""

from collections.abc import Iterator, Mapping

from core.funnel.stages import stage_words
from core.reviews.codes import Code, names
from core.reviews.review import Undone


def describe_undone(undone: Undone, codes: Mapping[int, Code]) -> str:
    """Describe what an undo removed from a review, and what it restored.

    >>> from core.reviews.review import Review
    >>> fail = Review("ada", "Who?", "bm25", "fail", note="hm")
    >>> describe_undone(Undone(fail, Review("ada", "Who?", "bm25")), {})
    'fail and note'
    >>> describe_undone(Undone(Review("ada", "Who?", "bm25"), fail), {})
    'removal of fail and change of note'
    """
    parts = list(_undone_parts(undone, codes))
    return ", ".join([*parts[:-2], " and ".join(parts[-2:])])


def _undone_parts(undone: Undone, codes: Mapping[int, Code]) -> Iterator[str]:
    """Yield a phrase for each part of a review that an undo changed, as what was undone."""
    gone, now = undone.gone, undone.now
    if gone.verdict != now.verdict:
        yield gone.verdict or f"removal of {now.verdict}"
    if gone.stage != now.stage:
        yield f"stage '{stage_words(gone.stage)}'" if gone.stage else "stage as found"
    for name in names(set(gone.labels) - set(now.labels), codes, axial=False):
        yield f"label '{name}'"
    for name in names(set(now.labels) - set(gone.labels), codes, axial=False):
        yield f"removal of label '{name}'"
    if gone.note != now.note:
        yield "change of note" if now.note else "note"
