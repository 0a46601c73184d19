"""Questions that were lost at the same stage and are alike in their words, as groups.

Words weigh by TF-IDF, so that what all questions share tells nothing; names that only one question
has are left out. The groups of a stage are those of k-means on the unit sphere, begun at the same
places each time: the same questions are the same groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evaluate.outcomes import LOST_GOLD
from core.reviews.losses import lost_at
from core.runs.listing import Where
from core.runs.store import Runs
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words

LOST = Where(outcomes=LOST_GOLD)
"""The rows that are grouped."""
_TYPICAL, _MOST = 12, 10  # questions of a group, groups of a stage
_SMALLEST = 6  # a stage with fewer questions is one group
_WORDS = 4


@dataclass(frozen=True, slots=True)
class Case:
    """A question by its id, with its text and the stage at which it lost its first gold."""

    id: str
    text: str
    stage: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Questions that are alike, by their ids, those nearest to the middle first.

    `words` tell it from the other groups of its stage; it has none where it is the only one.
    Function words are left out.
    """

    stage: str
    words: tuple[str, ...]
    questions: tuple[str, ...]


def clusters_of(runs: Runs, run: str, retriever: str) -> list[Cluster]:
    """The groups of all questions that `retriever` lost gold of."""
    lost = runs.every(run, retriever, LOST)
    return clusters([Case(row.question.id, row.question.text, lost_at(row)) for row in lost])


def clusters(cases: Sequence[Case]) -> list[Cluster]:
    """The groups, the largest first; each case is in one."""
    stages: dict[str, list[Case]] = {}
    for case in sorted(cases, key=lambda one: one.id):
        stages.setdefault(case.stage, []).append(case)
    found = [cluster for held in stages.values() for cluster in _of_stage(held)]
    return sorted(found, key=lambda one: (-len(one.questions), one.stage, one.words))


def _of_stage(cases: Sequence[Case]) -> list[Cluster]:
    stage, whole = cases[0].stage, [Cluster(cases[0].stage, (), tuple(one.id for one in cases))]
    if len(cases) < _SMALLEST:
        return whole
    from sklearn.cluster import KMeans  # takes seconds, which no other page should wait
    from sklearn.feature_extraction.text import TfidfVectorizer

    weigher = TfidfVectorizer(analyzer=words, min_df=2, sublinear_tf=True)
    try:
        weights = weigher.fit_transform([case.text for case in cases])
    except ValueError:  # no word is in two questions
        return whole
    wanted = min(_MOST, max(2, round(len(cases) / _TYPICAL)), len(cases))
    means = KMeans(wanted, n_init=4, random_state=0).fit(weights)
    names, distances = weigher.get_feature_names_out(), means.transform(weights)
    found = []
    for number in sorted(set(map(int, means.labels_))):
        inside = np.flatnonzero(means.labels_ == number)
        nearest = inside[np.argsort(distances[inside, number], kind="stable")]
        told = _telling(means.cluster_centers_, number, names)
        found.append(Cluster(stage, told, tuple(cases[int(one)].id for one in nearest)))
    return found if len(found) > 1 else whole


def _telling(centres: NDArray[np.float64], number: int, names: NDArray[np.str_]) -> tuple[str, ...]:
    """The words whose weight here is most above that of the other groups."""
    others = np.delete(centres, number, axis=0)
    above = centres[number] - (others.mean(axis=0) if len(others) else 0)
    first = (int(one) for one in np.argsort(-above, kind="stable") if above[one] > 0)
    return tuple([name for one in first if (name := str(names[one])) not in STOP_WORDS][:_WORDS])
