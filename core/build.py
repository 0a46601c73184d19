"""Corpus to index, stage by stage: chunk, ask, embed, merge, write.

A build is a map over passages and then a match over questions. Only texts that the index has
never embedded are embedded, so building again, adding and removing cost what is new, and give the
same edges as a build from scratch.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from core.corpus.assemble import beside
from core.corpus.chunking import Chunking, chunk
from core.corpus.contents import content_hash, fingerprint_in
from core.corpus.types import Corpus
from core.errors import IndexIncompatible, InputError
from core.hop_graph.edges import Merged, merge_edges
from core.hop_graph.pseudo_queries import RULES, Maker
from core.models.embedder import Embedder
from core.models.embedding import counted, embed
from core.progress import Progress, Report
from core.store import schema
from core.store.cache import VectorCache
from core.store.index import Index
from core.store.lock import writer_lock
from core.store.meta import Counts, Meta
from core.store.tables import check_embedder, last_meta
from core.store.writer import discard_damaged, passage_text, publish, write_tables
from core.text.keywords import Keywords
from core.text.names import names
from core.types import Document, Passage, PseudoQuery, Query
from core.vectors import Vectors

AS_IS = Chunking()


@dataclass(frozen=True, slots=True)
class _Content:
    """What an index is to hold, before any of it is computed."""

    documents: Sequence[schema.StoredDocument]
    passages: Sequence[Passage]
    questions: Sequence[Query]
    chunking: Chunking


def build(
    folder: Path,
    corpus: Corpus,
    embedder: Embedder,
    report: Report,
    *,
    chunking: Chunking = AS_IS,
    maker: Maker = RULES,
    restart: bool = False,
) -> Meta:
    """Make `folder` an index of `corpus`, replacing what it held.

    Parameters
    ----------
    maker : makes the pseudo-queries.
    restart : build over an index that another embedder made or that is damaged, which is refused
        otherwise.

    Raises
    ------
    InputError : the corpus holds no passage.
    IndexLocked : another process is writing this index.
    IndexIncompatible : another embedder made it and `restart` is not set.
    """
    with writer_lock(folder, "a build"):
        if restart:
            discard_damaged(folder)
        elif meta := last_meta(folder):
            check_embedder(meta, embedder.info, folder.name)
        content = _Content(
            documents=_stored(corpus.documents),
            passages=_chunked(corpus.documents, chunking, report),
            questions=corpus.queries,
            chunking=chunking,
        )
        return _write(folder, content, embedder, report, maker)


def add(
    folder: Path,
    corpus: Corpus,
    embedder: Embedder,
    report: Report,
    *,
    maker: Maker = RULES,
    account: Callable[[Corpus], None] | None = None,
) -> Meta:
    """Add documents; those of a file that is there already take the place of what it brought.

    Between them and what came from other files it is as if all were read at once: a text that is
    there is a duplicate, and an id that another text has there is changed (`beside`).

    Parameters
    ----------
    maker : the one that made the index; one that asks a model asks about what is new.
    account : is told the corpus as it is taken, with those duplicates and changes.

    Raises
    ------
    IndexIncompatible : another embedder or another maker made the index.
    """
    with writer_lock(folder, "adding documents"):
        index = Index.open(folder, embedder.info)
        check_maker(index.meta, maker.name, folder.name)
        sources = {document.source for document in corpus.documents} - {""}
        others = (d for d in index.documents if d.source not in sources)
        corpus = beside(corpus, {d.id: fingerprint_in(d.content_hash) for d in others})
        corpus = replace(corpus, notes=(*corpus.notes, *_gone(index, corpus, sources)))
        if account:
            account(corpus)
        known = {document.id: document.content_hash for document in index.documents}
        fresh = [d for d in corpus.documents if known.get(d.id) != content_hash(d)]
        unchanged = {d.id for d in corpus.documents} - {d.id for d in fresh}
        replaced = {d.id for d in index.documents if d.source in sources} - unchanged
        kept = _without(index, replaced)
        asked = {question.id for question in corpus.queries}
        content = replace(
            kept,
            documents=[*kept.documents, *_stored(fresh)],
            passages=[*kept.passages, *_chunked(fresh, kept.chunking, report)],
            questions=[*(q for q in kept.questions if q.id not in asked), *corpus.queries],
        )
        return _write(folder, content, embedder, report, maker)


def _gone(index: Index, corpus: Corpus, sources: Collection[str]) -> list[str]:
    """Says what a file that comes again no longer brings; it may be another file of its name."""
    given = {document.id for document in corpus.documents}
    gone = [d for d in index.documents if d.source in sources and d.id not in given]
    if not gone:
        return []
    named = ", ".join(sorted({document.source for document in gone})[:3])
    return [f"{named} was there already. Documents it had brought that are gone: {len(gone):,}."]


def remove(
    folder: Path,
    document_ids: Collection[str],
    embedder: Embedder,
    report: Report,
    *,
    maker: Maker = RULES,
) -> Meta:
    """Take documents out, with their passages, questions and edges.

    Raises
    ------
    InputError : one of them is not in the index; nothing is removed then.
    IndexIncompatible : another embedder or another maker made the index.
    """
    with writer_lock(folder, "removing documents"):
        index = Index.open(folder, embedder.info)
        check_maker(index.meta, maker.name, folder.name)
        unknown = sorted(set(document_ids) - {document.id for document in index.documents})
        if unknown:
            raise InputError(
                f"{folder.name} has no document {', '.join(map(repr, unknown[:5]))}. "
                "The ids are on the Build page and in: python -m core info --json"
            )
        return _write(folder, _without(index, document_ids), embedder, report, maker)


def check_maker(meta: Meta, maker: str, name: str) -> None:
    """Raise IndexIncompatible unless `maker` made the pseudo-queries of the index called `name`."""
    made = meta.maker or RULES.name
    if made == maker:
        return
    raise IndexIncompatible(
        f"The pseudo-queries of {name} were made by {made}, and now {maker} is to make them. "
        f"Take {made} again, or build the index again with another maker."
    )


def _without(index: Index, document_ids: Collection[str]) -> _Content:
    gone = set(document_ids)
    return _Content(
        documents=[d for d in index.documents if d.id not in gone],
        passages=[p for p in index.passages if p.document_id not in gone],
        questions=index.questions,
        chunking=Chunking.parse(index.meta.chunking),
    )


def _stored(documents: Iterable[Document]) -> list[schema.StoredDocument]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [
        schema.StoredDocument(d.id, d.title, d.source, dict(d.metadata), content_hash(d), now)
        for d in documents
    ]


def _chunked(documents: Sequence[Document], chunking: Chunking, report: Report) -> list[Passage]:
    report(Progress("chunk", 0, len(documents)))
    passages = chunk(documents, chunking)
    report(Progress("chunk", len(documents), len(documents)))
    return passages


def _write(
    folder: Path, content: _Content, embedder: Embedder, report: Report, maker: Maker
) -> Meta:
    started = time.perf_counter()
    if not content.passages:
        raise InputError("There is no passage to index: every document is empty or was rejected.")
    queries = _ask(content.passages, maker, report)
    cache = VectorCache(folder, embedder.info)
    passage_texts = [passage_text(p.title, p.text) for p in content.passages]
    texts = [*passage_texts, *(query.text for query in queries)]
    embed(cache, texts, embedder, report)
    vectors = cache.take([query.text for query in queries])
    merged = _merge(queries, vectors, report)
    report(Progress("write", 0, 1))
    called = names(content.passages)
    keywords = Keywords(called)
    tables = {
        "documents": schema.documents_table(content.documents),
        "passages": schema.passages_table(
            content.passages,
            called,
            [keywords.of(text) for text in passage_texts],
            cache.take(passage_texts),
        ),
        "pseudo_queries": schema.pseudo_queries_table(queries, vectors),
        "edges": schema.edges_table(merged.edges),
        "questions": schema.questions_table(content.questions),
    }
    meta = Meta(
        schema=schema.SCHEMA_VERSION,
        graph_version=_graph_version(content.passages, merged),
        finished_at=datetime.now(UTC).isoformat(timespec="microseconds"),
        seconds=time.perf_counter() - started,
        chunking=str(content.chunking),
        maker=maker.name,
        embedder=embedder.info,
        counts=_counts(content, queries, merged, maker.name),
        versions=write_tables(folder, tables),
    )
    publish(folder, meta)
    cache.keep_only_unused(texts)
    report(Progress("write", 1, 1))
    return meta


def _ask(passages: Sequence[Passage], maker: Maker, report: Report) -> list[PseudoQuery]:
    report(Progress("questions", 0, len(passages)))
    made = maker(passages, counted("questions", 0, len(passages), report))
    return [query for queries in made for query in queries]


def _merge(queries: Sequence[PseudoQuery], vectors: Vectors, report: Report) -> Merged:
    total = sum(query.direction == "out" for query in queries)
    report(Progress("merge", 0, total))
    return merge_edges(queries, vectors, progress=counted("merge", 0, total, report))


def _graph_version(passages: Sequence[Passage], merged: Merged) -> str:
    """Of passages and edges: two indexes with the same graph have the same version, in whatever
    order their documents came."""
    digest = blake2b(digest_size=8)
    for name in (*sorted(p.id for p in passages), *(edge.id for edge in merged.edges)):
        digest.update(name.encode() + b"\x1f")
    return digest.hexdigest()


def _counts(
    content: _Content, queries: Sequence[PseudoQuery], merged: Merged, maker: str
) -> Counts:
    incoming = dict.fromkeys((p.id for p in content.passages), 0)
    outgoing = dict(incoming)
    for query in queries:
        (incoming if query.direction == "in" else outgoing)[query.passage_id] += 1
    lengths = [len(passage.text) for passage in content.passages]
    return Counts(
        documents=len(content.documents),
        vertices=len(content.passages),
        edges=len(merged.edges),
        dropped_edges=merged.dropped,
        in_coming=sum(incoming.values()),
        out_coming=sum(outgoing.values()),
        questions=len(content.questions),
        text_length=sum(lengths) / len(lengths),
        short_in_coming=sum(count < 2 for count in incoming.values()),
        short_out_coming=sum(count < 4 for count in outgoing.values()),
        fallbacks=len({query.passage_id for query in queries if query.maker != maker}),
    )
