"""The contents of all files to one corpus: ids made unique, duplicates out, gold linked."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.corpus.contents import Contents, characters, fingerprint
from core.corpus.identity import Identities
from core.corpus.tally import sentences
from core.corpus.types import Brought, Corpus
from core.types import Query


def assemble(files: Sequence[Contents], names: Sequence[str] = ()) -> Corpus:
    """One corpus of what all files bring, in their order.

    A document whose title and text are there already is left out as a duplicate; which of them
    stays, and what ids are changed that several texts claim, does not depend on the files' order
    (`Identities`). Gold is looked up among all documents: by id, by passage id, by address, by a
    title that only one has.

    Parameters
    ----------
    names : what the user calls each of `files`, for sentences on what was left out of them.
    """
    brought = tuple(_brought(files))
    known = Identities(brought)
    queries = unique(query for contents in files for query in contents.queries)
    queries, strays = _judged(queries, [pair for file in files for pair in file.judgements])
    links: dict[str, tuple[str, ...]] = {}
    for contents in files:
        links |= contents.links
    linked = _link(queries, known, links)
    return Corpus(
        known.documents,
        tuple(linked),
        duplicates=tuple(duplicate for _, duplicate in known.duplicates()),
        notes=(
            *(note for contents in files for note in contents.notes),
            *sentences(zip(names, (contents.tally for contents in files), strict=False)),
            *renamed(known, known.ids),
            *strays,
            *_missing(linked, known),
        ),
        brought=brought,
    )


def _brought(files: Iterable[Contents]) -> Iterator[Brought]:
    """What files bring; those that are called alike are numbered."""
    alike: Counter[str] = Counter()
    for contents in files:
        sources = {made.source for made in contents.documents}
        alike.update(sources)
        for made in contents.documents:
            yield Brought(made, alike[made.source], contents.merges)


def renamed(known: Identities, texts: Iterable[str]) -> list[str]:
    """Sentences on those of `texts` whose id another text has, by the file that gave it."""
    changed = defaultdict(list)
    for text in texts:
        made = known.kept[text].document
        if made.id != known.ids[text]:
            changed[made.source].append((made.id, known.ids[text]))
    return [
        f"{source}: {len(pairs):,} ids were taken by other texts; '{pairs[0][0]}' is now "
        f"'{pairs[0][1]}'" + (", and so on" if len(pairs) > 1 else "")
        for source, pairs in changed.items()
    ]


def unique(queries: Iterable[Query]) -> list[Query]:
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
    queries: Iterable[Query], known: Identities, links: Mapping[str, tuple[str, ...]]
) -> list[Query]:
    documents = known.documents
    addresses = {str(made.metadata.get("url") or ""): made.id for made in documents}
    titles = Counter(made.title for made in documents)
    titled = {made.title: made.id for made in documents if titles[made.title] == 1}

    def found(reference: str, source: str) -> str:
        others = links.get(reference, ())
        # Titles have no entities in them here; what names one may.
        names = dict.fromkeys((reference, *others, *map(characters, (reference, *others))))
        for look in (lambda name: known.find(name, source), addresses.get, titled.get):
            for name in names:
                if name and (gold := look(name)):
                    return gold
        return reference

    return [
        replace(query, gold=tuple(dict.fromkeys(found(each, query.origin) for each in query.gold)))
        for query in queries
    ]


def _missing(queries: Iterable[Query], known: Identities) -> list[str]:
    """A note on gold that is not here; without any document, it belongs to an index made before."""
    if not known.documents:
        return []
    lost = Counter(
        query.id
        for query in queries
        for reference in query.gold
        if known.find(reference, query.origin) is None
    )
    note = (
        f"{lost.total():,} gold references of {len(lost):,} questions name no document here; "
        "add their documents, or these questions can never be answered in full"
    )
    return [note] * bool(lost)
