"""Holm's correction of p-values for the number of comparisons (Scand. J. Statist. 6, 1979)."""

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Return the adjusted p-values, in the order given.

    The i-th smallest of m is multiplied by m - i + 1; none may be below a smaller one's, nor above
    1. Rejecting those below 0.05 keeps the chance of any false rejection below 5%, however the
    comparisons depend on one another.

    >>> [round(p, 3) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]
    """
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda one: ps[one])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted
