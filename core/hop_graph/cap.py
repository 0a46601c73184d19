"""Cap the number of edges, at n ln n if no other cap is set (HopRAG A.4).

Edges are ranked by similarity, ties by source and target. To find the last edge that is kept
without holding all edges at once, histograms of similarity are added over blocks, and only the bin
that contains the cut-off is sorted.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.best import Best
from core.hop_graph.sides import Ids, Side

BINS = 2**16
Key = tuple[float, str, str]
"""Sort key of an edge, best first: negative similarity, source, target."""
Counted = NDArray[np.int64]
"""Histogram of the similarity of edges, (BINS,)."""
NONE = np.zeros(BINS, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """n pairs of passages with their best match of questions, sorted by source and target.

    Attributes
    ----------
    source, target : (n,) passage ids.
    question : (n,) id of the out-question of `source`.
    answer : (n,) id of the in-question of `target`.
    jaccard, cosine : (n,) the two parts of their similarity.
    """

    source: Ids
    target: Ids
    question: Ids
    answer: Ids
    jaccard: NDArray[np.float64]
    cosine: NDArray[np.float64]

    @property
    def similarity(self) -> NDArray[np.float64]:
        """SIM (Equation 1), (n,)."""
        similarities: NDArray[np.float64] = (self.jaccard + self.cosine) / 2
        return similarities

    def __len__(self) -> int:
        return len(self.source)

    def at(self, rows: NDArray[np.int64]) -> "Pairs":
        """Return the pairs in the given rows."""
        return Pairs(*(getattr(self, field.name)[rows] for field in fields(self)))


def pairs_of(out: Side, best: Best) -> Pairs:
    """Keep the best match for each pair of passages; ties go to the first.

    Parameters
    ----------
    out : all out-questions of each of its passages.
    best : their matches.
    """
    source, target = out.passages.tolist(), best.target.tolist()
    score = best.similarity.tolist()
    met = sorted(
        (i for i in range(len(out)) if target[i]),
        key=lambda i: (source[i], target[i], -score[i], i),
    )
    again = [a > 0 and _same_ends(source, target, met[a - 1], i) for a, i in enumerate(met)]
    rows = np.array([i for i, is_again in zip(met, again, strict=True) if not is_again], np.int64)
    everything = Pairs(out.passages, best.target, out.ids, best.answer, best.jaccard, best.cosine)
    return everything.at(rows)


def _same_ends(source: list[str], target: list[str], a: int, b: int) -> bool:
    return source[a] == source[b] and target[a] == target[b]


def most_edges(passages: int, edge_cap: int = 0) -> int:
    """Return the largest number of edges.

    Parameters
    ----------
    passages : number n of passages that have questions.
    edge_cap : edges per passage, on average; 0 for n ln n in all.
    """
    if edge_cap:
        return edge_cap * passages
    return math.floor(passages * math.log(passages)) if passages else 0


def histogram(pairs: Pairs) -> Counted:
    """Count the pairs in each bin of similarity. Histograms of blocks can be added."""
    return np.bincount(_bins(pairs), minlength=BINS).astype(np.int64)


def bin_of_last(counts: Counted, limit: int) -> tuple[int, int]:
    """Return the bin with the last of `limit` edges, and how many edges of it are kept.

    The bin is -1 if all edges are kept.
    """
    if counts.sum() <= limit:
        return -1, 0
    with_it = np.cumsum(counts[::-1])[::-1]  # edges in a bin and in those above
    place = int(np.flatnonzero(with_it >= limit)[-1])
    return place, int(limit - (with_it[place] - counts[place]))


def keys_in(pairs: Pairs, place: int) -> list[Key]:
    """Return the sort keys of the edges in a bin."""
    rows = np.flatnonzero(_bins(pairs) == place)
    return _keys(pairs.at(rows))


def last_kept(keys: Iterable[Key], room: int) -> Key | None:
    """Return the sort key of the last edge that is kept; None if `room` is 0.

    Parameters
    ----------
    keys : all sort keys in the bin of that edge.
    room : number of edges of the bin that are kept.
    """
    return sorted(keys)[room - 1] if room else None


def pairs_kept(pairs: Pairs, last: Key | None) -> Pairs:
    """Return the pairs up to the sort key `last`, or all if it is None."""
    if last is None:
        return pairs
    stays = [key <= last for key in _keys(pairs)]
    return pairs.at(np.flatnonzero(stays))


def _keys(pairs: Pairs) -> list[Key]:
    columns = ((-pairs.similarity).tolist(), pairs.source.tolist(), pairs.target.tolist())
    return list(zip(*columns, strict=True))


def _bins(pairs: Pairs) -> NDArray[np.int64]:
    # Rounded alike wherever it is done, and never the wrong way round: multiplying keeps order.
    bins = np.floor((pairs.similarity + 1) * (BINS / 2)).astype(np.int64)
    return np.clip(bins, 0, BINS - 1)
