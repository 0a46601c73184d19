"""What has been looked at and led nowhere: it fades, so that what matters stands out."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from core.film.data import LineRole, NodeRole
from core.film.plot import Plot
from core.playback import Frame
from core.playback.rounds import Round
from core.steps import Offered

STAYS = 2
"""Steps that a refused line stays strong, that of the look included."""


class Fading:
    """Which nodes and lines of a film are faded at a step.

    A line that was refused, or that led to what had been visited before, fades `STAYS` steps after
    it was last looked at, and with its last line a passage that was only refused. At the end only
    what is kept, gold, what led there and ghosts are strong.
    """

    def __init__(self, plot: Plot) -> None:
        self._plot = plot

    def lines(self, now: Frame, whole: Round | None, roles: Mapping[str, LineRole]) -> list[str]:
        """Of the lines in `roles`, by id."""
        if now.t == len(self._plot.steps):
            return [
                name
                for name, role in roles.items()
                if role in ("refused", "again") or (role == "walked" and name not in self._led)
            ]
        since = _since(now, whole)
        return [
            name
            for name, role in roles.items()
            if role in ("refused", "again") and self._last(self._looks, name, now.t) < since
        ]

    def nodes(self, now: Frame, whole: Round | None, roles: Mapping[str, NodeRole]) -> list[str]:
        """Of the nodes in `roles`, by id; gold never fades."""
        ended, since = now.t == len(self._plot.steps), _since(now, whole)
        found = []
        for name, role in roles.items():
            if name in self._plot.cast.gold or role not in ("refused", "pruned"):
                continue
            if ended:
                old = name not in self._ways
            else:
                old = role == "refused" and self._last(self._offers, name, now.t) < since
            if old:
                found.append(name)
        return found

    @staticmethod
    def _last(looks: Mapping[str, list[int]], name: str, t: int) -> int:
        """When `name` was last looked at, up to `t`."""
        times = looks.get(name, [])
        place = bisect_right(times, t)
        return times[place - 1] if place else 0

    @cached_property
    def _looks(self) -> dict[str, list[int]]:
        """The steps at which each line was looked at."""
        return self._times("tie")

    @cached_property
    def _offers(self) -> dict[str, list[int]]:
        """The steps at which each node was on offer."""
        return self._times("target")

    def _times(self, what: str) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for t, step in enumerate(self._plot.steps, start=1):
            if isinstance(step, Offered):
                for offer in step.offers:
                    found.setdefault(getattr(offer, what), []).append(t)
        return found

    @cached_property
    def _ways(self) -> frozenset[str]:
        """What is kept, gold, and the nodes on the paths there."""
        kept = {hit.passage_id for hit in self._plot.last.hits} | self._plot.cast.gold.keys()
        return frozenset(node for name in kept for node in self._plot.path(name))

    @cached_property
    def _led(self) -> frozenset[str]:
        """The lines of those paths."""
        before = self._plot.before
        steps = {frozenset((name, before[name])) for name in self._ways if name in before}
        lines = self._plot.cast.lines
        return frozenset(
            line.id
            for line in lines
            if frozenset((line.source, line.target)) in steps or not line.of_graph
        )


def _since(now: Frame, whole: Round | None) -> int:
    """What was looked at before this step is faded."""
    return whole.at[0] if whole else now.t - STAYS + 1
