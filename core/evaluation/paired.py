"""Two retrievers on the same questions: how much more the one finds, and whether that is chance.

The questions differ far more than the retrievers do, so each question is compared with itself.
Under the null hypothesis it does not matter which of the two answered: the sign of every
question's difference is as likely plus as minus. The p-value is the share of all such signs that
give a mean at least as far from zero (Fisher's randomization test; Smucker, Allan and Carterette,
CIKM 2007). It says nothing of how many retrievers were tried: of twenty that are no better, one has
p < 0.05.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.evaluation.measures import Evaluation, Outcome
from core.measures import ALL_AT, by_name

Shares = NDArray[np.float64]

_COMPARED = ("R@2", "R@5", "R@20", f"all@{ALL_AT}")
_RESAMPLES = 9_999  # up to 13 questions that differ, that is all signs there are
_CONFIDENCE = 0.95
FEWEST = 6
"""Questions below which no p can fall under 0.05: of 5 all signs are alike in 2 cases of 32."""
TEST = "paired permutation test (Fisher), two-sided, not corrected for several comparisons"
"""What gives `p`, as it stands beside it."""
UNTESTED = "too few questions to test"
FEWEST_FOR_INTERVAL = 5
"""Questions below which a mean has no interval: of two equal values it would have no width."""
NO_INTERVAL = f"too few questions (fewer than {FEWEST_FOR_INTERVAL})"
"""Text shown on hover instead of an interval."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of a retriever minus that of its baseline, over `n` questions with gold.

    `mean` is in percentage points, above 0 where the retriever finds more; `low` and `high` are
    the ends of its 95% interval (Student's t), None for too few questions. `better`, `equal`
    and `worse` count questions. `p` is two-sided, in (0, 1].
    """

    measure: str
    n: int
    mean: float
    low: float | None
    high: float | None
    better: int
    equal: int
    worse: int
    p: float

    @property
    def tested(self) -> float | None:
        """`p`; None of fewer than `FEWEST` questions, too few to tell it from chance."""
        return self.p if self.n >= FEWEST else None

    def to_dict(self) -> dict[str, float | None]:
        return {name: value for name, value in asdict(self).items() if name != "measure"}


@dataclass(frozen=True, slots=True)
class Paired:
    """Every other retriever of a report against `baseline`.

    `overall` has the differences by retriever, `by_dataset` by retriever and data set; none where
    no question has gold.
    """

    baseline: str
    overall: Mapping[str, tuple[Difference, ...]]
    by_dataset: Mapping[str, Mapping[str, tuple[Difference, ...]]]

    def to_json(self) -> dict[str, Any]:
        """`{"baseline": KEY, "retrievers": {KEY: {"all": {MEASURE: {...}}, "by_dataset": ...}}}`.

        Below `by_dataset` is the name of the data set, then as below `all`.
        """
        return {
            "baseline": self.baseline,
            "retrievers": {
                key: {
                    "all": _by_measure(of_key),
                    "by_dataset": {
                        name: _by_measure(rows) for name, rows in self.by_dataset[key].items()
                    },
                }
                for key, of_key in self.overall.items()
            },
        }


def pair(report: Evaluation, baseline: str) -> Paired:
    """Set every other retriever of `report` against `baseline`, over the questions of both.

    Raises
    ------
    InputError : the report has no retriever of that name.
    """
    if baseline not in report.keys:
        raise InputError(
            f"The baseline {baseline!r} was not evaluated. Choose one of {', '.join(report.keys)}."
        )

    def against(key: str, dataset: str | None = None) -> tuple[Difference, ...]:
        ours, theirs = report.of(key, dataset), report.of(baseline, dataset)
        both = {row.question.id for row in ours} & {row.question.id for row in theirs}
        return differences(*([r for r in rows if r.question.id in both] for rows in (ours, theirs)))

    others = [key for key in report.keys if key != baseline]
    return Paired(
        baseline,
        {key: against(key) for key in others},
        {key: {name: against(key, name) for name in report.datasets} for key in others},
    )


def differences(rows: Sequence[Outcome], baseline: Sequence[Outcome]) -> tuple[Difference, ...]:
    """R@2, R@5, R@20 and all@20 of `rows` minus those of `baseline`; none if no row has gold.

    Raises
    ------
    InputError : the two are not of the same questions.
    """
    ours, theirs = (sorted(some, key=lambda row: row.question.id) for some in (rows, baseline))
    if [row.question for row in ours] != [row.question for row in theirs]:
        raise InputError(
            "The two evaluations use different questions, so they cannot be paired. "
            "Evaluate both on the same question file."
        )
    if not any(row.ranks for row in ours):
        return ()
    apart = _shares(ours) - _shares(theirs)
    return tuple(difference(name, column) for name, column in zip(_COMPARED, apart.T, strict=True))


def _by_measure(rows: Sequence[Difference]) -> dict[str, dict[str, float | None]]:
    return {row.measure: row.to_dict() for row in rows}


def _shares(rows: Sequence[Outcome]) -> Shares:
    """Return the compared measures, in [0, 1]: (questions with gold, 4)."""
    shares = by_name([row.ranks for row in rows])
    return np.array([shares[name] for name in _COMPARED], dtype=np.float64).T


def difference(measure: str, apart: Shares) -> Difference:
    """Return the difference of a measure from what it is question by question, (n,), n > 0, in [-1,
    1].
    """
    mean, margin = float(apart.mean()), margin_of(apart)
    return Difference(
        measure=measure,
        n=len(apart),
        mean=100 * mean,
        low=None if margin is None else 100 * (mean - margin),
        high=None if margin is None else 100 * (mean + margin),
        better=int((apart > 0).sum()),
        equal=int((apart == 0).sum()),
        worse=int((apart < 0).sum()),
        p=_sign_flip(apart),
    )


def margin_of(apart: Shares) -> float | None:
    """Return half the 95% interval of the mean (Student's t); None for too few questions."""
    n = len(apart)
    if n < FEWEST_FOR_INTERVAL:
        return None
    from scipy import stats  # takes a second, and most who import this measure nothing

    return float(stats.t.ppf((1 + _CONFIDENCE) / 2, n - 1) * apart.std(ddof=1) / np.sqrt(n))


def interval_text(low: float | None, high: float | None, form: str = ".1f") -> str:
    """Format an interval, or return an empty string if there is none.

    >>> interval_text(-4.0, 1.42, "+z.1f"), interval_text(None, None)
    ('-4.0 to +1.4', '')
    """
    return "" if low is None or high is None else f"{low:{form}} to {high:{form}}"


def _sign_flip(apart: Shares) -> float:
    """Two-sided p of the mean: exact for few differences, else of drawn signs, always the same.

    A difference of zero has no sign, so it does not change p; without it more tests are exact.
    """
    signed = apart[apart != 0]
    if len(signed) < 2:
        return 1.0  # one difference is as far from zero with either sign
    rng = np.random.default_rng(0)
    if 2 ** len(signed) > _RESAMPLES:
        return _drawn(signed, rng)
    from scipy import stats

    tested = stats.permutation_test(
        (signed,), np.mean, permutation_type="samples", n_resamples=_RESAMPLES, rng=rng
    )
    return float(tested.pvalue)


def _drawn(signed: Shares, rng: np.random.Generator) -> float:
    """Return the same of drawn signs.

    Of differences of one size only how many are plus matters, so that is drawn: with thousands of
    questions a sign for each takes half a minute.
    """
    sizes, counts = np.unique(np.abs(signed), return_counts=True)
    plus = rng.binomial(counts, 0.5, size=(_RESAMPLES, len(sizes)))
    sums = (2 * plus - counts) @ sizes
    near = 1e-9 * sizes.max() * len(signed)
    as_far = (np.abs(sums) >= abs(signed.sum()) - near).sum()
    return float((as_far + 1) / (_RESAMPLES + 1))
