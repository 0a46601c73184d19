"""Match marks in an index with other chunking: passages that contain the marked text.

A mark is first looked for as its passage, by id and text; then as any passage of the same text;
then by its text among the passages of its document, and last among all passages. Words that were
selected in a passage are needed as a whole. Of a whole passage any part is enough.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from threading import Lock
from weakref import WeakKeyDictionary

from core.evidence import Parts, with_passages
from core.evidence.normalising import normalised, words
from core.marks.store import Mark, Marks
from core.store.index import Index
from core.text.clean import text_digest
from core.types import Evidence, MatchStep, Passage, Query

_OWN_WORDS = 6
"""From so many words on, text that two passages share is no coincidence."""

_RUN = 3  # words
_MOST = 0.8
"""Share of a passage's words that are left of it at least; headings between them may be gone."""

Key = tuple[str, str, str, str, bool]
Run = tuple[str, ...]
_known: WeakKeyDictionary[Index, dict[Key, "Followed"]] = WeakKeyDictionary()
_adding = Lock()


@dataclass(frozen=True, slots=True)
class Followed:
    """The passages of an index that contain the marked text; none if it was not found.

    Parameters
    ----------
    parts : one passage of each part is needed, as in `core.types.Evidence`.
    same : whether it is the passage that was marked, or another one of the same text.
    step, score : how the text was found, if it is another passage.
    """

    parts: Parts = ()
    same: bool = False
    step: MatchStep = "not found"
    score: float = 0.0

    @property
    def passages(self) -> tuple[str, ...]:
        """All passages of `parts`, each once."""
        return tuple(dict.fromkeys(one for part in self.parts for one in part))

    @property
    def passage(self) -> str | None:
        """The passage that alone holds it; None if there is none, or several."""
        passages = self.passages
        return passages[0] if len(passages) == 1 else None


NOT_FOUND = Followed()


def evidence_of(mark: Mark, found: Followed = NOT_FOUND) -> Evidence:
    """Return a mark as evidence, with the passages that contain it."""
    return Evidence(
        mark.words or mark.text,
        kind="fact" if mark.words else "paragraph",
        document=mark.document,
        by=mark.who,
        step=found.step,
        score=found.score,
        parts=found.parts,
    )


def followed(index: Index, marks: Sequence[Mark]) -> list[Followed]:
    """Return the passages of each mark in `index`. The results are cached per open index.

    Raises
    ------
    StoreError : the marks of the index cannot be read.
    """
    with _adding:
        known = _known.setdefault(index, {})
    fresh = {key_of(mark): mark for mark in marks if key_of(mark) not in known}
    searched = {}
    for key, mark in fresh.items():
        if here := _unchanged_passage(mark, index):
            known[key] = Followed(((here,),), same=True)
        else:
            searched[key] = mark
    if searched:
        # One pass over all passages finds every mark of the index.
        others = (mark for mark in Marks(index.path).all() if key_of(mark) not in known)
        searched |= {key_of(mark): mark for mark in others}
        known |= _match_marks(index, searched)
    return [known[key_of(mark)] for mark in marks]


def common_run(one: str, other: str) -> bool:
    """Return whether two texts have six words in a row in common,
    or all words of the shorter one.
    """
    first, second = words(normalised(one)), words(normalised(other))
    size = min(_OWN_WORDS, len(first), len(second))
    return size > 0 and not runs(first, size).isdisjoint(runs(second, size))


def covered(text: str, others: Iterable[str]) -> float:
    """Return the share of the words of `text` that stand in runs of three in any of `others`."""
    text_words = words(normalised(text))
    if not text_words:
        return 0.0
    size = min(_RUN, len(text_words))
    known = {run for other in others for run in runs(words(normalised(other)), size)}
    inside: set[int] = set()
    for at in range(len(text_words) - size + 1):
        if tuple(text_words[at : at + size]) in known:
            inside.update(range(at, at + size))
    return len(inside) / len(text_words)


def runs(found: Sequence[str], size: int) -> set[Run]:
    """Return all runs of `size` words."""
    return {tuple(found[at : at + size]) for at in range(len(found) - size + 1)}


def shared_runs(
    wanted: Mapping[Key, set[Run]], passages: Iterable[Passage]
) -> Iterator[tuple[Passage, dict[Key, set[Run]]]]:
    """Yield each passage with the runs of three words that it shares with any of `wanted`."""
    known: dict[Run, list[Key]] = defaultdict(list)
    for key, some in wanted.items():
        for run in some:
            known[run].append(key)
    for passage in passages:
        shared: dict[Key, set[Run]] = defaultdict(set)
        for run in runs(words(normalised(passage.text)), _RUN):
            for key in known.get(run, ()):
                shared[key].add(run)
        if shared:
            yield passage, shared


def runs_of(mark: Mark) -> set[Run]:
    """Return the runs of three words that tell where a mark is: of selected words if they are
    enough, or else of the passage that they were selected in."""
    selected = words(normalised(mark.words))
    whole = words(normalised(mark.text))
    return runs(selected if len(selected) >= _OWN_WORDS else whole, _RUN)


def key_of(mark: Mark) -> Key:
    """Return the fields of a mark that determine its passages in an index."""
    return mark.passage, mark.digest, mark.document, mark.words, bool(mark.text)


def _unchanged_passage(mark: Mark, index: Index) -> str | None:
    """Return the passage that was marked, or one of the same text, of the same document if that is
    there.

    A short text of another document may be the same by coincidence.
    """
    number = index.number.get(mark.passage)
    if number is not None and text_digest(index.passages[number].text) == mark.digest:
        return mark.passage
    here = index.passage_of_text(mark.digest)
    own = mark.document in index.document_passages
    if here and own and index.passage(here).document_id != mark.document:
        return None
    return here


def _match_marks(index: Index, marks: Mapping[Key, Mark]) -> dict[Key, Followed]:
    """Match each mark with passages: by id, in its document, elsewhere, or by its digest."""
    places: dict[Key, Followed] = {}
    for key, mark in marks.items():
        if here := _unchanged_passage(mark, index):
            places[key] = Followed(((here,),), same=True)
    left = [(key, mark) for key, mark in marks.items() if key not in places and mark.text]
    by_document = sorted(left, key=lambda item: item[1].document)
    for document, some in groupby(by_document, lambda item: item[1].document):
        places |= _in_document(dict(some), passages_of_document(index, document))
    lost = {key: mark for key, mark in left if not places[key].parts}
    if lost and not index.large:
        places |= _elsewhere(lost, index)
    for key, mark in marks.items():
        if not (places.get(key) or NOT_FOUND).parts:
            here = index.passage_of_text(mark.digest)
            places[key] = Followed(((here,),), same=True) if here else NOT_FOUND
    return places


def passages_of_document(index: Index, document: str) -> list[Passage]:
    """Return the passages of a document, in order; none if it is not there."""
    ids = index.document_passages.get(document, ())
    return index.passages.take(index.number[one] for one in ids)


def _in_document(marks: Mapping[Key, Mark], passages: Sequence[Passage]) -> dict[Key, Followed]:
    """Look for marks in the passages of their document."""
    placed = _map_marks(marks.values(), passages)
    texts = {passage.id: passage.text for passage in passages}
    return {
        key: _narrow_by_context(mark, each, texts) or _pieces(mark, passages)
        for (key, mark), each in zip(marks.items(), placed, strict=True)
    }


def _elsewhere(marks: Mapping[Key, Mark], index: Index) -> dict[Key, Followed]:
    """Look for marks in the document that has most of their text, if it has half of it."""
    wanted = {key: runs_of(mark) for key, mark in marks.items()}
    wanted = {key: some for key, some in wanted.items() if len(some) > _OWN_WORDS - _RUN}
    shared: dict[tuple[Key, str], set[Run]] = defaultdict(set)
    for passage, some in shared_runs(wanted, index.passages):
        for key, held in some.items():
            shared[key, passage.document_id] |= held
    best: dict[Key, tuple[int, str]] = {}
    for (key, document), held in shared.items():
        if 2 * len(held) >= len(wanted[key]) and len(held) > best.get(key, (0, ""))[0]:
            best[key] = len(held), document
    places: dict[Key, Followed] = {}
    for key, (_, document) in best.items():
        moved = {key: replace(marks[key], document=document)}
        places |= _in_document(moved, passages_of_document(index, document))
    return places


def _map_marks(marks: Iterable[Mark], passages: Iterable[Passage]) -> list[Evidence]:
    """Map the evidence of marks to passages."""
    asked = [
        Query(str(number), "", evidence=(evidence_of(mark),)) for number, mark in enumerate(marks)
    ]
    return [query.evidence[0] for query in with_passages(asked, passages)]


def _narrow_by_context(mark: Mark, found: Evidence, texts: Mapping[str, str]) -> Followed | None:
    """Keep, of the passages with the selected words, those with the text around them."""
    if not found.parts:
        return None
    parts = found.parts
    if mark.words:
        near = {one for part in parts for one in part if common_run(mark.text, texts[one])}
        parts = tuple(tuple(one for one in part if one in near) or part for part in parts)
    return Followed(parts, step=found.step, score=found.score)


def _pieces(mark: Mark, passages: Iterable[Passage]) -> Followed:
    """Return the passages that a passage with more between them, such as headings, was cut into."""
    if mark.words:
        return NOT_FOUND
    whole = f" {normalised(mark.text)} "
    inside = [each for each in passages if f" {normalised(each.text)} " in whole]
    if covered(mark.text, (each.text for each in inside)) < _MOST:
        return NOT_FOUND
    return Followed((tuple(each.id for each in inside),), step="paragraph")
