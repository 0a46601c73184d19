"""At most n ln n edges (HopRAG A.4): where the line is between those that stay and those that go.

Edges go by similarity, equal ones by source and target. Nobody needs to see all of them at once to
find the last that stays: of any blocks of them, histograms are added up, which tells in which bin
the line is, and only what lies in that bin is sorted.
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
"""What edges are ordered by, those that stay first: similarity times -1, source, target."""
Counted = NDArray[np.int64]
"""Edges in each of the `BINS` of their similarity, (BINS,)."""
NONE = np.zeros(BINS, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Two passages and the best meeting of their questions, (n,) each, sorted by source and target.

    `question` is the id of the out-coming question of `source`, `answer` of the in-coming one of
    `target`.
    """

    source: Ids
    target: Ids
    question: Ids
    answer: Ids
    jaccard: NDArray[np.float64]
    cosine: NDArray[np.float64]

    @property
    def similarity(self) -> NDArray[np.float64]:
        """SIM (Eq. 1)."""
        found: NDArray[np.float64] = (self.jaccard + self.cosine) / 2
        return found

    def __len__(self) -> int:
        return len(self.source)

    def at(self, rows: NDArray[np.int64]) -> "Pairs":
        """Some of them, by their numbers."""
        return Pairs(*(getattr(self, field.name)[rows] for field in fields(self)))


NOBODY = Pairs(*(np.zeros(0, kind) for kind in (object, object, object, object, float, float)))


def pairs_of(out: Side, best: Best) -> Pairs:
    """Of several meetings of the same two passages the best, and of equal ones the first.

    `out` has all out-coming questions of each of its passages, and `best` their answers.
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


def most_edges(passages: int) -> int:
    """n ln n, for n passages that have questions."""
    return math.floor(passages * math.log(passages)) if passages else 0


def histogram(pairs: Pairs) -> Counted:
    """How many are in each bin; of several blocks the counts are added."""
    return np.bincount(_bins(pairs), minlength=BINS).astype(np.int64)


def bin_of_last(counts: Counted, limit: int) -> tuple[int, int]:
    """The bin that the last of `limit` edges is in, and how many of that bin stay.

    Bin -1 where all stay.
    """
    if counts.sum() <= limit:
        return -1, 0
    with_it = np.cumsum(counts[::-1])[::-1]  # edges in a bin and in those above
    place = int(np.flatnonzero(with_it >= limit)[-1])
    return place, int(limit - (with_it[place] - counts[place]))


def keys_in(pairs: Pairs, place: int) -> list[Key]:
    """The keys of the edges in a bin."""
    rows = np.flatnonzero(_bins(pairs) == place)
    return _keys(pairs.at(rows))


def last_kept(keys: Iterable[Key], room: int) -> Key | None:
    """The key of the last edge that stays, of all that are in its bin; None where none has to go
    or none may stay."""
    return sorted(keys)[room - 1] if room else None


def pairs_kept(pairs: Pairs, last: Key | None) -> Pairs:
    """Those that stay: all up to the key `last`; all where it is None."""
    if last is None:
        return pairs
    stays = [key <= last for key in _keys(pairs)]
    return pairs.at(np.flatnonzero(stays))


def _keys(pairs: Pairs) -> list[Key]:
    columns = ((-pairs.similarity).tolist(), pairs.source.tolist(), pairs.target.tolist())
    return list(zip(*columns, strict=True))


def _bins(pairs: Pairs) -> NDArray[np.int64]:
    # Rounded alike wherever it is done, and never the wrong way round: multiplying keeps order.
    found = np.floor((pairs.similarity + 1) * (BINS / 2)).astype(np.int64)
    return np.clip(found, 0, BINS - 1)
