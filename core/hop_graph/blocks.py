"""Checkpoints of edge merging: the matches of each finished block of out-questions.

The result of a block is small compared with the work to find it: one row per pair of passages. Its
name is a hash of everything it depends on. A resumed build therefore finds the finished blocks,
and a different build finds none.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from core.hop_graph.best import Best
from core.hop_graph.cap import Pairs, pairs_of
from core.hop_graph.matching import Counted
from core.hop_graph.sides import Side
from core.store.build_checkpoints import Unfinished

_MADE_BY = b"1"  # version; change it when the same questions are matched differently
_CERTIFIED = b"certified"
_SCORES = ("jaccard", "cosine")

BlockPairs = tuple[Pairs, int]
"""The pairs of a block, and the number of certified matches (see `Best.certified`)."""


def digest_of(side: Side) -> bytes:
    """Hash everything in `side` that affects matching, to 16 bytes."""
    digest = blake2b(_MADE_BY, digest_size=16)
    for texts in (side.passages.tolist(), side.ids.tolist(), side.words):
        digest.update("\0".join([str(len(texts)), *texts]).encode())
    vectors = side.vectors[side.rows]
    for numbers in (side.keywords.indptr, side.keywords.indices, vectors):
        digest.update(np.ascontiguousarray(numbers).data)
    return digest.digest()


def load_or_match(
    out: Side,
    into: Iterable[bytes],
    probes: int,
    kept: Unfinished | None,
    find: Callable[[], Best],
    progress: Counted | None = None,
) -> BlockPairs:
    """Return the pairs of a block from its checkpoint, or match it and write the checkpoint.

    Parameters
    ----------
    out : the block; it has all out-questions of each of its passages.
    into : `digest_of` each block of in-questions.
    probes : number of lists that are searched per question, 0 for all pairs.
    kept : the checkpoints; None to use none.
    find : matches the block.
    progress : called with the number of questions if there was a checkpoint.
    """
    if kept is None:
        return _match(out, find)
    parts = (digest_of(out), str(probes).encode(), *into)
    name = blake2b(b"\0".join(parts), digest_size=16).hexdigest()
    rows = kept.find(name)
    if rows is None:
        rows = _to_table(*_match(out, find))
        kept.keep(name, rows)
    elif progress:
        progress(len(out))
    return _from_table(rows)


def _match(out: Side, find: Callable[[], Best]) -> BlockPairs:
    best = find()
    return pairs_of(out, best), best.certified


def _to_table(pairs: Pairs, certified: int) -> pa.Table:
    kinds = ((f.name, pa.float64() if f.name in _SCORES else pa.string()) for f in fields(Pairs))
    columns = {name: pa.array(getattr(pairs, name), kind) for name, kind in kinds}
    return pa.table(columns).replace_schema_metadata({_CERTIFIED: str(certified)})


def _from_table(rows: pa.Table) -> BlockPairs:
    columns = (rows[f.name].to_numpy(zero_copy_only=False) for f in fields(Pairs))
    return Pairs(*columns), int(rows.schema.metadata[_CERTIFIED])
