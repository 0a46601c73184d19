"""Match the gold references of files with the documents and passages of a corpus."""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import islice
from types import MappingProxyType

from core.corpus.chunking.word_count import words_in
from core.corpus.file_contents import characters
from core.corpus.gold.given_evidence import without_repeats
from core.corpus.ids.document_ids import Identities
from core.text.clean import one_line
from core.text.display.plurals import counted
from core.types import Evidence, Query

_WHOLE_NUMBER = re.compile(r"(-?\d+)\.0+")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", '"', "”", "'", ")")
_LEAST_WORDS, _LONG = 5, 120  # words of a sentence, and characters of what is no title
_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})


class Linker:
    """Finds the documents and passages that references to gold name.

    A reference is looked up, in this order, as an id of a document or a passage, as the address of
    a document, as a title that only one document has, as a number that is written otherwise (`1`
    and `1.0`), as a text that only one document holds, and as several references with commas.

    Parameters
    ----------
    links : other names of a reference, such as an address and a title.
    """

    def __init__(self, known: Identities, links: Mapping[str, Sequence[str]] = _NONE) -> None:
        self.known = known
        self._links = links

    def find(self, reference: str, source: str) -> tuple[str, ...]:
        """Return the ids of the documents or passages that `reference` names in the file `source`.

        Empty if it names none.
        """
        if passage := self._find_one(reference, source):
            return (passage,)
        parts = [part.strip() for part in reference.split(",")]
        if len(parts) > 1 and all(parts):
            several = [self._find_one(part, source) for part in parts]
            if all(several):
                return tuple(name for name in several if name)
        return ()

    def by_number(self, reference: str, source: str) -> str | None:
        """Return the id that a reference names as a number that is written otherwise, or None."""
        name = self._ids_by_number.get(number_of(reference))
        otherwise = name is not None and name != reference
        return name if otherwise and self._find_one(reference, source) == name else None

    def is_ambiguous(self, reference: str) -> bool:
        """Return whether `reference` is a title that several documents have."""
        return self._title_counts[characters(reference)] > 1

    def _find_one(self, reference: str, source: str) -> str | None:
        """Look a reference up in each way in turn, under all its names; None if nothing matches."""
        others = self._links.get(reference, ())
        # Titles have no entities in them here; what names one may.
        names = dict.fromkeys((reference, *others, *map(characters, (reference, *others))))
        lookups: tuple[Callable[[str], str | None], ...] = (
            lambda name: self.known.find(name, source),
            self._ids_by_address.get,
            self._ids_by_title.get,
            lambda name: self._ids_by_number.get(number_of(name)),
            self._by_exact_text,
            self._by_quotation,
        )
        for look in lookups:
            for name in names:
                if name and (passage := look(name)):
                    return passage
        return None

    @cached_property
    def _ids_by_address(self) -> dict[str, str]:
        return {str(made.metadata.get("url") or ""): made.id for made in self.known.documents}

    @cached_property
    def _title_counts(self) -> Counter[str]:
        return Counter(made.title for made in self.known.documents)

    @cached_property
    def _ids_by_title(self) -> dict[str, str]:
        documents = self.known.documents
        return {made.title: made.id for made in documents if self._title_counts[made.title] == 1}

    @cached_property
    def _ids_by_number(self) -> dict[str, str]:
        """Map each whole number to the one document that has it as its id, as `1` or `1.0`."""
        ids = [made.id for made in self.known.documents]
        several = Counter(map(number_of, ids))
        return {number_of(name): name for name in ids if several[number_of(name)] == 1}

    def _by_exact_text(self, reference: str) -> str | None:
        """Return the id of the only document with exactly this text, which may be short."""
        return self._ids_by_text.get(one_line(reference))

    @cached_property
    def _ids_by_text(self) -> dict[str, str]:
        texts = [(one_line(made.text), made.id) for made in self.known.documents]
        several = Counter(text for text, _ in texts)
        return {text: name for text, name in texts if text and several[text] == 1}

    def _by_quotation(self, reference: str) -> str | None:
        """Return the id of the only document that contains `reference` as a quotation, if any."""
        text = one_line(reference)
        if not _is_quote(text):
            return None
        texts = self._texts
        first_two = islice(
            (number for number in self._candidates(text) if text in texts[number]), 2
        )
        numbers = list(first_two)
        return self.known.documents[numbers[0]].id if len(numbers) == 1 else None

    def _candidates(self, text: str) -> Sequence[int]:
        """Return the numbers of the documents that contain the rarest word of `text`."""
        inside = _words(text)[1:-1]  # the first and the last may be parts of words
        if not inside:
            return range(len(self._texts))
        return min((self._numbers_by_word.get(word, ()) for word in inside), key=len)

    @cached_property
    def _texts(self) -> list[str]:
        return [one_line(made.text) for made in self.known.documents]

    @cached_property
    def _numbers_by_word(self) -> dict[str, "array[int]"]:
        """Map each word to the numbers of the documents that contain it, in rising order."""
        numbers_by_word: dict[str, array[int]] = {}
        for number, text in enumerate(self._texts):
            for word in set(_words(text)):
                numbers_by_word.setdefault(word, array("I")).append(number)
        return numbers_by_word


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in words_in(text)]


def number_of(name: str) -> str:
    """Return a whole number without decimals, as pandas writes them; any other name as it is.

    >>> number_of("1.0"), number_of("007"), number_of("1.5")
    ('1', '007', '1.5')
    """
    match = _WHOLE_NUMBER.fullmatch(name)
    return match[1] if match else name


def _is_quote(text: str) -> bool:
    """Return whether a reference quotes the text of a document rather than names one."""
    sentence = text.endswith(_SENTENCE_ENDS) and len(text.split()) >= _LEAST_WORDS
    return sentence or len(text) > _LONG


def with_gold(query: Query, find: Callable[[str, str], Iterable[str]], known: Identities) -> Query:
    """Replace the gold ids of `query`, and the documents of its evidence, by what `find` returns.

    `find` gets a reference and the name of its file. A reference without a result stays.
    Grades follow their ids; if several references become one id, it keeps the highest grade.
    Evidence that is a whole document gets the text of that document.
    """

    @cache
    def found(reference: str) -> tuple[str, ...]:
        return tuple(find(reference, query.origin))

    gold: dict[str, float] = {}
    for reference in query.gold:
        for name in found(reference) or (reference,):
            gold[name] = max(gold.get(name, 0.0), query.grades.get(reference, 1.0))
    grades = {name: grade for name, grade in gold.items() if grade != 1}
    evidence = without_repeats(_with_document_id(each, found, known) for each in query.evidence)
    return replace(query, gold=tuple(gold), grades=grades, evidence=evidence)


def _with_document_id(
    evidence: Evidence, find: Callable[[str], Iterable[str]], known: Identities
) -> Evidence:
    """Return `evidence` with the id of its document, if exactly one is found."""
    if not evidence.document:
        return evidence
    documents = list(dict.fromkeys(map(known.document_of, find(evidence.document))))
    if len(documents) == 1:
        text = evidence.text or one_line(known.text_of(documents[0]))
        return replace(evidence, document=documents[0], text=text)
    if evidence.document == evidence.text:  # a text that no document holds names none
        return replace(evidence, document="")
    return evidence


def note_on_missing_gold(queries: Iterable[Query], linker: Linker) -> list[str]:
    """Return a sentence about gold that names no document of the corpus.

    Without any document nothing is missing: the questions belong to an existing index.
    """
    if not linker.known.documents:
        return []
    lost = Counter(query.id for query, _ in _unmatched_gold(queries, linker))
    return [
        f"Gold of {counted(len(lost), 'question', 'questions')} refers to documents that are not "
        f"in this corpus ({counted(lost.total(), 'reference', 'references')}); without them "
        "recall cannot reach 100%"
    ] * bool(lost)


def ambiguous(queries: Iterable[Query], linker: Linker) -> list[str]:
    """Return a sentence on gold and evidence that are named by a title of several documents."""
    asked = list(queries)
    named = [reference for _, reference in _unmatched_gold(asked, linker)]
    named += [each.document for query in asked for each in query.evidence]
    titles = [
        name
        for name in dict.fromkeys(named)
        if not linker.known.has(name) and linker.is_ambiguous(name)
    ]
    return [
        f"{counted(len(titles), 'gold reference is a title', 'gold references are titles')} shared "
        f"by several documents, such as '{titles[0]}'; refer to these documents by id"
        for _ in titles[:1]
    ]


def _unmatched_gold(queries: Iterable[Query], linker: Linker) -> Iterator[tuple[Query, str]]:
    """Yield each gold reference that no document matches, with its question."""
    for query in queries:
        for reference in query.gold:
            if linker.known.find(reference, query.origin) is None:
                yield query, reference
