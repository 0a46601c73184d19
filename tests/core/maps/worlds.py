"""Corpora of groups whose passages are tied to each other, and to hardly any other."""

from itertools import pairwise

import numpy as np
from scipy import sparse

from core.maps.ties import Ties


def groups(sizes: list[int], seed: int = 0) -> Ties:
    """Ties of passages in groups of these sizes: six to the own group each, one elsewhere."""
    random = np.random.default_rng(seed)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    count = int(starts[-1])
    rows, columns = [], []
    for first, last in pairwise(starts):
        for passage in range(first, last):
            rows += [passage] * 7
            columns += [*random.integers(first, last, 6), random.integers(0, count)]
    made = sparse.coo_matrix((np.ones(len(rows)), (rows, columns)), (count, count)).tocsr()
    both = (made + made.T).tocsr()
    both.setdiag(0)
    both.eliminate_zeros()
    return both


def unheard(*_: int) -> None:
    """A report that nobody reads."""
