"""Marks that could not be followed to the chunking of an index, and the nearest passage of each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

from core.marks.applying import base_of, with_marks
from core.marks.following import (
    Key,
    followed,
    key_of,
    passages_of_document,
    runs_of,
    shared_runs,
)
from core.marks.gold import query_of
from core.marks.store import Mark, Marks
from core.store.index import Index
from core.text.clean import one_line
from core.text.display.passage_labels import shortened
from core.types import Passage

_EXCERPT = 200  # characters
_nearest: WeakKeyDictionary[Index, dict[Key, str]] = WeakKeyDictionary()
_adding = Lock()


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A mark without a match in the index, until an annotator decides about it.

    Parameters
    ----------
    nearest : the passage that has most of its text; None if none has any.
    shared : whether that passage has all of it, beside other text that is gold. So it is with
        marks that a passage is not gold.
    """

    mark: Mark
    nearest: Passage | None = None
    shared: bool = False

    @property
    def excerpt(self) -> str:
        """The beginning of what was marked, ending at a word; the title if the text is unknown."""
        return shortened(one_line(self.mark.words or self.mark.text or self.mark.title), _EXCERPT)

    @property
    def why(self) -> str:
        """Why the mark was not followed, as a sentence."""
        if self.shared:
            return "Its text is now in a passage that also has other gold text."
        if not self.mark.text:
            return "An earlier version made this mark without storing its text."
        return "No passage contains its text."


def unmatched_sentence(lost: Sequence[Unsettled]) -> str:
    """Say in a sentence how many marks could not be matched."""
    marks = "1 mark" if len(lost) == 1 else f"{len(lost):,} marks"
    return f"{marks} could not be matched to passages after the rebuild."


def unsettled(index: Index) -> list[Unsettled]:
    """Return the marks of `index` that were not followed, by question.

    Raises
    ------
    StoreError : the marks cannot be read.
    """
    by_question: dict[str, list[Mark]] = defaultdict(list)
    for mark in Marks(index.path).all():
        by_question[mark.question].append(mark)
    open_marks: list[Unsettled] = []
    for question, marks in by_question.items():
        places = followed(index, marks)
        shared: Mapping[Mark, str] = {}
        if any(not mark.gold and not each.same for mark, each in zip(marks, places, strict=True)):
            shared = with_marks(index, base_of(index, query_of(index, question)), marks).undecided
        for mark, each in zip(marks, places, strict=True):
            if not each.parts:
                open_marks.append(Unsettled(mark))
            elif mark in shared:
                open_marks.append(Unsettled(mark, index.passage(shared[mark]), shared=True))
    near = _nearest_passages(
        index, [each.mark for each in open_marks if not each.nearest and each.mark.text]
    )
    return [
        Unsettled(each.mark, index.passage(here)) if (here := near.get(key_of(each.mark))) else each
        for each in open_marks
    ]


def _nearest_passages(index: Index, marks: Sequence[Mark]) -> dict[Key, str]:
    """Return the nearest passage of each mark that has one; each is looked for once."""
    with _adding:
        known = _nearest.setdefault(index, {})
    fresh = {key_of(mark): mark for mark in marks if key_of(mark) not in known}
    if fresh:
        known |= _searched(index, fresh.values())
    return {key: here for key in map(key_of, marks) if (here := known[key])}


def _searched(index: Index, marks: Collection[Mark]) -> dict[Key, str]:
    """Return the passage that shares most runs of three words with each mark.

    An empty id if none does.

    Of those that share as many, one of its document is nearer. In a large index only the passages
    of its document are compared.
    """
    wanted = {key_of(mark): runs_of(mark) for mark in marks}
    own = {key_of(mark): mark.document for mark in marks}
    best = dict.fromkeys(wanted, ((0, False), ""))
    passages: Iterable[Passage] = index.passages
    if index.large:
        documents = dict.fromkeys(mark.document for mark in marks)
        passages = (one for each in documents for one in passages_of_document(index, each))
    for passage, shared in shared_runs(wanted, passages):
        for key, held in shared.items():
            near = len(held), passage.document_id == own[key]
            if near > best[key][0]:
                best[key] = near, passage.id
    return {key: here for key, (_, here) in best.items()}
