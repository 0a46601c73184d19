"""From scores to a ranking: the best of many, and Helpfulness with its pruning (HopRAG, Eq. 2, 3).

One function ranks for the retrievers and for the player, so that the screen cannot show another
order than the one that was used.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Hit, Part

Scores = NDArray[np.float64]

IMPORTANCE = "importance"
"""Name of the addend that `rank` appends."""


def importance(counts: Mapping[str, int]) -> dict[str, float]:
    """Compute IMP(v) = C(v) / sum of all C (Eq. 3), the share of visits to v.

    Parameters
    ----------
    counts : visits of each visited passage, at least 1 each.

    Returns
    -------
    Values in (0, 1] that sum to 1, in the order of `counts`; empty when nothing was visited.

    References
    ----------
    HopRAG, arXiv 2502.12442, Eq. 3.
    """
    visits = sum(counts.values())
    return {passage_id: count / visits for passage_id, count in counts.items()}


def rank(
    parts: Mapping[str, tuple[Part, ...]],
    counts: Mapping[str, int],
    importance_weight: float,
) -> list[Hit]:
    """Rank all visited passages by score(v) = sum(parts of v) + w * IMP(v), best first.

    The paper's Helpfulness is H(v) = (SIM(v, q) + IMP(v)) / 2 with SIM = (Jaccard + cosine) / 2,
    that is the parts ('keywords', Jaccard / 4) and ('meaning', cosine / 4) with w = 1/2.

    Parameters
    ----------
    parts : addends of each visited passage without importance; higher is better.
    counts : visits of the same passages.
    importance_weight : w; at 0 no 'importance' part is appended.

    Returns
    -------
    One hit a passage; equal scores go by passage id.

    Raises
    ------
    ValueError : when `parts` and `counts` are not about the same passages.

    References
    ----------
    HopRAG, arXiv 2502.12442, Eq. 2 and 3.

    Examples
    --------
    >>> rank({"a": (), "b": ()}, {"a": 1, "b": 3}, 0.5)[0]
    Hit(passage_id='b', score=0.375, parts=(Part(name='importance', value=0.375),))
    """
    if parts.keys() != counts.keys():
        raise ValueError("parts and counts name different passages")
    shares = importance(counts)
    hits = [
        _hit(passage_id, addends, importance_weight * shares[passage_id])
        if importance_weight
        else _hit(passage_id, addends)
        for passage_id, addends in parts.items()
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))


def prune(hits: Sequence[Hit], top_k: int) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Split `hits`, best first, into the first `top_k` and the rest (Algorithm 1, line 17).

    Raises
    ------
    ValueError : when `top_k` is below 1.
    """
    if top_k < 1:
        raise ValueError(f"top_k is {top_k}; it must be at least 1")
    return tuple(hits[:top_k]), tuple(hits[top_k:])


def _hit(passage_id: str, addends: tuple[Part, ...], share: float | None = None) -> Hit:
    parts = addends if share is None else (*addends, Part(IMPORTANCE, share))
    return Hit(passage_id, sum(part.value for part in parts), parts)


def best(scores: Scores, count: int) -> NDArray[np.int64]:
    """Return the indices of the `count` highest scores, best first; ties in index order."""
    count = min(count, len(scores))
    if 0 < count < len(scores):
        # Everything at least as good as the last one that is kept, so that ties stay in order.
        edge = np.partition(scores, len(scores) - count)[len(scores) - count]
        candidates = np.flatnonzero(scores >= edge)
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:count]


def min_max(scores: Scores) -> Scores:
    """Scale scores to [0, 1]; all 0 if all are equal."""
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def reciprocal_ranks(scores: Scores, k0: float) -> Scores:
    """Return 1/(k0 + rank) of each score, (n,); the highest has rank 1 (Cormack et al., 2009).

    >>> reciprocal_ranks(np.array([0.1, 0.9]), 1).round(3).tolist()
    [0.333, 0.5]
    """
    ranks = np.empty(len(scores))
    ranks[best(scores, len(scores))] = np.arange(1, len(scores) + 1)
    return 1 / (k0 + ranks)
