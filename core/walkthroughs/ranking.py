"""Rankings, queues and states, each kept once and referred to by number."""

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from core.playback import Frame
from core.walkthroughs.contract import QueueData, RankingData, State, StatesData
from core.walkthroughs.score import Scores, rounded

BELOW = 4
"""Rows shown below the cut-off."""
_T = TypeVar("_T")


@dataclass
class Table(list[_T]):
    """Different values in the order in which they came."""

    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, key: Hashable, value: _T) -> int:
        """Return the number of the value with this key; it is added if there is none."""
        if key not in self._numbers:
            self._numbers[key] = len(self)
            self.append(value)
        return self._numbers[key]


def ranking(now: Frame, scores: Scores, gold: Collection[str]) -> RankingData:
    """Return the ranking at a step: what is kept, what comes next, and gold wherever it is."""
    kept = sum(row.kept for row in now.standings)
    shown = [
        row
        for row in now.standings
        if row.rank <= kept + BELOW or row.hit.passage_id in gold or row.rank == kept + BELOW + 1
    ]
    return RankingData(
        rows=[scores.row(row) for row in shown],
        total=len(now.standings),
        cut_off=kept,
        cut_off_score=None if now.cutoff is None else rounded(now.cutoff),
    )


def ranking_key(now: Frame) -> Hashable:
    """Return what tells one ranking from another."""
    return tuple((row.hit, row.kept) for row in now.standings)


def queue(now: Frame) -> QueueData:
    """Return the queue at a step."""
    return QueueData(nodes=[*now.queue], joined=[*now.joined], left=[*now.left])


def queue_key(now: Frame) -> Hashable:
    """Return what tells one queue from another."""
    return now.queue, now.joined, now.left


def states(found: dict[str, State], followed: Iterable[str], refused: Iterable[str]) -> StatesData:
    """Return states of nodes, and the edges that were and were not followed."""
    return StatesData(nodes=found, followed=[*followed], not_followed=[*refused])


def states_key(made: StatesData) -> Hashable:
    """Return what tells states from others."""
    return (*made["nodes"].items(), "", *made["followed"], "", *made["not_followed"])
