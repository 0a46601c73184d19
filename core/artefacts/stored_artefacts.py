"""The stored artefacts of an index, and whether they are up to date.

An artefact is known by a digest of all that it was made from. When a document is added the digest
is another one, so the artefact is stale; when the index is built again with the same content it is
the same, and the artefact stays.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from core.artefacts.authorship import authorship_told
from core.artefacts.base import Artefact, Bench, T, Tables, in_order
from core.errors import ArtefactMissing, InputError, StoreError
from core.places import Place
from core.store.artefact_tables import (
    Shelved,
    is_verified,
    read_tables,
    reading_artefact,
    remove,
    remove_unused,
    shelved,
)
from core.store.embeddings.vector_cache import VectorCache
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.store.version_cache import kept_text
from core.types import EmbedderInfo

Rows = Mapping[str, Shelved]


def content_digest(index: Index) -> str:
    """Hash the passages, in order of vertex number, and the graph."""
    if index.large:
        return kept_text(index.tables, "content", lambda: _content_digest(index))
    return _content_digest(index)


def _content_digest(index: Index) -> str:
    """Hash the graph version and all passages in order."""
    digest = blake2b(index.meta.graph_version.encode(), digest_size=16)
    for passage in index.passages:
        written = json.dumps((passage.id, passage.title, passage.text))
        digest.update(written.encode())
    return digest.hexdigest()


def digest(artefact: Artefact[Any], bench: Bench, rows: Rows) -> str:
    """Hash everything that `artefact` is built from.

    Parameters
    ----------
    rows : the records of the stored artefacts.
    """
    made_by = bench.embedder.info
    parts = (
        artefact.name,
        artefact.version,
        sorted(artefact.params.items()),
        maker(artefact, bench, rows),
        made_by.fingerprint,
        made_by.precision,
        bench.content,
        [digest(need, bench, rows) for need in artefact.needs],
    )
    return blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()


def maker(artefact: Artefact[Any], bench: Bench, rows: Rows) -> str:
    """Return the model that builds an artefact, "" for none.

    If no model is configured, return the one that built the stored artefact, so that it can
    still be used.
    """
    if not artefact.asks_model:
        return ""
    if bench.oracle is not None:
        return bench.oracle.llm.model
    return rows[artefact.name].maker if artefact.name in rows else ""


def is_current(artefact: Artefact[Any], bench: Bench, rows: Rows) -> bool:
    """Check whether an artefact is stored and was built from the current index."""
    row = rows.get(artefact.name)
    return row is not None and row.digest == digest(artefact, bench, rows)


def missing(needs: Iterable[Artefact[Any]], bench: Bench) -> tuple[Artefact[Any], ...]:
    """Return the missing or stale artefacts that have to be built for `needs`, in build order."""
    stored = [artefact for artefact in in_order(needs) if artefact.stored]
    if not stored:
        return ()
    rows = shelved(bench.index.path)
    return tuple(artefact for artefact in stored if not is_current(artefact, bench, rows))


EXACT = 2_000
"""Passages up to which the prompts of an artefact are foreseen exactly, which takes seconds."""


def is_foreseeable(needs: Iterable[Artefact[Any]], bench: Bench) -> bool:
    """Check whether the prompts of an artefact that needs `needs` can be listed in advance."""
    return len(bench.index.passages) <= EXACT and not missing(needs, bench)


def made_without_model(needs: Iterable[Artefact[Any]], bench: Bench) -> tuple[Artefact[Any], ...]:
    """Return those of `needs` that a model could build but that were built without one."""
    asking = [artefact for artefact in in_order(needs) if artefact.asks_model]
    rows = shelved(bench.index.path) if asking else {}
    return tuple(each for each in asking if each.name in rows and not rows[each.name].maker)


def partly_by_rules(needs: Iterable[Artefact[Any]], bench: Bench) -> tuple[str, ...]:
    """Return a phrase for each of `needs` that the model wrote only in part."""
    asking = [artefact for artefact in in_order(needs) if artefact.asks_model]
    rows = shelved(bench.index.path) if asking else {}
    stored = ((each, rows[each.name]) for each in asking if each.name in rows)
    return tuple(
        authorship_told(artefact, row)
        for artefact, row in stored
        if row.authorship and row.authorship.by_rules
    )


def stored_artefact(artefact: Artefact[Any], bench: Bench) -> tuple[Shelved | None, Tables]:
    """Return the record and the tables of `artefact`; None and no table if it is not stored.

    Raises
    ------
    ArtefactMissing : it was never built, or is stale.
    StoreError : the tables are damaged.
    """
    if not artefact.stored:
        return None, {}
    folder = bench.index.path
    rows = shelved(folder)
    if not is_current(artefact, bench, rows):
        raise not_there(missing([artefact], bench), bench)
    try:
        row = rows[artefact.name]
        return row, read_tables(folder, row)
    except StoreError:
        if shelved(folder).get(artefact.name) != rows[artefact.name]:  # just made again, or dropped
            raise not_there([artefact], bench) from None
        raise


def opened(artefact: Artefact[T], bench: Bench) -> tuple[Shelved | None, T]:
    """Return the row of `artefact`, and the artefact; raises as `stored_artefact` does.

    Rows that cannot be understood are damage, unless checksums have shown that the files are what
    was written: then the error is one of this program, and is raised as it is.
    """
    row, tables = stored_artefact(artefact, bench)
    folder = bench.index.path
    if row is None or is_verified(folder, row):
        return row, artefact.open(bench, tables)
    with reading_artefact(folder, artefact.name):
        return row, artefact.open(bench, tables)


def not_there(waiting: Iterable[Artefact[Any]], bench: Bench) -> ArtefactMissing:
    """Return the error that says which artefacts have to be built first, and how."""
    names, index = [each.name for each in waiting], bench.index
    return ArtefactMissing(
        f"{', '.join(names)}: not built yet for the current {index.name}. Press 'Build it' on "
        f"the page where you ask, or run: python -m core make {' '.join(names)} --index "
        f"{index.path}"
    )


@dataclass(frozen=True, slots=True)
class OnShelf:
    """A stored artefact.

    `artefact` is None if no retriever uses it any more; `current` tells whether it was built from
    the current content of the index.
    """

    row: Shelved
    artefact: Artefact[Any] | None
    current: bool

    @property
    def authorship(self) -> str:
        """A phrase about who wrote it, a model or rules; "" if it never uses a model."""
        return authorship_told(self.artefact, self.row)


def on_shelf(bench: Bench, known: Mapping[str, Artefact[Any]]) -> list[OnShelf]:
    """List the stored artefacts of an index by name; `known` are the declared artefacts.

    Raises
    ------
    StoreError : the shelf is damaged.
    """
    rows = shelved(bench.index.path)
    return [
        OnShelf(row, known.get(name), name in known and is_current(known[name], bench, rows))
        for name, row in sorted(rows.items())
    ]


def drop(folder: Place, name: str, embedder: EmbedderInfo) -> None:
    """Delete a stored artefact; its vectors stay in the cache for a later build.

    Parameters
    ----------
    embedder : the embedder that built the index.

    Raises
    ------
    InputError : no artefact has that name.
    IndexLocked : another process is writing the index.
    """
    with writer_lock(folder, f"dropping {name}"):
        if name not in (rows := shelved(folder)):
            lying = ", ".join(rows) or "nothing"
            raise InputError(f"{folder.name} has no built {name!r}. It has {lying}.")
        VectorCache(folder, embedder).keep_without(name)
        remove(folder, name)
        remove_unused(folder)
