"""Agreement of two reviewers beyond chance: Cohen's kappa (1960).

kappa = (p_o - p_e) / (1 - p_e), p_o being the share of results of which both say the same, and p_e
the share that would be the same if each kept their own rates and chose at random. 1 is full
agreement, 0 that of chance, below 0 less than chance. Where both say one and the same thing of
every result, chance agrees fully too, and kappa is not defined.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.reviews.codes import Code, names
from core.reviews.review import Key, Review

FEWEST = 2
"""Results in common, with fewer of which kappa tells nothing."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two reviewers on one label, or on the verdict if `label` is empty.

    `n` counts the results that both judged. Of those `both` have the label from both, `first_only`
    and `second_only` from one. `same` counts those of which they say the same. `kappa` is in
    [-1, 1], None where it is not defined.
    """

    first: str
    second: str
    label: str
    n: int
    same: int
    both: int = 0
    first_only: int = 0
    second_only: int = 0
    kappa: float | None = None

    @property
    def told(self) -> str:
        """Format Cohen's kappa with two digits, or say why there is none.

        >>> Agreement("ada", "bo", "", n=1, same=0, kappa=0.0).told
        'too few results'
        """
        if self.n < FEWEST:
            return "too few results"
        return "not defined" if self.kappa is None else f"{self.kappa:.2f}"


def agreements(
    reviews: Iterable[Review], codes: Mapping[int, Code], *, axial: bool
) -> list[Agreement]:
    """Return, for each two reviewers that judged a result both, the agreement on the verdict, then
    on each label used.
    """
    said: dict[str, dict[Key, Review]] = {}
    for review in reviews:
        if review.verdict:
            said.setdefault(review.reviewer, {})[review.key] = review
    return [
        row
        for first, second in combinations(sorted(said), 2)
        for row in _pair_agreement(said[first], said[second], codes, axial=axial)
    ]


def _pair_agreement(
    first: Mapping[Key, Review],
    second: Mapping[Key, Review],
    codes: Mapping[int, Code],
    *,
    axial: bool,
) -> list[Agreement]:
    """Return the agreement of two reviewers on the verdict, then on each label in use.

    Only results that both reviewed count; the list is empty if there are none.
    """
    shared = sorted(first.keys() & second.keys())
    if not shared:
        return []
    pairs = [(first[key], second[key]) for key in shared]
    who = pairs[0][0].reviewer, pairs[0][1].reviewer
    verdicts = [(a.verdict, b.verdict) for a, b in pairs]
    rows = [
        Agreement(*who, "", len(pairs), sum(a == b for a, b in verdicts), kappa=_kappa(verdicts))
    ]
    labelled = [
        ({*names(a.labels, codes, axial=axial)}, {*names(b.labels, codes, axial=axial)})
        for a, b in pairs
    ]
    used = sorted({name for a, b in labelled for name in a | b}, key=str.casefold)
    for label in used:
        assigned = [(label in a, label in b) for a, b in labelled]
        rows.append(
            Agreement(
                *who,
                label,
                n=len(assigned),
                same=sum(a == b for a, b in assigned),
                both=assigned.count((True, True)),
                first_only=assigned.count((True, False)),
                second_only=assigned.count((False, True)),
                kappa=_kappa(assigned),
            )
        )
    return rows


def _kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Compute Cohen's kappa of pairs of judgements, in [-1, 1]; None if all are the same."""
    first, second = ([str(pair[side]) for pair in pairs] for side in (0, 1))
    if len({*first, *second}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score  # takes seconds

    return float(cohen_kappa_score(first, second))
