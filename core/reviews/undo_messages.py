"""What an undo took back, in words."""

from collections.abc import Iterator, Mapping

from core.funnel.stages import stage_words
from core.reviews.codes import Code, names
from core.reviews.review import Undone


def taken_back(undone: Undone, codes: Mapping[int, Code]) -> str:
    """Return what was said and is not any more, as a phrase; what had been taken away stands again.

    >>> from core.reviews.review import Review
    >>> fail = Review("ada", "Who?", "bm25", "fail", note="hm")
    >>> taken_back(Undone(fail, Review("ada", "Who?", "bm25")), {})
    'fail and note'
    >>> taken_back(Undone(Review("ada", "Who?", "bm25"), fail), {})
    'removal of fail and change of note'
    """
    parts = list(_parts(undone, codes))
    return ", ".join([*parts[:-2], " and ".join(parts[-2:])])


def _parts(undone: Undone, codes: Mapping[int, Code]) -> Iterator[str]:
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
