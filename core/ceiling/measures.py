"""The upper bound in numbers: gold within reach, and the causes of missed gold."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from statistics import fmean
from typing import Any, Literal, TypeVar

from core.ceiling.reach import HOPS, Barrier, Reach, Way
from core.evidence import level_of_questions
from core.types import Query

Kind = TypeVar("Kind", bound=Hashable)

Loss = Literal["index", "graph", "unfollowed", "outranked"]
"""What lost gold: it is not in the index; the graph keeps it out of reach; it was within reach and
the walk never came there; the walk came there and other passages were ranked before it."""


@dataclass(frozen=True, slots=True)
class Reached:
    """One question with gold.

    `ranks` has for each gold id its rank among all that the walk visited, from 1, or None; it may
    be beyond the passages that are kept. `reach` is in the order of `ranks`, one for each way.
    """

    question: Query
    ranks: Mapping[str, int | None]
    reach: Mapping[Way, Reach]


@dataclass(frozen=True, slots=True)
class Shares:
    """Ceilings, each by hops from 0 to `HOPS`, in percent.

    `gold` : of all gold, what lies within h hops: the ceiling of recall. `complete` : the
    questions that have all their gold there: the ceiling of all@k. `passages` : of all passages,
    how many lie there on average; where it is near 100 the other two say little. `barriers`
    counts the gold that lies beyond, by why.
    """

    questions: int
    golds: int
    gold: tuple[float, ...]
    complete: tuple[float, ...]
    passages: tuple[float, ...]
    barriers: Mapping[Barrier, int]


@dataclass(frozen=True, slots=True)
class Missed:
    """The gold that is not among the passages kept: `losses` by what lost it.

    `barriers` says why for what the graph keeps out of reach, and `hops` how far from the seeds
    is what the walk lost. `golds` counts all gold.
    """

    golds: int
    losses: Mapping[Loss, int]
    barriers: Mapping[Barrier, int]
    hops: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.losses.values())

    @property
    def walk(self) -> int:
        """Missed gold that was within reach."""
        return self.losses.get("unfollowed", 0) + self.losses.get("outranked", 0)


@dataclass(frozen=True, slots=True)
class CeilingReport:
    """The gold of `rows` that the graph can reach and that `retriever` reached in its `top_k`.

    `retriever` is its text (`Spec`), `way` which way it may walk. `passages` counts those of the
    index. There is at least one row.
    """

    retriever: str
    way: Way
    top_k: int
    passages: int
    rows: tuple[Reached, ...]

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets, in order."""
        names = dict.fromkeys(row.question.dataset for row in self.rows)
        return [name for name in names if name]

    @property
    def unknown_gold(self) -> tuple[str, ...]:
        """Gold ids that the index does not have: never found."""
        return tuple(
            dict.fromkeys(
                name
                for row in self.rows
                for name, barrier in zip(row.ranks, row.reach[self.way].barriers, strict=True)
                if barrier == "unknown"
            )
        )

    def shares(self, way: Way, dataset: str | None = None) -> Shares:
        """Return the ceilings, over all questions or those of a data set."""
        reach = [row.reach[way] for row in self._rows_of(dataset)]
        hops = list(chain.from_iterable(each.hops for each in reach))
        barriers = chain.from_iterable(each.barriers for each in reach)
        levels = range(HOPS + 1)
        return Shares(
            questions=len(reach),
            golds=len(hops),
            gold=tuple(100 * fmean(_within(h, level) for h in hops) for level in levels),
            complete=tuple(
                100 * fmean(all(_within(h, level) for h in each.hops) for each in reach)
                for level in levels
            ),
            passages=tuple(
                100 * fmean(each.within[level] for each in reach) / self.passages
                for level in levels
            ),
            barriers=_counted(barrier for barrier in barriers if barrier),
        )

    def missed(self, dataset: str | None = None) -> Missed:
        """Return the gold that the retriever missed, in all questions or in one data set."""
        rows = self._rows_of(dataset)
        lost = [each for row in rows for each in self._places(row) if each[0]]
        walked = [hops for _, why, hops in lost if why is None and hops is not None]
        return Missed(
            golds=sum(len(row.ranks) for row in rows),
            losses=_counted(loss for loss, _, _ in lost if loss),
            barriers=_counted(why for loss, why, _ in lost if loss == "graph" and why),
            hops=_counted(sorted(walked)),
        )

    def losses(self, row: Reached) -> tuple[Loss | None, ...]:
        """Return the cause of loss of each gold id of `row`, None if it is kept."""
        return tuple(loss for loss, _, _ in self._places(row))

    def _places(self, row: Reached) -> Iterator[tuple[Loss | None, Barrier | None, int | None]]:
        reach = row.reach[self.way]
        for rank, why, hops in zip(row.ranks.values(), reach.barriers, reach.hops, strict=True):
            yield self._loss(rank, why), why, hops

    def _loss(self, rank: int | None, barrier: Barrier | None) -> Loss | None:
        """Return what lost a gold id that is not in the top k: index, graph, walk or ranking."""
        if rank is not None and rank <= self.top_k:
            return None
        if barrier:
            return "index" if barrier == "unknown" else "graph"
        return "unfollowed" if rank is None else "outranked"

    def _rows_of(self, dataset: str | None) -> list[Reached]:
        return [row for row in self.rows if dataset in (None, row.question.dataset)]

    def to_json(self) -> dict[str, Any]:
        """`{"retriever", "gold", "all": {...}, "by_dataset": {...}, "questions": [...], ...}`.

        Each of `questions` has its gold with hops and barrier for each way, rank and loss.
        """
        return {
            "retriever": self.retriever,
            "way": self.way,
            "top_k": self.top_k,
            "gold": level_of_questions(row.question for row in self.rows),
            "passages": self.passages,
            "unknown_gold": list(self.unknown_gold),
            "all": self._measures(None),
            "by_dataset": {name: self._measures(name) for name in self.datasets},
            "questions": [self._question_json(row) for row in self.rows],
        }

    def _measures(self, dataset: str | None) -> dict[str, Any]:
        """Return the shares within reach for each edge direction, and the losses, as JSON values.

        `dataset` is None for all questions.
        """
        directions: tuple[Way, ...] = ("both", "out")
        missed = self.missed(dataset)
        return {
            **{direction: asdict(self.shares(direction, dataset)) for direction in directions},
            "missed": {**asdict(missed), "total": missed.total},
        }

    def _question_json(self, row: Reached) -> dict[str, Any]:
        """Return the reach and loss of each gold id of a question, as JSON values."""
        golds = zip(row.ranks.items(), self.losses(row), strict=True)
        return {
            "id": row.question.id,
            "dataset": row.question.dataset,
            "gold": [
                {
                    "id": name,
                    "hops": {way: reach.hops[number] for way, reach in row.reach.items()},
                    "barrier": {way: reach.barriers[number] for way, reach in row.reach.items()},
                    "rank": rank,
                    "loss": loss,
                }
                for number, ((name, rank), loss) in enumerate(golds)
            ],
        }


def _within(hops: int | None, level: int) -> bool:
    return hops is not None and hops <= level


def _counted(kinds: Iterable[Kind]) -> dict[Kind, int]:
    return dict(Counter(kinds))
