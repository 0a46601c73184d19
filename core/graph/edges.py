"""Edge merging (HopRAG 3.2): each out-coming question meets its best in-coming one.

The match is exact over the whole corpus and runs in blocks of out-coming questions: a dense
product for the cosines and a sparse one for the shared keywords, so that memory is bounded by the
block. What lies within `NEAR` of a row's best is scored again in float64 and ties go by passage
id, then question id, which makes the graph independent of block size and machine.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from core.types import Edge, PseudoQuery
from core.vectors import Vectors

NEAR = 1e-5
BLOCK = 512  # out-coming questions a block
CELLS = 2**27  # scores of a block at most: 512 MB

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Merged:
    """Edges in order of source, target and id. `dropped` were cut by the cap of n ln n."""

    edges: tuple[Edge, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class _Side:
    """The questions of one direction, as columns: `owner[i]` is the passage number of i."""

    queries: Sequence[PseudoQuery]
    vectors: Vectors
    keywords: sparse.csr_matrix
    sizes: NDArray[np.int64]
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Match:
    out: int
    into: int
    jaccard: float
    cosine: float

    @property
    def similarity(self) -> float:
        """SIM (Eq. 1)."""
        return (self.jaccard + self.cosine) / 2


def merge_edges(
    queries: Sequence[PseudoQuery],
    vectors: Vectors,
    *,
    block: int = BLOCK,
    progress: Progress | None = None,
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
        scores; the result does not depend on it.
    progress : called with the number of out-coming questions matched since its last call.
    """
    passages = sorted({query.passage_id for query in queries})
    number = {passage: i for i, passage in enumerate(passages)}
    words = {word: i for i, word in enumerate(sorted({w for q in queries for w in q.keywords}))}
    # In order of passage id, then question id: the first of equal candidates is the one to take.
    order = sorted(range(len(queries)), key=lambda i: (queries[i].passage_id, queries[i].id))
    out = _side(
        [i for i in order if queries[i].direction == "out"], queries, vectors, number, words
    )
    into = _side(
        [i for i in order if queries[i].direction == "in"], queries, vectors, number, words
    )
    best: dict[tuple[int, int], _Match] = {}
    for match in _matches(out, into, block, progress):
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
    vectors: Vectors,
    number: dict[str, int],
    words: dict[str, int],
) -> _Side:
    picked = [queries[i] for i in chosen]
    columns = [[words[word] for word in sorted(set(query.keywords))] for query in picked]
    sizes = np.array([len(column) for column in columns], np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    flat = np.array([c for column in columns for c in column], np.int32)
    keywords = sparse.csr_matrix(
        (np.ones(len(flat), np.float32), flat, starts), shape=(len(picked), max(1, len(words)))
    )
    owner = np.array([number[query.passage_id] for query in picked], np.int64)
    return _Side(picked, np.ascontiguousarray(vectors[list(chosen)]), keywords, sizes, owner)


def _matches(out: _Side, into: _Side, block: int, progress: Progress | None) -> Iterator[_Match]:
    """The best match of each out-coming question that has a candidate, in their order."""
    if not len(into.queries):
        return
    block = max(1, min(block, CELLS // len(into.queries)))
    transposed = into.keywords.T.tocsr()
    targets = torch.from_numpy(into.vectors).T
    for start in range(0, len(out.queries), block):
        rows = np.arange(start, min(start + block, len(out.queries)))
        scores = _scores(out, into, rows, transposed, targets)
        for row, candidates in zip(rows, _near_best(scores), strict=True):
            if len(candidates):
                yield _exact(out, into, int(row), candidates)
        if progress:
            progress(len(rows))


def _scores(
    out: _Side,
    into: _Side,
    rows: NDArray[np.int64],
    transposed: sparse.csr_matrix,
    targets: torch.Tensor,
) -> torch.Tensor:
    """2 SIM of `rows` with every in-coming question, (rows, in) float32; -inf for the own ones."""
    scores = torch.from_numpy(out.vectors[rows]) @ targets
    cells = scores.numpy()
    shared = (out.keywords[rows] @ transposed).tocoo()
    union = out.sizes[rows][shared.row] + into.sizes[shared.col] - shared.data
    cells[shared.row, shared.col] += shared.data / union
    # Owners are sorted, so a passage's own in-coming questions are one run of columns.
    first = np.searchsorted(into.owner, out.owner[rows], "left")
    last = np.searchsorted(into.owner, out.owner[rows], "right")
    for row, (a, b) in enumerate(zip(first, last, strict=True)):
        cells[row, a:b] = -np.inf
    return scores


def _near_best(scores: torch.Tensor) -> list[NDArray[np.int64]]:
    """For each row the columns within 2 `NEAR` of its best (a score is 2 SIM)."""
    best = scores.amax(dim=1)
    near = torch.nonzero(scores >= (best - 2 * NEAR)[:, None]).numpy()
    near = near[np.isfinite(best.numpy())[near[:, 0]]]
    bounds = np.searchsorted(near[:, 0], np.arange(len(scores) + 1))
    return [near[a:b, 1] for a, b in pairwise(bounds)]


def _exact(out: _Side, into: _Side, row: int, candidates: NDArray[np.int64]) -> _Match:
    """The best candidate in float64; of equal ones the first in order of passage and question."""
    here = out.vectors[row].astype(np.float64)
    # A sum over each row for itself: unlike a matrix product it does not depend on the others.
    cosines = (into.vectors[candidates].astype(np.float64) * here).sum(axis=1)
    own = set(out.queries[row].keywords)
    jaccards = [jaccard(own, set(into.queries[i].keywords)) for i in candidates]
    similarity = (np.array(jaccards) + cosines) / 2
    best = int(np.argmax(similarity))
    return _Match(row, int(candidates[best]), jaccards[best], float(cosines[best]))


def jaccard(a: set[str], b: set[str]) -> float:
    """Shared keywords over all keywords, in [0, 1]; of two empty sets it is 0."""
    return len(a & b) / len(a | b) if a or b else 0.0


def _edge(out: PseudoQuery, into: PseudoQuery, match: _Match) -> Edge:
    parts = (out.passage_id, into.passage_id, out.text, into.text)
    return Edge(
        id=blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest(),
        source=out.passage_id,
        target=into.passage_id,
        out_query_id=out.id,
        in_query_id=into.id,
        question=into.text,
        keywords=tuple(sorted({*out.keywords, *into.keywords})),
        jaccard=match.jaccard,
        cosine=match.cosine,
        similarity=match.similarity,
    )
