"""Rankings, queues and states, each kept once and referred to by number."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeVar

from core.playback import Frame
from core.walkthroughs.contract import RankingData
from core.walkthroughs.score import Scores, rounded

BELOW = 4
"""Rows shown below the cut-off."""
_T = TypeVar("_T")


@dataclass
class Table(list[_T]):
    """Different values in the order in which they came."""

    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, value: _T) -> int:
        """Return the number of a value; it is added if it is new."""
        key = repr(value)
        if key not in self._numbers:
            self._numbers[key] = len(self)
            self.append(value)
        return self._numbers[key]


def ranking(now: Frame, scores: Scores, gold: Collection[str]) -> RankingData:
    """Return the ranking at a step: what is kept, what comes next, and gold wherever it is."""
    kept = sum(row.kept for row in now.standings)
    return RankingData(
        rows=[
            scores.row(row)
            for row in now.standings
            if row.rank <= kept + BELOW + 1 or row.hit.passage_id in gold
        ],
        total=len(now.standings),
        cut_off=kept,
        cut_off_score=None if now.cutoff is None else rounded(now.cutoff),
    )
