"""The blocks that a match is made in, kept as they are finished.

What a block of out-coming questions meets is small beside what it takes to find: a row for each
pair of passages. It is named by everything that it depends on, so that a build that goes on after
a death finds the blocks of the one before, and any other build finds none.
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

_MADE_BY = b"1"  # another one where the same questions meet others
_CERTIFIED = b"certified"
_SCORES = ("jaccard", "cosine")

BlockPairs = tuple[Pairs, int]
"""The pairs of a block, and how many of the matches that they come from are certified."""


def digest_of(side: Side) -> bytes:
    """16 bytes of all that a match asks of a side."""
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
    """Whom the passages of `out` meet: as it was kept, or as `find` finds it, which is kept then.

    Parameters
    ----------
    out : all out-coming questions of each of its passages.
    into : `digest_of` of all in-coming ones, in blocks.
    probes : lists that are looked through for a question, 0 for all pairs.
    progress : is told of the questions of a block that was kept; `find` tells of others.
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
