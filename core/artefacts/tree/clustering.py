"""Soft clusters of vectors as in RAPTOR (arXiv 2401.18059, 3): Gaussian mixtures, twice."""

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


def soft_clusters(vectors: Vectors, sizes: Sequence[int], room: int) -> list[Numbers]:
    """Return the rows of each cluster, sorted; a row may be in several clusters.

    A mixture over all rows finds the wide clusters, and one in each of these the narrow ones. A
    cluster whose texts exceed `room` is split into as many as needed; if that does not divide it,
    it is halved along its first principal component, so that splitting ends.

    Parameters
    ----------
    vectors : (n, d).
    sizes : tokens of the text of each row.
    room : maximum tokens of the texts of a cluster; a single row may exceed it.
    """
    sized = np.asarray(sizes, np.int64)
    members = {
        part.tobytes(): part
        for wide in mixture(vectors)
        for narrow in mixture(vectors[wide])
        for part in _split_to_fit(vectors, sized, wide[narrow], room)
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
    points = principal_components(vectors)
    tried = [number for number in _COMPONENTS if least <= number <= rows // 2]
    fits = [_fit_mixture(points, number) for number in tried or [min(least, rows // 2)]]
    best = min(fits, key=lambda fit: float(fit.bic(points)))
    shares = best.predict_proba(points)
    holds = shares > SHARE
    holds[everything, shares.argmax(axis=1)] = True
    return [members for column in holds.T if len(members := np.flatnonzero(column))]


def principal_components(vectors: Vectors) -> NDArray[np.float64]:
    """Return the principal components of the rows, (n, at most `DIMENSIONS`)."""
    from sklearn.decomposition import PCA  # only here, as every list of retrievers would wait

    kept = min(DIMENSIONS, len(vectors) - 1, vectors.shape[1])
    points: NDArray[np.float64] = PCA(kept, random_state=SEED).fit_transform(
        vectors.astype(np.float64)
    )
    return points


def _fit_mixture(points: NDArray[np.float64], components: int) -> "GaussianMixture":
    """Fit a mixture with diagonal covariances, since the axes are principal components."""
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


def _split_to_fit(vectors: Vectors, sizes: Numbers, rows: Numbers, room: int) -> Iterator[Numbers]:
    """Yield parts of a cluster that each fit into `room`; every part is smaller than the
    cluster.
    """
    if len(rows) < 2 or sizes[rows].sum() <= room:
        yield rows
        return
    least = -(-int(sizes[rows].sum()) // room)
    parts = [rows[part] for part in mixture(vectors[rows], least)]
    if any(len(part) == len(rows) for part in parts):
        parts = _halves(vectors, rows)
    for part in parts:
        yield from _split_to_fit(vectors, sizes, part, room)


def _halves(vectors: Vectors, rows: Numbers) -> list[Numbers]:
    """Return the two halves of a cluster along its first principal component."""
    middle = len(rows) // 2
    if float(np.ptp(vectors[rows], axis=0).max()) < _ALIKE:
        order = np.arange(len(rows))
    else:
        order = np.argsort(principal_components(vectors[rows])[:, 0], kind="stable")
    return [np.sort(rows[order[:middle]]), np.sort(rows[order[middle:]])]
