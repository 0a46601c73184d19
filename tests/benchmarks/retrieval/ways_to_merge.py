"""Edge merging in other ways: the simple ones, and one that skips most pairs.

Each takes the questions of a `World` and gives the best in-coming one of each out-coming one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.cluster import MiniBatchKMeans

from core.hop_graph.edges import jaccard
from core.types import PseudoQuery
from core.vectors import Vectors, unit_norm

Best = dict[str, str]
"""The id of the best in-coming question of an out-coming one."""
Integers = NDArray[np.int64]
BLOCK = 512
PROBES = 16  # lists that an out-coming question looks into


@dataclass(frozen=True)
class World:
    """Questions and their vectors, in order of passage and question."""

    queries: list[PseudoQuery]
    vectors: Vectors

    def side(self, direction: str) -> list[int]:
        return [i for i, query in enumerate(self.queries) if query.direction == direction]

    def passages(self) -> list[str]:
        return list(dict.fromkeys(query.passage_id for query in self.queries))

    def first(self, passages: int) -> "World":
        kept = set(self.passages()[:passages])
        end = sum(query.passage_id in kept for query in self.queries)
        return World(self.queries[:end], self.vectors[:end])


@dataclass(frozen=True)
class Keywords:
    """Which questions have which keywords: `out` is (out, words), `into` is (words, in)."""

    out: sparse.csr_matrix
    into: sparse.csr_matrix

    @classmethod
    def of(cls, world: World, out: Sequence[int], into: Sequence[int]) -> "Keywords":
        words: dict[str, int] = {}
        for query in world.queries:
            for word in query.keywords:
                words.setdefault(word, len(words))

        def incidence(side: Sequence[int]) -> sparse.csr_matrix:
            columns = [[words[w] for w in set(world.queries[i].keywords)] for i in side]
            flat = np.array([c for row in columns for c in row], np.int64)
            starts = np.cumsum([0, *map(len, columns)])
            ones = np.ones(len(flat), np.float32)
            return sparse.csr_matrix((ones, flat, starts), shape=(len(side), len(words)))

        return cls(incidence(out), incidence(into).T.tocsr())

    def jaccards(self, rows: slice) -> sparse.coo_matrix:
        shared = (self.out[rows] @ self.into).tocoo()
        sizes = self.out[rows].sum(axis=1).A1, self.into.sum(axis=0).A1
        shared.data /= sizes[0][shared.row] + sizes[1][shared.col] - shared.data
        return shared


def numpy_loop(world: World) -> Best:
    """All pairs in float32, a block of out-coming questions at a time."""
    out, into = world.side("out"), world.side("in")
    owners = np.array([world.queries[i].passage_id for i in into])
    keywords = Keywords.of(world, out, into)
    targets = world.vectors[into]
    best: Best = {}
    for start in range(0, len(out), BLOCK):
        rows = out[start : start + BLOCK]
        scores = world.vectors[rows] @ targets.T
        shared = keywords.jaccards(slice(start, start + BLOCK))
        scores[shared.row, shared.col] += shared.data
        for row, i in enumerate(rows):
            own = np.searchsorted(owners, world.queries[i].passage_id, "left")
            end = np.searchsorted(owners, world.queries[i].passage_id, "right")
            scores[row, own:end] = -np.inf
        for i, column in zip(rows, scores.argmax(axis=1), strict=True):
            best[world.queries[i].id] = world.queries[into[column]].id
    return best


def cross_join(world: World) -> Best:
    """All pairs as rows of a table, scored row by row."""
    sides = []
    for direction in ("out", "in"):
        chosen = [world.queries[i] for i in world.side(direction)]
        columns = {
            "id": [query.id for query in chosen],
            "passage": [query.passage_id for query in chosen],
            "keywords": [set(query.keywords) for query in chosen],
            "vector": list(world.vectors[world.side(direction)]),
        }
        sides.append(pd.DataFrame(columns))
    pairs = sides[0].merge(sides[1], how="cross", suffixes=("_out", "_in"))
    pairs = pairs[pairs.passage_out != pairs.passage_in]
    pairs["similarity"] = [
        (jaccard(a, b) + float(np.dot(v, w) / (np.linalg.norm(v) * np.linalg.norm(w)))) / 2
        for a, b, v, w in zip(
            pairs.keywords_out, pairs.keywords_in, pairs.vector_out, pairs.vector_in, strict=True
        )
    ]
    found = pairs.loc[pairs.groupby("id_out").similarity.idxmax()]
    return dict(zip(found.id_out, found.id_in, strict=True))


def candidates_first(world: World) -> Best:
    """The best among those that share a keyword and those of the nearest k-means lists."""
    out, into = np.array(world.side("out")), np.array(world.side("in"))
    owners = np.unique([query.passage_id for query in world.queries], return_inverse=True)[1]
    best, score = np.zeros(len(out), np.int64), np.full(len(out), -np.inf, np.float32)

    def offer(rows: Integers, columns: Integers, scores: Vectors) -> None:
        better = scores > score[rows]
        score[rows[better]], best[rows[better]] = scores[better], columns[better]

    for rows, columns in near_lists(world.vectors, out, into):
        scores = world.vectors[out[rows]] @ world.vectors[into[columns]].T
        scores[owners[out[rows]][:, None] == owners[into[columns]]] = -np.inf
        likely = scores.argmax(axis=1)
        offer(rows, columns[likely], scores[np.arange(len(rows)), likely])
    keywords = Keywords.of(world, out.tolist(), into.tolist())
    for start in range(0, len(out), BLOCK):
        shared = keywords.jaccards(slice(start, start + BLOCK))
        kept = owners[out[shared.row + start]] != owners[into[shared.col]]
        rows, columns = shared.row[kept] + start, shared.col[kept]
        cosines = (world.vectors[out[rows]] * world.vectors[into[columns]]).sum(axis=1)
        order = np.argsort(shared.data[kept] + cosines)
        last = dict(zip(rows[order].tolist(), order.tolist(), strict=True))
        rows, chosen = (np.array(list(each), np.int64) for each in (last, last.values()))
        offer(rows, columns[chosen], (shared.data[kept] + cosines)[chosen])
    return {world.queries[i].id: world.queries[into[b]].id for i, b in zip(out, best, strict=True)}


def near_lists(
    vectors: Vectors, out: Integers, into: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """For each list of in-coming questions the out-coming ones that look into it, and the list."""
    count = round(2 * math.sqrt(len(into)))
    lists = MiniBatchKMeans(count, init="random", batch_size=4096, n_init=1, random_state=0)
    lists.fit(vectors[into])
    member = lists.predict(vectors[into])
    centres = unit_norm(lists.cluster_centers_.astype(np.float32))
    near = np.concatenate(
        [
            np.argpartition(vectors[out[start : start + BLOCK]] @ centres.T, -PROBES)[:, -PROBES:]
            for start in range(0, len(out), BLOCK)
        ]
    )
    order = np.argsort(near, axis=None, kind="stable")
    ends = np.searchsorted(near.ravel()[order], np.arange(count + 1))
    for number in range(count):
        rows, columns = order[ends[number] : ends[number + 1]] // PROBES, member == number
        if len(rows) and columns.any():
            yield rows, np.flatnonzero(columns)
