"""Approximate edge merging with inverted lists (IVF).

In-questions are assigned to the list of their nearest centre. An out-question is compared with the
questions of the nearest lists and with all questions that share a keyword with it; these pairs are
scored exactly. Other pairs share no keyword, and their cosine is at most cos(t - r), where t is the
angle between the out-question and the centre, and r the radius of the list. If that bound is not
above the best score, the match is certified: a full search would find the same.

The graph does not depend on blocks or their order. It may differ between machines, because k-means
sums in an order that no library guarantees.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.best import Best
from core.hop_graph.cells import Places
from core.hop_graph.matching import Counted, PairScorer
from core.hop_graph.sides import Ids, Side
from core.vectors import Vectors, unit_norm

ROWS = 512  # out-questions scored at a time
NEARLY = 1e-5  # error of a float32 product
DRAWN = 40_000  # approximate number of in-questions that k-means is fitted to

Drawn = tuple[Ids, Vectors]
"""Ids and vectors of the questions that k-means is fitted to."""
_Cells = tuple[Places, Places]


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The centres of the lists, (k, d) float32 unit-norm, and how many lists are searched."""

    centres: Vectors
    probes: int


def sample_for_centres(into: Side, questions: int) -> Drawn:
    """Sample the in-questions of a block, for fitting k-means.

    The hash of its id decides whether a question is in the sample, so that the sample does not
    depend on the blocks.

    Parameters
    ----------
    questions : number of in-questions in all blocks.
    """
    most = DRAWN * 2**64 // max(1, questions)
    numbers = [_number(name) <= most for name in into.ids.tolist()]
    return into.ids[numbers], into.vectors[into.rows[numbers]]


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")


def lists_of(blocks: Iterable[Drawn], questions: int, probes: int) -> Lists:
    """Fit the centres of the lists.

    Parameters
    ----------
    blocks : the samples of all blocks.
    questions : number of in-questions in all blocks; there are about 2 sqrt(questions) lists.
    probes : number of lists that are searched per question.
    """
    from sklearn.cluster import MiniBatchKMeans

    ids, parts = zip(*blocks, strict=True)
    vectors = np.concatenate(parts)[np.argsort(np.concatenate(ids))]
    count = max(1, min(round(2 * questions**0.5), len(vectors)))
    means = MiniBatchKMeans(count, init="random", batch_size=4096, n_init=1, random_state=0)
    centres = unit_norm(means.fit(vectors).cluster_centers_.astype(np.float32))
    return Lists(centres, min(probes, count))


def best_listed(out: Side, into: Side, lists: Lists, progress: Counted | None = None) -> Best:
    """Match each question in `out` like `best_answers`, but approximately.

    `unseen` of the result bounds the SIM of all pairs that were not scored.
    """
    best = Best.none(len(out))
    if not len(out) or not len(into):
        return best
    near = out.vectors[out.rows] @ lists.centres.T
    member, radius = _assign(into.vectors[into.rows], lists)
    probed = np.zeros(near.shape, bool)
    first = np.argpartition(near, -lists.probes, axis=1)[:, -lists.probes :]
    np.put_along_axis(probed, first, True, axis=1)
    best.unseen[:] = _bound_of_unprobed(near, probed, radius) / 2
    row, column = _near_pairs(out, into, probed, member)
    pairs = PairScorer.from_sides(out, into)
    for start in range(0, len(out), ROWS):
        rows = np.arange(start, min(start + ROWS, len(out)))
        part = slice(*np.searchsorted(row, (start, start + ROWS)))
        pairs.put_best_of(best, rows, row[part] - start, column[part])
        if progress:
            progress(len(rows))
    return best


def _assign(vectors: Vectors, lists: Lists) -> tuple[Places, NDArray[np.float64]]:
    """Return the list of each vector, and the radius of each list in radians, -1 if empty."""
    near = vectors @ lists.centres.T
    member = near.argmax(axis=1)
    angle = np.arccos(np.clip(near.max(axis=1).astype(np.float64), -1, 1))
    radius = np.full(len(lists.centres), -1.0)
    np.maximum.at(radius, member, angle)
    return member, radius


def _bound_of_unprobed(
    near: Vectors, probed: NDArray[np.bool_], radius: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return an upper bound of the cosine with questions in lists that are not searched, (n,)."""
    angle = np.arccos(np.clip(near, -1, 1))
    most = np.cos(np.maximum(0, angle - radius)) + NEARLY
    most[probed | (radius < 0)] = -np.inf
    bounds: NDArray[np.float64] = most.max(axis=1).astype(np.float64)
    return bounds


def _near_pairs(out: Side, into: Side, probed: NDArray[np.bool_], member: Places) -> _Cells:
    """Return the most similar in-questions of every searched list, as rows and columns."""
    asking, answering = out.vectors[out.rows], into.vectors[into.rows]
    number = {passage: i for i, passage in enumerate(into.passages.tolist())}
    own = np.array([number.get(passage, -1) for passage in out.passages.tolist()])
    owner = np.array([number[passage] for passage in into.passages.tolist()])
    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for each in np.unique(member).tolist():
        row, column = np.flatnonzero(probed[:, each]), np.flatnonzero(member == each)
        cosines = asking[row] @ answering[column].T
        cosines[own[row][:, None] == owner[column]] = -np.inf
        least = np.maximum(cosines.max(axis=1, initial=-np.inf, keepdims=True), -2)
        a, b = np.nonzero(cosines >= least - NEARLY)
        rows.append(row[a])
        columns.append(column[b])
    row, column = np.concatenate(rows), np.concatenate(columns)
    order = np.argsort(row, kind="stable")
    return row[order], column[order]
