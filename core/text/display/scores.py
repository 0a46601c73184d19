"""Scores as people read them: with as many decimals as tell the ranks of a list apart."""

from collections.abc import Sequence
from itertools import pairwise
from math import floor, isclose, log10
from statistics import median

FEWEST, LISTED, MOST = 3, 4, 6
"""Decimals of a score: at least, in a list at most, and where two are compared at most."""
SEEN = 24
"""Scores of a long list that are shown, which are told apart."""
SMALL = 0.1
"""Where half of a list is below this, 3 decimals may not tell its ranks apart."""
ALIKE = 0.1
"""The share of neighbours that may look the same: some do by chance, and more digits hide it."""


def decimals(scores: Sequence[float]) -> int:
    """Return the number of decimals for a list of scores: 3, or 4 if most are small.

    >>> decimals([0.81, 0.62, 0.6199]), decimals([0.0164, 0.0161, 0.0159])
    (3, 4)
    """
    if not scores or abs(median(scores)) >= SMALL:
        return FEWEST
    apart = [
        (one, other)
        for one, other in pairwise(sorted(scores))
        if f"{one:.{MOST}f}" != f"{other:.{MOST}f}"
    ]

    def tells(places: int) -> bool:
        alike = sum(f"{one:.{places}f}" == f"{other:.{places}f}" for one, other in apart)
        return alike <= ALIKE * len(apart)

    return FEWEST if tells(FEWEST) else LISTED


def both(one: float, other: float) -> tuple[str, str]:
    """Format two scores with as many decimals as distinguish them, at most 6.

    >>> both(0.4212, 0.42), both(0.42122, 0.42119), both(0.0034, 0.0036)
    (('0.421', '0.420'), ('0.42122', '0.42119'), ('0.0034', '0.0036'))
    """
    size = abs(one - other)
    first = -floor(log10(size)) if size else FEWEST
    for places in range(min(max(first, FEWEST), MOST), MOST + 1):
        texts = f"{one:.{places}f}", f"{other:.{places}f}"
        if texts[0] != texts[1]:
            return texts
    return f"{one:.{FEWEST}f}", f"{other:.{FEWEST}f}"


def addends(values: Sequence[float], total: float, places: int) -> list[str]:
    """Format the parts of a sum so that they add up to the rounded sum (largest remainder).

    If `values` are not all parts of `total`, each is rounded by itself.

    >>> addends([0.2014, 0.0083], 0.2097, 3), addends([0.2014, 0.1], 0.9, 3)
    (['0.202', '0.008'], ['0.201', '0.100'])
    """
    scale: int = 10**places
    whole = [floor(value * scale + 1e-6) for value in values]
    left = round(float(f"{total:.{places}f}") * scale) - sum(whole)
    if not 0 <= left <= len(values):
        return [f"{value:.{places}f}" for value in values]
    lost = sorted(range(len(values)), key=lambda n: whole[n] - values[n] * scale)
    for n in lost[:left]:
        whole[n] += 1
    return [f"{value / scale:.{places}f}" for value in whole]


def distance(value: float) -> str:
    """Format the difference of two scores with two or more significant digits.

    >>> distance(1.5), distance(-0.0424), distance(0.0004), distance(2e-9)
    ('1.500', '0.042', '0.00040', 'less than 0.000001')
    """
    size = abs(value)
    least = 10**-MOST
    if size < least:
        return f"less than {least:.{MOST}f}"
    return f"{size:.{max(FEWEST, 1 - floor(log10(size)))}f}"


def by_turns(scores: Sequence[float]) -> bool:
    """Check whether the n-th score is 1/n: such scores only repeat the rank.

    >>> by_turns([1.0, 0.5, 1 / 3]), by_turns([1.0, 0.4]), by_turns([1.0])
    (True, False, False)
    """
    return len(scores) > 1 and all(isclose(score, 1 / n) for n, score in enumerate(scores, 1))
