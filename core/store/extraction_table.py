"""Entities and triples from a file or a model, as a table of an index: a row for each passage."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from core.corpus.extraction_files import NO_EXTRACTION, Extracted, Extraction
from core.store.index import Index
from core.store.metadata import ExtractionCounts
from core.store.schema import passage_text
from core.text.clean import one_line, text_digest
from core.text.display.plurals import number
from core.types import Passage

TABLE = "extraction"
_HASHES = (hashlib.md5, hashlib.sha1, hashlib.sha256)
_LENGTHS = frozenset(2 * make(b"", usedforsecurity=False).digest_size for make in _HASHES)
_ROWS = pa.schema([(name, pa.string()) for name in ("passage", "text", "entities", "triples")])
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Matched:
    """The records of a file matched to passages.

    Parameters
    ----------
    found : records by passage id.
    unmatched : names or texts of the records that fit no passage.
    """

    found: dict[str, Extracted]
    unmatched: tuple[str, ...]

    def counts(self, extraction: Extraction) -> ExtractionCounts:
        """Count the passages, distinct entities and triples that are used."""
        entities = len({name for record in self.found.values() for name in record.entities})
        triples = sum(len(record.triples) for record in self.found.values())
        return ExtractionCounts(
            extraction.source, len(self.found), entities, triples, extraction.by_model
        )

    def told(self, extraction: Extraction, total: int) -> list[str]:
        """Describe in sentences how much of the file is used, of `total` passages."""
        counts = self.counts(extraction)
        sentences = [
            f"{extraction.source}: entities or triples for {counts.passages:,} of "
            f"{number(total, 'passage')} ({number(counts.entities, 'entity')}, "
            f"{number(counts.triples, 'triple')}); for the others, rules extract them"
        ]
        if self.unmatched:
            named = ", ".join(f"'{name[:60]}'" for name in self.unmatched[:_NAMED])
            more = ", …" if len(self.unmatched) > _NAMED else ""
            sentences.append(
                f"Records that match no passage: {len(self.unmatched):,} ({named}{more})"
            )
        if extraction.left_out:
            sentences.append(
                "Triples left out, as subject, relation or object is missing: "
                f"{extraction.left_out:,}"
            )
        return sentences


def matched(extraction: Extraction, passages: Sequence[Passage]) -> Matched:
    """Match the records of a file to passages: by id, by text, by a hash of it, or by title."""
    hashed = any(_hash_in(name) for record in extraction.records for name in record.names)
    known: dict[str, set[str]] = defaultdict(set)
    titles: dict[str, set[str]] = defaultdict(set)
    for passage in passages:
        for key in _match_keys(passage, hashed=hashed):
            known[key].add(passage.id)
        titles[passage.title].add(passage.id)
    records: dict[str, Extracted] = {}
    unmatched = []
    for record in extraction.records:
        ids = _matching_ids(record, known, titles)
        for name in ids:
            records.setdefault(name, record)
        if not ids:
            unmatched.append(one_line(next(iter(record.names), "")[:200]))
    return Matched(records, tuple(unmatched))


def _matching_ids(
    record: Extracted, known: dict[str, set[str]], titles: dict[str, set[str]]
) -> set[str]:
    """Return the ids of passages with an id, text or hash of the record, else with its title.

    A title must belong to one passage only.
    """
    keys = [f"id {name}" for name in record.names]
    keys += [f"text {text_digest(text)}" for text in record.texts]
    keys += [f"hash {digest}" for name in record.names if (digest := _hash_in(name))]
    for key in keys:
        if ids := known.get(key):
            return ids
    if record.texts[1:]:  # a title beside a text that no passage has is another passage's
        return set()
    named = (titles.get(name, set()) for name in record.names)
    return next((ids for ids in named if len(ids) == 1), set())


def _match_keys(passage: Passage, *, hashed: bool) -> Iterator[str]:
    """Yield the keys by which a record may name a passage: id, texts, and hashes of these."""
    yield f"id {passage.id}"
    forms = (
        passage.text,
        passage_text(passage.title, passage.text),
        f"{passage.title}\n{passage.text}",
    )
    for form in forms:
        yield f"text {text_digest(form)}"
        for make in _HASHES if hashed else ():
            yield f"hash {make(form.encode(), usedforsecurity=False).hexdigest()}"


def _hash_in(name: str) -> str:
    """Return the hash in a name such as HippoRAG's `chunk-…`, or an empty string."""
    last = name.rpartition("-")[2].lower()
    is_hash = len(last) in _LENGTHS and set(last) <= set("0123456789abcdef")
    return last if is_hash else ""


def extraction_table(found: dict[str, Extracted], passages: Iterable[Passage]) -> pa.Table:
    """Build the table of an index from matched records, with the digest of each text."""
    rows = [
        {
            "passage": passage.id,
            "text": text_digest(passage.text),
            "entities": json.dumps(found[passage.id].entities),
            "triples": json.dumps(found[passage.id].triples),
        }
        for passage in passages
        if passage.id in found
    ]
    return pa.Table.from_pylist(rows, schema=_ROWS)


def digest_of_table(version: str, rows: pa.Table) -> str:
    """Extend a version by a hash of the imported entities and triples."""
    digest = hashlib.blake2b(version.encode(), digest_size=8)
    for row in rows.to_pylist():
        digest.update(json.dumps(row, sort_keys=True).encode())
    return digest.hexdigest()


def kept_extraction(index: Index) -> Extraction:
    """Return the imported extraction of an index, for a rebuild with the same texts."""
    by_passage = stored_extraction(index)
    summary = index.meta.extraction
    records = tuple(
        replace(by_passage[one.id], names=(), texts=(f"{one.title}\n{one.text}",))
        for one in index.passages
        if one.id in by_passage
    )
    if summary is None:
        return NO_EXTRACTION
    return Extraction(summary.source, records, by_model=summary.by_model)


def stored_extraction(index: Index) -> dict[str, Extracted]:
    """Return the entities and triples of a file or a model by passage id; empty without either."""
    if TABLE not in index.meta.versions:
        return {}
    return dict(index.tables.rows(TABLE, _from_row))


def _from_row(row: dict[str, str]) -> tuple[str, Extracted]:
    triples = tuple((s, p, o) for s, p, o in json.loads(row["triples"]))
    entities = tuple(json.loads(row["entities"]))
    return row["passage"], Extracted((row["text"],), (), entities, triples)
