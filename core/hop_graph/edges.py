"""Edge merging (HopRAG 3.2): each out-coming question meets its best in-coming one.

The match is exact over the whole corpus (`core.hop_graph.matching`), whatever the block size and
the machine; equal candidates go by passage id, then question id.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from scipy import sparse

from core.hop_graph.matching import Counted, Match, Side, best_matches
from core.text.spoken import spoken
from core.types import Edge, PseudoQuery
from core.vectors import Vectors

BLOCK = 512  # out-coming questions a block
CELLS = 2**26  # bounds of a block at most: 500 MB with all that is made of them


@dataclass(frozen=True, slots=True)
class Merged:
    """Edges in order of source, target and id. `dropped` were cut by the cap of n ln n."""

    edges: tuple[Edge, ...]
    dropped: int


def merge_edges(
    queries: Sequence[PseudoQuery],
    vectors: Vectors,
    *,
    block: int = BLOCK,
    progress: Counted | None = None,
) -> Merged:
    """The edges of the graph (3.2, A.4).

    Each out-coming question of a passage is matched to the in-coming question of another passage
    with the largest SIM (Eq. 1). Of several edges between the same two passages in one
    direction the best stays, and of all edges the best ``n ln n``, n being the passages that
    have questions.

    Parameters
    ----------
    queries : questions of both directions, in any order.
    vectors : (len(queries), d) float32, unit-norm.
    block : out-coming questions at a time, fewer where a block would have more than `CELLS`
        bounds; the result does not depend on it.
    progress : called with the number of out-coming questions matched since its last call.
    """
    passages = sorted({query.passage_id for query in queries})
    number = {passage: i for i, passage in enumerate(passages)}
    words = {word: i for i, word in enumerate(sorted({w for q in queries for w in q.keywords}))}
    # In order of passage id, then question id: the first of equal candidates is the one to take.
    order = sorted(range(len(queries)), key=lambda i: (queries[i].passage_id, queries[i].id))
    out = _side([i for i in order if queries[i].direction == "out"], queries, number, words)
    into = _side([i for i in order if queries[i].direction == "in"], queries, number, words)
    best: dict[tuple[int, int], Match] = {}
    block = max(1, min(block, CELLS // max(1, len(into.queries))))
    for match in best_matches(out, into, vectors, block, progress):
        ends = (int(out.owner[match.out]), int(into.owner[match.into]))
        held = best.get(ends)
        if held is None or match.similarity > held.similarity:
            best[ends] = match
    limit = math.floor(len(passages) * math.log(len(passages))) if passages else 0
    ranked = sorted(best.items(), key=lambda item: (-item[1].similarity, item[0]))
    edges = (_edge(out.queries[m.out], into.queries[m.into], m) for _, m in sorted(ranked[:limit]))
    return Merged(tuple(edges), max(0, len(ranked) - limit))


def _side(
    chosen: Sequence[int],
    queries: Sequence[PseudoQuery],
    number: dict[str, int],
    words: dict[str, int],
) -> Side:
    picked = [queries[i] for i in chosen]
    columns = [[words[word] for word in sorted(set(query.keywords))] for query in picked]
    sizes = np.array([len(column) for column in columns], np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    flat = np.array([c for column in columns for c in column], np.int32)
    keywords = sparse.csr_matrix(
        (np.ones(len(flat), np.float32), flat, starts), shape=(len(picked), max(1, len(words)))
    )
    owner = np.array([number[query.passage_id] for query in picked], np.int64)
    return Side(picked, np.array(chosen, np.int64), keywords, sizes, owner)


def jaccard(a: set[str], b: set[str]) -> float:
    """Shared keywords over all keywords, in [0, 1]; of two empty sets it is 0."""
    return len(a & b) / len(a | b) if a or b else 0.0


def _edge(out: PseudoQuery, into: PseudoQuery, match: Match) -> Edge:
    parts = (out.passage_id, into.passage_id, out.text, into.text)
    return Edge(
        id=blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest(),
        source=out.passage_id,
        target=into.passage_id,
        out_query_id=out.id,
        in_query_id=into.id,
        question=spoken(into),
        keywords=tuple(sorted({*out.keywords, *into.keywords})),
        jaccard=match.jaccard,
        cosine=match.cosine,
        similarity=match.similarity,
    )
