"""Estimates of a total from a sample."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

_SURE = 0.975  # that a sum of normal values is below the upper end, and above the lower one


@dataclass(frozen=True, slots=True)
class Range:
    """The smallest and the largest value to be expected."""

    low: float
    high: float

    def times(self, low: float, high: float) -> "Range":
        """Multiply the smallest value by `low` and the largest by `high`."""
        return Range(self.low * low, self.high * high)


@dataclass(frozen=True, slots=True)
class Estimate:
    """An expected value, and a bound that is rarely exceeded."""

    expected: float = 0.0
    most: float = 0.0

    def plus(self, other: "Estimate") -> "Estimate":
        return Estimate(self.expected + other.expected, self.most + other.most)

    def times(self, expected: float, most: float) -> "Estimate":
        """Multiply the expected value by `expected`, and the bound by `most`."""
        return Estimate(self.expected * expected, self.most * most)


def of_many(number: float, found: Iterable[float]) -> Range:
    """Predict the sum of `number` values from a sample `found` with at least one value.

    n m ± t s sqrt(n + n²/k): the prediction interval of a sum, with m and s of k values and t of
    Student's distribution. A few values that happen to be alike do not make it narrow: s is at
    least m / sqrt(k).
    """
    from scipy.special import stdtrit

    values = list(found)
    k, mean = len(values), fmean(values)
    apart = max(stdev(values) if k > 1 else 0.0, mean / sqrt(k))
    t = float(stdtrit(max(k - 1, 2), _SURE))
    half = t * apart * sqrt(number + number**2 / k)
    least = min(number * mean, number * min(values))
    return Range(
        max(number * mean - half, min(least, number * mean / 2), 0.0), number * mean + half
    )


def share(hits: int, tries: int) -> Range:
    """Estimate a proportion from `hits` of `tries` (Jeffreys prior)."""
    from scipy.special import betaincinv

    a, b = hits + 0.5, tries - hits + 0.5
    low = 0.0 if hits == 0 else float(betaincinv(a, b, 1 - _SURE))
    return Range(low, float(betaincinv(a, b, _SURE)))
