"""Build artefacts atomically under the writer's lock, skipping those that are current."""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from core.artefacts.authorship import AuthorshipCounter, check_written
from core.artefacts.base import Artefact, Bench
from core.artefacts.stored_artefacts import digest, maker, missing
from core.errors import InputError, StoreError
from core.models.embedding import embed
from core.progress import Progress, Report, Spending, Stage
from core.store.artefact_tables import Shelved, put, remove_unused, shelved, write_artefact
from core.store.embeddings.vector_cache import VectorCache, embeddings_of
from core.store.locking.writer_lock import writer_lock
from core.store.tables import read_meta
from core.store.verification import require_intact
from core.vectors import Vectors

Paid = Callable[[], Spending]
"""Says what a run has paid its model for so far."""


def make_artefacts(
    bench: Bench,
    artefacts: Iterable[Artefact[Any]],
    report: Report,
    paid: Paid = Spending,
    published: Callable[[Shelved], None] | None = None,
) -> None:
    """Build those `artefacts`, and what they need, that are missing or stale.

    Parameters
    ----------
    report : receives progress, with the artefact's name as stage. It may raise `Cancelled`:
        finished artefacts and embedded texts are kept.
    published : called with each artefact that was stored.

    Raises
    ------
    InputError : an artefact asks a language model, and there is none.
    LlmError : the model fails too often in a row, or wrote no part of an artefact, which is not
        stored.
    IndexLocked : another process is writing the index.
    StoreError : the index was built again since `bench` opened it, or is damaged.
    """
    wanted = tuple(artefacts)
    if not (waiting := missing(wanted, bench)):
        return
    folder = bench.index.path
    with writer_lock(folder, f"making {', '.join(each.name for each in waiting)}"):
        _check_open_version(bench)
        require_intact(folder)
        remove_unused(folder)
        for artefact in missing(wanted, bench):  # another process may have made some meanwhile
            row = _make(artefact, bench, report, paid)
            if published:
                published(row)


def _make(artefact: Artefact[Any], bench: Bench, report: Report, paid: Paid) -> Shelved:
    """Build one artefact, publish it, and delete tables that are no longer needed.

    Vectors that only the replaced artefact had are kept in the cache.
    """
    if artefact.make is None:
        raise ValueError(f"{artefact.name} is kept in memory only")
    if artefact.asks(bench.oracle) and bench.oracle is None:
        raise InputError(
            f"{artefact.name} needs a language model, and none is configured. Set HOPRAG_LLM "
            "to its name, and HOPRAG_LLM_URL to its server unless you use OpenAI."
        )
    folder, started, before = bench.index.path, time.perf_counter(), paid()
    report(Progress(artefact.name, 0, 1))
    counter = AuthorshipCounter(bench.oracle if artefact.asks(bench.oracle) else None)
    tables = artefact.make(counter.counted_bench(bench), counter.counted_report(report))
    authorship = counter.authorship
    check_written(artefact, authorship)
    rows = shelved(folder)
    key = digest(artefact, bench, rows)
    written = write_artefact(folder, artefact.name, key, tables)
    embedder = bench.embedder.info
    if artefact.name in rows:  # keep its vectors for later builds
        VectorCache(folder, embedder).keep_without(artefact.name)
    made = Shelved(
        name=artefact.name,
        digest=key,
        maker=maker(artefact, bench, rows),
        vectors=embeddings_of(embedder),
        versions=written.versions,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=time.perf_counter() - started,
        size=written.size,
        serial=written.serial,
        spending=paid().since(before) if artefact.asks(bench.oracle) else None,
        authorship=authorship,
    )
    put(folder, made)
    remove_unused(folder)
    VectorCache(folder, embedder).delete_stored()
    return made


def _check_open_version(bench: Bench) -> None:
    """Raise StoreError if the index was rebuilt after it was opened."""
    if read_meta(bench.index.path).finished_at != bench.index.meta.finished_at:
        raise StoreError(
            f"{bench.index.name} was rebuilt after it was opened. Reload the page, or run the "
            "command again."
        )


def embed_texts(bench: Bench, texts: Sequence[str], report: Report, stage: Stage) -> Vectors:
    """Embed `texts` for an artefact; returns (len(texts), d) float32, unit-norm.

    Vectors that the index has already are reused; new ones are stored batch by batch.

    Parameters
    ----------
    stage : the stage of the progress, such as the artefact's name.
    """
    with writer_lock(bench.index.path, "embedding"):
        cache = VectorCache(bench.index.path, bench.embedder.info)
        embed(cache, texts, bench.embedder, report, stage)
        return cache.take(texts)
