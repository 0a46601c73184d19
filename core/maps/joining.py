"""Communities that are too small, or one too many, joined to others."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.maps.ties import Ties

_LEAST = 3  # passages of a community
_LEAST_SHARE = 60  # a community has at least one in so many of the passages


def grouped(ties: Ties, group: NDArray[np.int64]) -> Ties:
    """Return the ties between groups of nodes, and on the diagonal twice the ties within each.

    Parameters
    ----------
    group : (n,) of each node, numbered from 0 on.
    """
    nodes = len(group)
    into = sparse.csr_matrix((np.ones(nodes), (np.arange(nodes), group)), (nodes, group.max() + 1))
    return (into.T @ ties @ into).tocsr()


def joined(
    parts: Sequence[Sequence[int]], ties: Ties, label: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Join the smallest of `parts` to others until at most `most` are left, none of them tiny.

    Parameters
    ----------
    parts : communities of the nodes of `ties`.
    label : (passages,) the node that each passage belongs to.

    Returns
    -------
    (nodes,) the community of each, numbered from 0 on.

    Notes
    -----
    A community joins the one by which modularity rises most, or falls least, of those that it is
    tied to. The strongest tie alone would be the one to the largest community, which would become
    larger and larger. What is tied to nothing joins the smallest one.
    """
    home = np.empty(ties.shape[0], np.int64)
    for number, part in enumerate(parts):
        home[part] = number
    joining = _Joining(grouped(ties, home), np.bincount(home[label], minlength=len(parts)))
    least = max(_LEAST, len(label) // _LEAST_SHARE)
    while joining.left > 1 and (joining.smallest < least or joining.left > most):
        joining.join_smallest()
    _, numbered = np.unique(joining.roots(), return_inverse=True)
    return np.asarray(numbered[home], np.int64)


class _Joining:
    """Communities that are joined one after the other.

    Parameters
    ----------
    ties : between communities.
    size : passages of each.
    """

    def __init__(self, ties: Ties, size: NDArray[np.int64]) -> None:
        self.left = len(size)
        self._size: list[int] = size.tolist()
        self._degree: list[float] = np.asarray(ties.sum(axis=1)).ravel().tolist()
        self._total = sum(self._degree)
        self._pull = [_weights_of(ties, number) for number in range(self.left)]
        self._into = list(range(self.left))
        self._queue: list[tuple[int, int]] = [
            (passages, number) for number, passages in enumerate(self._size)
        ]
        heapify(self._queue)

    @property
    def smallest(self) -> int:
        """Passages of the smallest community."""
        while self._is_stale(*self._queue[0]):
            heappop(self._queue)
        return self._queue[0][0]

    def join_smallest(self) -> None:
        """Join the smallest community to another one."""
        _ = self.smallest
        small = heappop(self._queue)[1]
        pull = self._pull[small]
        if pull:
            other = max(pull, key=lambda one: (self._gain(small, one), -one))
        else:
            _ = self.smallest
            other = self._queue[0][1]
        for one, tied in pull.items():
            del self._pull[one][small]
            if one != other:
                self._pull[one][other] = self._pull[one].get(other, 0.0) + tied
                self._pull[other][one] = self._pull[one][other]
        self._pull[small] = {}
        self._into[small] = other
        self._size[other] += self._size[small]
        self._degree[other] += self._degree[small]
        self.left -= 1
        heappush(self._queue, (self._size[other], other))

    def roots(self) -> list[int]:
        """Return the community that each one has become a part of."""
        roots = list(self._into)
        for number in range(len(roots)):
            while roots[number] != self._into[roots[number]]:
                roots[number] = self._into[roots[number]]
        return roots

    def _is_stale(self, size: int, number: int) -> bool:
        return self._into[number] != number or self._size[number] != size

    def _gain(self, one: int, other: int) -> float:
        """Modularity gained by joining two, times half the sum of all ties."""
        return self._pull[one][other] - self._degree[one] * self._degree[other] / self._total


def _weights_of(ties: Ties, number: int) -> dict[int, float]:
    """Return the weight of each neighbour of a community in a CSR matrix, without itself."""
    row = slice(ties.indptr[number], ties.indptr[number + 1])
    weights = dict(zip(ties.indices[row].tolist(), ties.data[row].tolist(), strict=True))
    weights.pop(number, None)
    return weights
