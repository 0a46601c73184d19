"""Documents to a finished version of an index: chunk, ask, embed, merge, write.

A build is a map over passages and then a match over questions. Only texts that the index has
never embedded are embedded, so building again, adding and removing cost what is new, and give the
same edges as a build from scratch.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

import pyarrow as pa

from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.chunking.summary import ChunkingSummary, chunking_summary
from core.corpus.extraction_files import NO_EXTRACTION, Extract, Extraction
from core.corpus.file_contents import content_hash
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought
from core.edits import edited_passages, edited_queries, evidence_after_edits, read_edits
from core.errors import InputError
from core.evidence import with_passages
from core.hop_graph.given_graph import GivenGraph
from core.hop_graph.pseudo_queries import (
    NO_HUBS,
    Hubs,
    Maker,
    Rules,
    hub_limit_of,
    limits_of,
    named_in,
)
from core.indexing.stages import (
    Merging,
    Tally,
    extraction_of,
    graph_version,
    merge,
    passage_rows,
    repeats_in,
    tally,
    texts_of,
)
from core.models.embedder import Embedder
from core.models.embedding import counted, embed
from core.models.supplied import check_supplied_vectors, digest, given_vectors, with_given
from core.places import Place
from core.progress import Progress, Report
from core.store import schema
from core.store.build_checkpoints import Unfinished
from core.store.database import Rows
from core.store.embeddings.vector_cache import VectorCache
from core.store.extraction_table import TABLE as EXTRACTION
from core.store.extraction_table import Matched, digest_of_table, extraction_table, matched
from core.store.metadata import Counts, ExtractionCounts, Meta, Supplied
from core.store.source_documents import TABLE, brought_table
from core.store.verification import require_intact
from core.store.writer import publish, write_tables
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.text.near_duplicates import RepeatCounts
from core.types import Document, Passage, PseudoQuery, Query

_ROWS = 10_000  # read at a time


def _nobody_asks(_: Extraction, __: Matched, ___: int) -> None:
    """Ignore the matches."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of an index before anything is computed.

    `extraction` are entities and triples from elsewhere, or what extracts them from the passages;
    `tell` is told which of them fit.
    """

    brought: Sequence[Brought]
    questions: Sequence[Query]
    chunking: Chunking
    extraction: Extraction | Extract = NO_EXTRACTION
    tell: Callable[[Extraction, Matched, int], None] = _nobody_asks


Cut = Callable[[ChunkingSummary], None]


def unheard(_: ChunkingSummary) -> None:
    """Ignore the report about chunking."""


@dataclass(frozen=True, slots=True)
class Work:
    """The input of the stages of a build; `cut` is called with a summary of the chunking."""

    folder: Place
    documents: Sequence[Document]
    chunking: Chunking
    embedder: Embedder
    report: Report
    maker: Maker
    cut: Cut


@dataclass(frozen=True, slots=True)
class Made:
    """The result of the stages of a build: unwritten tables and their statistics.

    `settle` is called after the tables are published. `unedited` has the original passages, by id,
    of those whose text was edited in a copy.
    """

    tables: Mapping[str, Rows]
    tallied: Tally
    merged: Merging
    graph_version: str
    settle: Callable[[], None]
    hubs: Hubs = NO_HUBS
    supplied: Supplied | None = None
    unedited: Mapping[str, Passage] = field(default_factory=dict)


Make = Callable[[Work], AbstractContextManager[Made]]
"""The stages of a build from documents to edges, wherever they run."""


def write_index(
    folder: Place,
    content: Content,
    embedder: Embedder,
    report: Report,
    maker: Maker,
    cut: Cut = unheard,
    make: Make | None = None,
) -> Meta:
    """Make `content` the version of the index in `folder` that readers see.

    Parameters
    ----------
    cut : is told what the chunking did, as soon as it is known.
    make : does the work; this process if nothing else is said.

    Raises
    ------
    InputError : there is no passage in it.
    StoreError : what the index holds, and would be used again, is damaged.
    """
    started = time.perf_counter()
    now = datetime.now(UTC)
    require_intact(folder)
    brought = [
        each if each.added_at else replace(each, added_at=now.isoformat(timespec="seconds"))
        for each in content.brought
    ]
    known = Identities(brought)
    work = Work(folder, known.documents, content.chunking, embedder, report, maker, cut)
    with (make or build_in_memory)(work) as made:
        tables = {
            "documents": schema.documents_table(_document_records(known)),
            **made.tables,
            TABLE: brought_table(brought),
            "questions": schema.questions_table(_mapped(content.questions, made)),
        }
        version, taken = made.graph_version, None
        if not isinstance(content.extraction, Extraction) or content.extraction.records:
            passages = list(_passages(made.tables["passages"]))
            taken, rows = _extracted(content, passages, report)
            tables[EXTRACTION] = rows
            version = digest_of_table(version, rows)
        meta = Meta(
            schema=schema.SCHEMA_VERSION,
            graph_version=version,
            finished_at=datetime.now(UTC).isoformat(timespec="microseconds"),
            seconds=time.perf_counter() - started,
            chunking=str(content.chunking),
            maker=maker.name,
            embedder=embedder.info,
            counts=_counts(
                len(known.documents),
                len(content.questions),
                made,
                repeats_in(made.tables["passages"]),
            ),
            versions=write_tables(folder, tables),
            hub_limit=hub_limit_of(maker),
            limits=limits_of(maker),
            supplied=made.supplied,
            extraction=taken,
        )
        publish(folder, meta)
        made.settle()
        Unfinished(folder).forget()
    report(Progress("write", 1, 1))
    return meta


def _mapped(questions: Sequence[Query], made: Made) -> list[Query]:
    """Return the questions with their evidence mapped to the passages that were made."""
    passages = _passages(made.tables["passages"])
    if made.unedited:
        return evidence_after_edits(questions, list(passages), made.unedited)
    return with_passages(questions, passages)


def _extracted(
    content: Content, passages: Sequence[Passage], report: Report
) -> tuple[ExtractionCounts, pa.Table]:
    """Return the counts and the table of the extracted entities and triples that match passages."""
    extraction = extraction_of(content.extraction, passages, report)
    fits = matched(extraction, passages)
    content.tell(extraction, fits, len(passages))
    return fits.counts(extraction), extraction_table(fits.found, passages)


@contextmanager
def build_in_memory(work: Work) -> Iterator[Made]:
    """Run all stages of a build in this process, in memory, and yield the unwritten tables.

    Raises
    ------
    InputError : the documents have no passages.
    """
    report, limits = work.report, limits_of(work.maker)
    passages = _split_documents(work.documents, work.chunking, report)
    if not passages:
        raise InputError(NO_PASSAGE)
    work.cut(chunking_summary(work.documents, passages, work.chunking))
    given = given_vectors(work.documents, passages, work.embedder)
    unedited = passages
    passages, applied = edited_passages(passages, read_edits(work.folder))
    rewritten = {name for name, edit in applied.items() if edit.text is not None}
    given = {name: vector for name, vector in given.items() if name not in rewritten}
    made, hubs = _ask(passages, work.maker, report)
    queries = edited_queries(passages, made, applied)
    cache = VectorCache(work.folder, work.embedder.info)
    passage_texts = texts_of(passages)
    own = [text for text, each in zip(passage_texts, passages, strict=True) if each.id not in given]
    asked = [query.text for query in queries]
    embed(cache, [*own, *asked], work.embedder, report)
    vectors = cache.take(asked)
    probed = check_supplied_vectors(work.documents, passages, given, work.embedder)
    if isinstance(work.maker, GivenGraph):
        merged = work.maker.merged(queries, passages)
    else:
        merged = merge(queries, vectors, limits.edge_cap, report, Unfinished(work.folder))
    report(Progress("write", 0, 1))
    called = names(passages)
    rows = passage_rows(passages, called, Keywords(called))
    tables = {
        "passages": schema.with_vectors(rows, with_given(passages, given, cache.take(own))),
        "pseudo_queries": schema.pseudo_query_batches(queries, vectors),
        "edges": schema.edges_table(merged.edges),
    }
    made_by = ((query.passage_id, query.direction, query.maker) for query in queries)
    version = [*(edge.id for edge in merged.edges), *([digest(given)] if given else [])]
    yield Made(
        tables,
        tally(made_by, work.maker.name, limits) + Tally.of(passage.text for passage in passages),
        Merging(len(merged.edges), merged.dropped, merged.certified),
        graph_version((p.id for p in passages), version),
        partial(cache.delete_stored, asked if given else [*own, *asked]),
        hubs,
        probed,
        {passage.id: passage for passage in unedited if passage.id in rewritten},
    )


NO_PASSAGE = (
    "There are no passages to index: no file contains a document with text. To index questions as "
    "documents, name their columns title and text."
)


def _document_records(known: Identities) -> list[schema.StoredDocument]:
    """Return the records of the documents for the index."""
    return [
        schema.StoredDocument(
            made.id,
            made.title,
            made.source,
            dict(made.metadata),
            content_hash(made),
            each.added_at,
        )
        for made, each in zip(known.documents, known.kept.values(), strict=True)
    ]


def _counts(documents: int, questions: int, made: Made, repeats: RepeatCounts | None) -> Counts:
    """Return the counts of the index, with the `questions` that came with its corpus."""
    tallied, merged, hubs = made.tallied, made.merged, made.hubs
    return Counts(
        documents=documents,
        vertices=tallied.passages,
        edges=merged.edges,
        dropped_edges=merged.dropped,
        in_coming=tallied.in_coming,
        out_coming=tallied.out_coming,
        questions=questions,
        text_length=tallied.characters / tallied.passages,
        short_in_coming=tallied.passages - tallied.well_answered,
        short_out_coming=tallied.passages - tallied.well_raising,
        fallbacks=tallied.fallbacks,
        certified=merged.certified,
        hub_limit=hubs.limit,
        hubs=hubs.count,
        hub_names=hubs.names,
        near_duplicates=repeats.near_duplicates if repeats else None,
        overlapping=repeats.overlapping if repeats else None,
    )


def _passages(rows: pa.Table) -> Iterator[Passage]:
    """Yield the passages of a table, without their names."""
    columns = ["id", "document_id", "position", "title", "text"]
    for batch in rows.to_batches(_ROWS):
        yield from (Passage(**row) for row in batch.select(columns).to_pylist())


def _split_documents(
    documents: Sequence[Document], chunking: Chunking, report: Report
) -> list[Passage]:
    """Split documents into passages and report the progress."""
    report(Progress("chunk", 0, len(documents)))
    passages = chunk(documents, chunking)
    report(Progress("chunk", len(documents), len(documents)))
    return passages


def _ask(
    passages: Sequence[Passage], maker: Maker, report: Report
) -> tuple[list[PseudoQuery], Hubs]:
    """Return the questions of all passages, and the names for which rules raise none."""
    report(Progress("questions", 0, len(passages)))
    tell = counted("questions", 0, len(passages), report)
    if not isinstance(maker, Rules):
        return [query for queries in maker(passages, tell) for query in queries], NO_HUBS
    read = maker.read(passages, tell)
    counts = named_in(read)
    common = maker.common(counts, len(read))
    queries = [query for each in read for query in maker.questions(each, common)]
    return queries, maker.hubs(counts, len(read))
