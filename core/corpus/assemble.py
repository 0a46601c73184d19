"""The contents of all files to one corpus: ids made unique, duplicates out, gold linked."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.corpus.contents import Contents, fingerprint
from core.corpus.types import Corpus, Duplicate
from core.types import Document, Query


def assemble(files: Sequence[Contents]) -> Corpus:
    """One corpus of what all files bring, in their order.

    A document whose title and text are there already is left out as a duplicate. One whose id is
    taken by another text is kept under `id~fingerprint`, so that nothing is lost. Gold is looked
    up among all documents: by id, by passage id, by address, by a title that only one has.
    """
    shelf = _Shelf()
    # Paragraphs of question files come last: where a corpus has the same text, its id is kept.
    for contents in sorted(files, key=lambda each: each.merges):
        for made in contents.documents:
            shelf.add(made, silent=contents.merges)
    queries = _unique(query for contents in files for query in contents.queries)
    queries, strays = _judged(queries, [pair for file in files for pair in file.judgements])
    links: dict[str, tuple[str, ...]] = {}
    for contents in files:
        links |= contents.links
    documents = tuple(shelf.documents.values())
    linked = _link(queries, shelf, links)
    return Corpus(
        documents,
        tuple(linked),
        duplicates=tuple(shelf.duplicates),
        notes=(
            *(note for contents in files for note in contents.notes),
            *_renamed(shelf.renamed),
            *strays,
            *_missing(linked, shelf),
        ),
    )


def beside(corpus: Corpus, there: Mapping[str, str]) -> Corpus:
    """`corpus` as it is read beside documents that an index has from other files.

    What `assemble` does between files is done between these and those: a text that is there is
    left out, and a document whose id another text has there is kept under `id~fingerprint`.

    Parameters
    ----------
    there : `fingerprint(title, text)` of each document of the index, by its id.
    """
    shelf = _Shelf(there)
    for made in corpus.documents:
        known = there.get(made.id) == fingerprint(made.title, made.text)
        shelf.add(made, silent=known)
    moved = shelf.same | dict(pair for pairs in shelf.renamed.values() for pair in pairs)
    queries = [
        replace(query, gold=tuple(dict.fromkeys(_moved(name, moved) for name in query.gold)))
        for query in corpus.queries
    ]
    return replace(
        corpus,
        documents=tuple(shelf.documents.values()),
        queries=tuple(queries),
        duplicates=(*corpus.duplicates, *shelf.duplicates),
        notes=(*corpus.notes, *_renamed(shelf.renamed)),
    )


def _moved(reference: str, moved: Mapping[str, str]) -> str:
    """A document's id, or a passage's of it, after `moved` gave the document another one."""
    if reference in moved:
        return moved[reference]
    document, mark, position = reference.rpartition("#")
    return f"{moved[document]}#{position}" if mark and document in moved else reference


class _Shelf:
    """Documents by id, each text once; `there` are those that others hold, by id."""

    def __init__(self, there: Mapping[str, str] | None = None) -> None:
        self.documents: dict[str, Document] = {}
        self.duplicates: list[Duplicate] = []
        self.renamed: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.same: dict[str, str] = {}
        self._taken = set(there or ())
        self._by_content = {content: name for name, content in (there or {}).items()}

    def add(self, made: Document, *, silent: bool) -> None:
        content = fingerprint(made.title, made.text)
        kept = self._by_content.get(content)
        if kept is not None:
            self.same.setdefault(made.id, kept)
            if not silent:
                self.duplicates.append(Duplicate(made.id, made.source, kept))
            return
        if made.id in self._taken:
            other = replace(made, id=f"{made.id}~{content[:10]}")
            self.renamed[made.source].append((made.id, other.id))
            made = other
        self._by_content[content] = made.id
        self._taken.add(made.id)
        self.documents[made.id] = made

    def find(self, reference: str) -> str | None:
        """The gold that `reference` names by an id: a document's, a duplicate's, a passage's."""
        if reference in self.documents:
            return reference
        if reference in self.same:
            return self.same[reference]
        document, mark, position = reference.rpartition("#")
        is_passage = mark and position.isdecimal() and document in self.documents
        return reference if is_passage else None


def _unique(queries: Iterable[Query]) -> list[Query]:
    """Each question once; one that came twice has the gold of both."""
    found: dict[str, Query] = {}
    for query in queries:
        known = found.get(query.id)
        if known is not None and known.text != query.text:
            query = replace(query, id=f"{query.id}~{fingerprint(query.text)[:10]}")
            known = found.get(query.id)
        if known is not None:
            query = replace(
                known,
                gold=tuple(dict.fromkeys(known.gold + query.gold)),
                answers=tuple(dict.fromkeys(known.answers + query.answers)),
            )
        found[query.id] = query
    return list(found.values())


def _judged(
    queries: list[Query], judgements: Sequence[tuple[str, str]]
) -> tuple[list[Query], list[str]]:
    """Questions with the gold that BEIR's qrels give them, and a note on qrels of none."""
    gold = defaultdict(list)
    for query_id, document_id in judgements:
        gold[query_id].append(document_id)
    judged = [
        replace(query, gold=tuple(dict.fromkeys([*query.gold, *gold.pop(query.id, [])])))
        for query in queries
    ]
    note = f"{len(gold):,} judged questions are in no file; add the queries file to have them"
    return judged, [note] * bool(gold)


def _link(
    queries: Iterable[Query], shelf: _Shelf, links: Mapping[str, tuple[str, ...]]
) -> list[Query]:
    documents = shelf.documents.values()
    addresses = {str(made.metadata.get("url") or ""): made.id for made in documents}
    titles = Counter(made.title for made in documents)
    titled = {made.title: made.id for made in documents if titles[made.title] == 1}

    def found(reference: str) -> str:
        names = (reference, *links.get(reference, ()))
        for look in (shelf.find, addresses.get, titled.get):
            for name in names:
                if name and (gold := look(name)):
                    return gold
        return reference

    return [
        replace(query, gold=tuple(dict.fromkeys(found(reference) for reference in query.gold)))
        for query in queries
    ]


def _renamed(renamed: Mapping[str, list[tuple[str, str]]]) -> list[str]:
    return [
        f"{source}: {len(pairs):,} ids were taken by other texts; '{pairs[0][0]}' is now "
        f"'{pairs[0][1]}'" + (", and so on" if len(pairs) > 1 else "")
        for source, pairs in renamed.items()
    ]


def _missing(queries: Iterable[Query], shelf: _Shelf) -> list[str]:
    """A note on gold that is not here; without any document, it belongs to an index made before."""
    if not shelf.documents:
        return []
    lost = Counter(
        query.id for query in queries for reference in query.gold if shelf.find(reference) is None
    )
    note = (
        f"{lost.total():,} gold references of {len(lost):,} questions name no document here; "
        "add their documents, or these questions can never be answered in full"
    )
    return [note] * bool(lost)
