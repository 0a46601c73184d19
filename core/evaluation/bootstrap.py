"""Bootstrap interval of a mean (Efron, Annals of Statistics 7, 1979)."""

from collections.abc import Sequence

import numpy as np

_RESAMPLES = 2_000
_AT_ONCE = 2_000_000  # drawn numbers held in memory
_CONFIDENCE = 0.95


def bootstrap(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of the mean of `values`; None for fewer than two.

    The values are drawn with replacement 2,000 times, always with the same seed, so the same
    values have the same interval.

    >>> bootstrap([1.0]) is None, bootstrap([0.5, 0.5])
    (True, (0.5, 0.5))
    """
    known = np.asarray(values, dtype=np.float64)
    n = len(known)
    if n < 2:
        return None
    rng = np.random.default_rng(0)
    each = max(1, _AT_ONCE // n)
    means = [
        known[rng.integers(n, size=(min(each, _RESAMPLES - start), n))].mean(axis=1)
        for start in range(0, _RESAMPLES, each)
    ]
    tail = 100 * (1 - _CONFIDENCE) / 2
    low, high = np.percentile(np.concatenate(means), (tail, 100 - tail))
    return float(low), float(high)
