"""Assign a document and an id to each text, independent of the order of the files."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.corpus.file_contents import content_hash, fingerprint
from core.corpus.ids.passage_ids import passage_id, separators, split_passage_id
from core.corpus.types import Brought, Duplicate

# Ids of nodes in a trace that are no passages: the question itself, and what retrievers call facts,
# entities and so on by number or name.
_RESERVED = re.compile(
    r"#|(?:attribute|cluster|community|entity|fact|field|name|names|needs|part|path|query|related"
    r"|relation|similar|summary|title|tree):.*",
    re.DOTALL,
)


class Identities:
    """The documents of several files, each text once.

    A text in several files becomes the document of the file whose name sorts first; an id from a
    file precedes a generated one. If several texts claim an id, the file whose name sorts first
    keeps it, for its first text; the others get `id~fingerprint`, so that nothing is lost.

    Parameters
    ----------
    brought : the documents of all files, with repetitions.
    """

    def __init__(self, brought: Iterable[Brought]) -> None:
        claims: dict[str, list[Brought]] = defaultdict(list)
        every = list(brought)
        ranks = _ranks(every)
        # Paragraphs of question files come last: where a corpus has the same text, its id is kept.
        for each in sorted(every, key=lambda each: each.quiet):
            claims[content_of(each)].append(each)
        self._claims = claims
        self.kept = {text: _kept_document(text, all_of) for text, all_of in claims.items()}
        """Of each text (`fingerprint` of title and text), the one that its document is made of."""
        self.ids: dict[str, str] = _assign_ids(self.kept, ranks)
        """The id of each text's document."""
        self.documents = tuple(
            replace(each.document, id=self.ids[text]) for text, each in self.kept.items()
        )
        self._by_id = {each.id: each for each in self.documents}
        self.separators = separators(self._by_id)
        """The separator between id and position if passages cannot have the usual ids."""
        self._own, self._given = _references(claims, ranks)

    def duplicates(self) -> list[tuple[str, Duplicate]]:
        """Return the documents left out as duplicates, with their text; not the intended
        repetitions.
        """
        return [
            (text, Duplicate(each.document.id, each.document.source, self.ids[text]))
            for text, all_of in self._claims.items()
            for each in all_of
            if each is not self.kept[text] and not each.quiet
        ]

    def claims(self, text: str) -> list[Brought]:
        """Return all that have a text."""
        return self._claims[text]

    def sources(self, text: str) -> list[str]:
        """Return the names of the files that have a text."""
        return sorted({each.document.source for each in self._claims.get(text, ())})

    def find(self, reference: str, source: str = "") -> str | None:
        """Return the document or passage id that `reference` means, or None.

        Ids that the file `source` gave itself precede those of other files.
        """
        if found := self._document_id(reference, source):
            return found
        if (parts := split_passage_id(reference)) is None:
            return None
        document, position = parts
        found = self._document_id(document, source)
        return passage_id(found, position, self.separators) if found else None

    def has(self, document: str) -> bool:
        """Return whether it is the id of a document."""
        return document in self._by_id

    def document_of(self, name: str) -> str:
        """Return the id of the document of a passage; any other name as it is."""
        parts = None if name in self._by_id else split_passage_id(name)
        return parts[0] if parts and parts[0] in self._by_id else name

    def text_of(self, document: str) -> str:
        """Return the text of a document by its id; empty if there is no such document."""
        passage = self._by_id.get(document)
        return passage.text if passage else ""

    def _document_id(self, reference: str, source: str) -> str | None:
        """Return the document id for a reference of `source`; ids of the same file come first."""
        own = self._own.get((source, reference), set())
        if len(own) == 1:
            return self.ids[next(iter(own))]
        if reference in self._by_id:
            return reference
        given = self._given.get(reference)
        return self.ids[given] if given else None


def content_of(each: Brought) -> str:
    """Return the fingerprint of a document's title and text, which ignores white space."""
    return fingerprint(each.document.title, each.document.text)


def _kept_document(text: str, all_of: Sequence[Brought]) -> Brought:
    """Return the document to keep among `all_of`, which have the same text."""

    def rank(each: Brought) -> tuple[object, ...]:
        made = each.document
        given = text[:10] not in made.id
        return each.quiet, not given, made.source, len(made.id), made.id, content_hash(made)

    return min(all_of, key=rank) if len(all_of) > 1 else all_of[0]


_Rank = tuple[bool, str, int]
_Ranks = Mapping[int, _Rank]


def _ranks(brought: Iterable[Brought]) -> _Ranks:
    """Return the sort key of each document, by `id()`: the first one keeps a disputed id."""
    places: Counter[tuple[str, int]] = Counter()
    ranks = {}
    for each in brought:
        file = (each.document.source, each.number)
        ranks[id(each)] = (each.quiet, each.document.source, places[file])
        places[file] += 1
    return ranks


def _assign_ids(kept: Mapping[str, Brought], ranks: _Ranks) -> dict[str, str]:
    """Return an id for each text; of texts that claim the same id, all but one get a suffix."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for text, each in kept.items():
        wanted[_allowed(each.document.id)].append(text)
    taken, ids = set(wanted), {}
    for name, texts in sorted(wanted.items()):
        first, *others = sorted(texts, key=lambda text: (ranks[id(kept[text])], text))
        ids[first] = name
        for text in others:
            other = f"{name}~{text[:10]}"
            while other in taken:
                other += "~"
            taken.add(other)
            ids[text] = other
    return ids


def _allowed(name: str) -> str:
    """`name`, or another one where a node in a trace that is no passage may have it."""
    return f"~{name}" if _RESERVED.fullmatch(name) else name


def _references(
    claims: Mapping[str, Sequence[Brought]], ranks: _Ranks
) -> tuple[dict[tuple[str, str], set[str]], dict[str, str]]:
    """Return the texts that a file gave an id,
    and the one that an id means where no file is known.
    """
    own: dict[tuple[str, str], set[str]] = defaultdict(set)
    best: dict[str, tuple[_Rank, str]] = {}
    for text, all_of in claims.items():
        for each in all_of:
            name, claim = each.document.id, (ranks[id(each)], text)
            own[each.document.source, name].add(text)
            best[name] = min(best.get(name, claim), claim)
    return own, {name: text for name, (_, text) in best.items()}
