"""Clusters of vectors as RAPTOR makes them (arXiv 2401.18059, 3): mixtures, soft, twice."""

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.vectors import Vectors

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

Numbers = NDArray[np.int64]

DIMENSIONS = 10
"""To which vectors are reduced; as many of them and one more are one cluster (the paper's code)."""
SHARE = 0.1
"""Probability from which on a row belongs to a component (the paper's code)."""
SEED = 0
_COMPONENTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50)  # the paper's code tries each from 1 to 50
_ROUNDS = 100  # of the fit of a mixture
_ALIKE = 1e-6  # spread below which all rows are the same


def clusters(vectors: Vectors, sizes: Sequence[int], room: int) -> list[Numbers]:
    """Return the rows of each cluster, in order of their first rows; each row is in one at least.

    A mixture over all rows finds the wide clusters, and one in each of these the narrow ones. A
    cluster whose texts are longer than `room` is taken apart into as many as have room, and cut in
    two halves along its longest axis where one of these is all of it, so that it ends.

    Parameters
    ----------
    vectors : (n, d).
    sizes : of the text of each row, in tokens.
    room : tokens that the texts of a cluster may have; one of a single row may have more.
    """
    sized = np.asarray(sizes, np.int64)
    members = {
        part.tobytes(): part
        for wide in mixture(vectors)
        for narrow in mixture(vectors[wide])
        for part in _fitting(vectors, sized, wide[narrow], room)
    }
    return sorted(members.values(), key=lambda rows: rows.tolist())


def mixture(vectors: Vectors, least: int = 1) -> list[Numbers]:
    """Return the rows of each component of a mixture of Gaussians over the reduced vectors.

    The number of components is the one with the lowest BIC, `least` at least. A row is in each
    component that has `SHARE` of it, and in its likeliest.
    """
    rows = len(vectors)
    everything = np.arange(rows)
    if rows <= DIMENSIONS + 1 or float(np.ptp(vectors, axis=0).max()) < _ALIKE:
        return [everything]
    points = reduced(vectors)
    tried = [number for number in _COMPONENTS if least <= number <= rows // 2]
    fits = [_fitted(points, number) for number in tried or [min(least, rows // 2)]]
    best = min(fits, key=lambda fit: float(fit.bic(points)))
    shares = best.predict_proba(points)
    holds = shares > SHARE
    holds[everything, shares.argmax(axis=1)] = True
    return [members for column in holds.T if len(members := np.flatnonzero(column))]


def reduced(vectors: Vectors) -> NDArray[np.float64]:
    """(n, at most `DIMENSIONS`): the principal components of the rows."""
    from sklearn.decomposition import PCA  # only here, as every list of retrievers would wait

    kept = min(DIMENSIONS, len(vectors) - 1, vectors.shape[1])
    points: NDArray[np.float64] = PCA(kept, random_state=SEED).fit_transform(
        vectors.astype(np.float64)
    )
    return points


def _fitted(points: NDArray[np.float64], components: int) -> "GaussianMixture":
    """With diagonal covariances: the axes are principal ones, and a small cluster has no others."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    made = GaussianMixture(
        components,
        covariance_type="diag",
        init_params="k-means++",
        max_iter=_ROUNDS,
        random_state=SEED,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # after `_ROUNDS` it is good enough
        return made.fit(points)


def _fitting(vectors: Vectors, sizes: Numbers, rows: Numbers, room: int) -> Iterator[Numbers]:
    """Parts of a cluster that each have room; every part is smaller than what it is cut from."""
    if len(rows) < 2 or sizes[rows].sum() <= room:
        yield rows
        return
    least = -(-int(sizes[rows].sum()) // room)
    parts = [rows[part] for part in mixture(vectors[rows], least)]
    if any(len(part) == len(rows) for part in parts):
        parts = _halves(vectors, rows)
    for part in parts:
        yield from _fitting(vectors, sizes, part, room)


def _halves(vectors: Vectors, rows: Numbers) -> list[Numbers]:
    """Return the two halves of a cluster along its first principal component."""
    middle = len(rows) // 2
    if float(np.ptp(vectors[rows], axis=0).max()) < _ALIKE:
        order = np.arange(len(rows))
    else:
        order = np.argsort(reduced(vectors[rows])[:, 0], kind="stable")
    return [np.sort(rows[order[:middle]]), np.sort(rows[order[middle:]])]
