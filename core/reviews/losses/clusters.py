"""Questions that lost gold for the same cause, as groups.

A group is named by the most particular cause that some questions share
(`core.reviews.losses.causes`): the missing relation first, then what the lost passage is about, the
type of question, and at last the stage alone. A question that shares none has its own most
particular one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation.outcomes import LOST_GOLD
from core.funnel.data import Fate
from core.reviews.losses.causes import Cause, cause_of
from core.runs.store import Runs
from core.runs.store.listing import Where
from core.store.index import Index
from core.types import Query

LOST = Where(outcomes=LOST_GOLD)
"""The rows that are grouped."""
FEWEST = 2
"""Questions that make a group of their own; fewer go to a wider one."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question by its id, why it lost its first gold, and how much gold it lost."""

    id: str
    cause: Cause
    golds: int = 1


@dataclass(frozen=True, slots=True)
class Cluster:
    """Questions by their ids that lost gold for one cause, and how much `golds` that is."""

    name: str
    stage: str
    questions: tuple[str, ...]
    golds: int


def clusters_of(runs: Runs, run: str, retriever: str, index: Index) -> list[Cluster]:
    """Group the questions with gold that `retriever` lost by the cause of the loss."""
    lost = runs.every(run, retriever, LOST)
    return clusters([case_of(row.question, row.fates, index) for row in lost])


def case_of(question: Query, fates: Sequence[Fate], index: Index) -> Case:
    """Return a question with the cause of its first loss and how much gold it lost."""
    return Case(question.id, cause_of(question, fates, index), sum(one.lost for one in fates))


def clusters(cases: Sequence[Case]) -> list[Cluster]:
    """Group cases by cause, the largest group first; the order of `cases` has no influence."""
    left = sorted(cases, key=lambda one: one.id)
    groups: dict[tuple[str, str], list[Case]] = {}
    levels = max((len(case.cause.names) for case in left), default=0)
    for level in range(levels):
        names = [case.cause.names[level] for case in left]
        counts, wider = Counter(names), []
        for case, name in zip(left, names, strict=True):
            if level + 1 == levels or (name and counts[name] >= FEWEST):
                groups.setdefault((name, case.cause.stage), []).append(case)
            else:
                wider.append(case)
        left = wider
    similar = [
        Cluster(
            held[0].cause.name if len(held) == 1 else name,
            stage,
            tuple(one.id for one in held),
            sum(one.golds for one in held),
        )
        for (name, stage), held in groups.items()
    ]
    return sorted(similar, key=lambda one: (-len(one.questions), one.name))
