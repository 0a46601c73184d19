"""Questions that take two hops, made by rules from the graph, for an index that has none.

An edge joins a passage that names something to the one that tells of it. A question over both
says what the first passage says, with something that the second one says in the place of the name:
'The Ash meets the sea at something that was founded in 1204. What is it?'
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.corpus.contents import made_id
from core.hop_graph.joined import joined, joined_by_name
from core.store.index import Index
from core.text.entities import entity_key
from core.types import Query

MOST = 6
BY_RULES = "made by rules from the graph"
"""The type of these questions."""

_LOOKED_AT = 2_000  # edges
_TOGETHER = 200  # edges whose passages are read at a time
_SPREAD = 20_000  # edges of a large index, evenly apart, of which those are
_ALIKE = 0.5  # by their keywords, at least
_CHOSEN_FROM = 6 * MOST
_BY_NAME = 10.0  # worth less than all that join what passages are called by


@dataclass(frozen=True, slots=True)
class _Found:
    """A question over the edge `edge`, between two passages by number; `worth` is better higher."""

    worth: float
    edge: str
    source: int
    target: int
    text: str


@lru_cache(maxsize=4)
def suggested(index: Index, most: int = MOST) -> tuple[Query, ...]:
    """Up to `most` questions, each over two passages, no passage in two of them.

    Their gold are both passages: one says what the question begins with, the other what it ends
    with. The same graph gives the same questions. There are none where no text is in English.
    """
    found = sorted(_found(index), key=lambda each: (-each.worth, each.edge))
    used: set[int] = set()
    chosen: list[Query] = []
    for each in found:
        if len(chosen) < most and not used & {each.source, each.target}:
            used |= {each.source, each.target}
            chosen.append(_query(each, index))
    return tuple(chosen)


def _query(found: _Found, index: Index) -> Query:
    gold = (index.ids[found.source], index.ids[found.target])
    return Query(made_id(found.text, found.text), found.text, gold=gold, type=BY_RULES)


def _found(index: Index) -> Iterator[_Found]:
    count = 0
    for edge, source, target, keywords in _edges(index):
        first, second = index.passages.take((source, target))
        if first.document_id == second.document_id and first.title == second.title:
            continue
        name, bridge = index.names[source], index.names[target]
        if entity_key(bridge) in keywords:
            text, worth = joined(first, name, second, bridge)
            if text:
                yield _Found(worth, edge, source, target, text)
                count += 1
                continue
        for keyword in keywords if first.document_id != second.document_id else ():
            text, worth = joined_by_name(first, second, keyword)
            if text:
                yield _Found(worth - _BY_NAME, edge, source, target, text)
        if count == _CHOSEN_FROM:
            return


def _edges(index: Index) -> Iterator[tuple[str, int, int, list[str]]]:
    """Edges with their passages and keywords, in the order of their ids: as good as chance.

    Without the graph's other columns, since this is asked for before anything else.
    """
    table = _shared(index)
    if not table.num_rows:
        return
    rows = table.take(pc.select_k_unstable(table, _LOOKED_AT, [("id", "ascending")])).to_pylist()
    for start in range(0, len(rows), _TOGETHER):
        some = rows[start : start + _TOGETHER]
        ends = [(index.number[row["source"]], index.number[row["target"]]) for row in some]
        # What a large index has read of these is at hand for whoever asks for them one by one.
        index.passages.take(end for pair in ends for end in pair)
        index.names.take(end for pair in ends for end in pair)
        for row, (source, target) in zip(some, ends, strict=True):
            if row["keywords"]:
                yield row["id"], source, target, row["keywords"]


def _shared(index: Index) -> pa.Table:
    """Edges whose questions share half of their keywords: all, or of a large index some."""
    columns = ["id", "source", "target", "keywords"]
    if not index.large:
        return index.tables.select("edges", columns, f"jaccard >= {_ALIKE}")
    last = index.meta.counts.edges - 1
    numbers = np.unique(np.linspace(0, max(last, 0), _SPREAD, dtype=np.int64)).tolist()
    table = index.tables.take("edges", numbers[: last + 1], [*columns, "jaccard"])
    return table.filter(pc.field("jaccard") >= _ALIKE)
