"""An edited copy of an index: built by the code that adds and removes documents.

The original is only read. Its vectors are taken over, so that only changed texts are embedded.
"""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.corpus.chunking.chunker import Chunking
from core.corpus.extraction_files import Extract
from core.edits import Edits, read_edits, write_edits
from core.errors import InputError
from core.hop_graph.pseudo_queries import RULES, Maker
from core.indexing.builder import Content, write_index
from core.indexing.updates import asked_again, check_maker
from core.marks import FILE as MARKS
from core.models.embedder import Embedder
from core.models.kept.replies import FILE as REPLIES
from core.places import Place
from core.progress import Progress, Report
from core.store import schema
from core.store.database import connect
from core.store.embeddings.vector_cache import VectorCache, embedded_tables
from core.store.extraction_table import kept_extraction
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.store.metadata import Meta
from core.store.source_documents import read_brought
from core.store.tables import last_meta, open_version

_ROWS = 10_000  # read at a time


def edit_copy(
    source: Place,
    target: Place,
    edits: Edits,
    embedder: Embedder,
    report: Report,
    *,
    maker: Maker = RULES,
    extract: Extract | None = None,
) -> Meta:
    """Make `target` a copy of the index in `source` with `edits`.

    A copy that was interrupted goes on where it was; until it is published, it says that it is
    unfinished. Marks of gold are copied, runs and reviews are not.

    Parameters
    ----------
    edits : added to those of `source`, if that is an edited copy itself.
    maker : the one that made `source`; one that asks a model asks about changed texts only.
    extract : extracts the entities and triples of all passages; without it, those of unchanged
        texts are kept.

    Raises
    ------
    InputError : `target` is a finished index, or one of both is not in a folder.
    IndexIncompatible : another embedder or another maker made `source`.
    """
    if not isinstance(source, Path) or not isinstance(target, Path):
        raise InputError("Only an index in a folder can be edited. Copy it into a folder first.")
    index = Index.open(source, embedder.info)
    check_maker(index.meta, maker, source.name)
    with writer_lock(target, "editing a copy"):
        if last_meta(target):
            raise InputError(f"An index named {target.name!r} already exists. Choose another name.")
        write_edits(target, _all_edits(source, edits))
        _copy_small_files(source, target)
        _take_vectors(index, target, embedder, report)
        brought = read_brought(index)
        chunking = Chunking.parse(index.meta.chunking)
        extraction = extract or kept_extraction(index)
        content = Content(brought, asked_again(index, brought), chunking, extraction)
        return write_index(target, content, embedder, report, maker)


def _all_edits(source: Path, edits: Edits) -> Edits:
    """Return the edits of an edited copy, followed by the new ones."""
    known = read_edits(source)
    result = Edits(edits.source, known.edits if known else ())
    for edit in edits.edits:
        result = result.with_edit(edit)
    return result


def _copy_small_files(source: Path, target: Path) -> None:
    """Copy the marks, and the replies of a model, so that it is not asked again."""
    for name in (MARKS, REPLIES):
        if (source / name).is_file() and not (target / name).exists():
            shutil.copyfile(source / name, target / name)


def _take_vectors(index: Index, target: Path, embedder: Embedder, report: Report) -> None:
    """Give the copy the vectors of all texts of the original."""
    cache = VectorCache(target, embedder.info)
    tables = [
        open_version(connect(index.path), name, index.meta) for name in embedded_tables(index.meta)
    ]
    total, done = sum(table.count_rows() for table in tables), 0
    report(Progress("read", 0, total))
    for table in tables:
        for batch in table.search().to_batches(_ROWS):
            rows = pa.Table.from_batches([batch])
            vectors = dict(
                zip(schema.texts_in(rows), schema.vector_matrix(rows["vector"]), strict=True)
            )
            missing = cache.missing(vectors)
            if missing:
                cache.add(missing, np.stack([vectors[text] for text in missing]))
            done += len(batch)
            report(Progress("read", done, total))
