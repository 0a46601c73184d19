"""Merging that looks at some pairs only: those that share a keyword, and those of near lists.

In-coming questions are put into lists by their nearest centre. An out-coming one is compared with
all of the lists whose centres are nearest to it, and with whoever shares a keyword with it; the
best of them is scored as exactly as ever. Of what was not looked at it is known that no keyword is
shared, and that a question of a list, at most the angle r away from its centre, has a cosine of at
most cos(t - r), t being the centre's angle to the one that asks. Where that bound is not above the
best that was seen, the match is certified to be what a full search would find.

Such a graph does not depend on blocks or their order, and yet may differ between two machines:
centres are found by sums whose order no library promises.
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

ROWS = 512  # out-coming questions scored at a time
NEARLY = 1e-5  # of a product in float32
DRAWN = 40_000  # in-coming questions that centres are found from, about

Drawn = tuple[Ids, Vectors]
"""Questions that centres are found from: their ids and their vectors."""
_Cells = tuple[Places, Places]


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """`centres` are (k, d) float32 unit-norm; `probes` lists are looked through for a question."""

    centres: Vectors
    probes: int


def sample_for_centres(into: Side, questions: int) -> Drawn:
    """Those of a block to find centres from, of so many in-coming `questions` in all blocks.

    Each is drawn by its id alone, so that they are the same in whatever blocks they come.
    """
    most = DRAWN * 2**64 // max(1, questions)
    numbers = [_number(name) <= most for name in into.ids.tolist()]
    return into.ids[numbers], into.vectors[into.rows[numbers]]


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")


def lists_of(blocks: Iterable[Drawn], questions: int, probes: int) -> Lists:
    """Lists for so many in-coming `questions`, by those that were drawn of all blocks."""
    from sklearn.cluster import MiniBatchKMeans

    ids, found = zip(*blocks, strict=True)
    vectors = np.concatenate(found)[np.argsort(np.concatenate(ids))]
    count = max(1, min(round(2 * questions**0.5), len(vectors)))
    means = MiniBatchKMeans(count, init="random", batch_size=4096, n_init=1, random_state=0)
    centres = unit_norm(means.fit(vectors).cluster_centers_.astype(np.float32))
    return Lists(centres, min(probes, count))


def best_listed(out: Side, into: Side, lists: Lists, progress: Counted | None = None) -> Best:
    """As `core.hop_graph.matching.best_answers`, of the pairs that are looked at.

    `unseen` of what it gives bounds the SIM of all others.
    """
    found = Best.none(len(out))
    if not len(out) or not len(into):
        return found
    near = out.vectors[out.rows] @ lists.centres.T
    member, radius = _assign(into.vectors[into.rows], lists)
    probed = np.zeros(near.shape, bool)
    first = np.argpartition(near, -lists.probes, axis=1)[:, -lists.probes :]
    np.put_along_axis(probed, first, True, axis=1)
    found.unseen[:] = _bound_of_unprobed(near, probed, radius) / 2
    row, column = _near_pairs(out, into, probed, member)
    pairs = PairScorer.of(out, into)
    for start in range(0, len(out), ROWS):
        rows = np.arange(start, min(start + ROWS, len(out)))
        part = slice(*np.searchsorted(row, (start, start + ROWS)))
        pairs.put_best_of(found, rows, row[part] - start, column[part])
        if progress:
            progress(len(rows))
    return found


def _assign(vectors: Vectors, lists: Lists) -> tuple[Places, NDArray[np.float64]]:
    """The list of each vector, and how far each list reaches: an angle, -1 where it is empty."""
    near = vectors @ lists.centres.T
    member = near.argmax(axis=1)
    angle = np.arccos(np.clip(near.max(axis=1).astype(np.float64), -1, 1))
    radius = np.full(len(lists.centres), -1.0)
    np.maximum.at(radius, member, angle)
    return member, radius


def _bound_of_unprobed(
    near: Vectors, probed: NDArray[np.bool_], radius: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The largest cosine that a question of a list that is not looked through can have, (n,)."""
    angle = np.arccos(np.clip(near, -1, 1))
    most = np.cos(np.maximum(0, angle - radius)) + NEARLY
    most[probed | (radius < 0)] = -np.inf
    found: NDArray[np.float64] = most.max(axis=1).astype(np.float64)
    return found


def _near_pairs(out: Side, into: Side, probed: NDArray[np.bool_], member: Places) -> _Cells:
    """Of each list, what is most similar in it to those that look through it: rows and columns."""
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
