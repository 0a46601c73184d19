"""The effect of a change on one gold passage, read from its replay."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.counterfactual import amendments_text
from core.funnel.changes import Change, holding
from core.funnel.replay import Replayed, Replays
from core.funnel.rescue import Rescue
from core.retrievers import Spec
from core.text.display.plurals import number


@dataclass(slots=True)
class Outcomes:
    """Replays changes of `spec` for one of the `gold` of a question.

    Parameters
    ----------
    name : the id of the gold passage.
    gold : by gold id the passages that it stands for, of all gold of the question.

    Attributes
    ----------
    nearest : of the changes that reach the passage and do not retrieve it, the one that ranks it
        closest to the top k.
    """

    spec: Spec
    replays: Replays
    name: str
    gold: Mapping[str, frozenset[str]]
    nearest: Rescue | None = field(default=None, init=False)

    @property
    def passages(self) -> frozenset[str]:
        """Ids of the passages that count as this gold."""
        return self.gold[self.name]

    def run(self, change: Change) -> Replayed | None:
        """Return the replay of a change; None if it cannot be applied or changes nothing."""
        ran = self.replays.run(change.spec, change.amendments)
        return ran if ran and ran.applied else None

    def rank(self, ran: Replayed | None, gold: str = "") -> int | None:
        """Return the best rank of the gold in the top k of a replay; None if it is not there."""
        ranks, those = (ran.ranks if ran else {}), self.gold[gold or self.name]
        return min((ranks[name] for name in those if name in ranks), default=None)

    def pruned(self, ran: Replayed | None) -> int | None:
        """Return the best rank of the gold below the top k of a replay, if it has one."""
        ranks = ran.below if ran else {}
        return min((ranks[name] for name in self.passages if name in ranks), default=None)

    def more_judgements(self, change: Change) -> int | None:
        """Count the additional lists that a change examines, at least 0; None if unknown."""
        ran, before = self.run(change), self.before
        return max(0, ran.judgements - before.judgements) if ran and before else None

    @property
    def before(self) -> Replayed | None:
        """The replay without a change."""
        return self.replays.run(self.spec)

    def kept(self, change: Change) -> Rescue | None:
        """Return the rescue that a change is; None if it does not retrieve the gold."""
        rank, extra = self.rank(self.run(change)), self.more_judgements(change)
        if rank is None and change.paired:
            return None
        if rank is None:
            near, best = self.reached(change), self.nearest
            if near and (best is None or near.rank - near.short < best.rank - best.short):
                self.nearest = near
            return None
        return None if extra is None else self._build_rescue(change, rank, extra)

    def kept_holding(self, change: Change) -> Rescue | None:
        """Return the same with what follows the top k at its present value."""
        return self.kept(holding(self.spec, change))

    def reached(self, change: Change) -> Rescue | None:
        """Return a change that ranks the gold below the top k; None if it does not rank it."""
        ran = self.run(change)
        rank = self.pruned(ran)
        if ran is None or rank is None:
            return None
        return replace(self._build_rescue(change, rank, 0), short=len(ran.ranks))

    def _build_rescue(self, change: Change, rank: int, extra: int) -> Rescue:
        """Describe a change by its replay: gold kept and lost, seeds and passages added."""
        before, replay = self.before, self.run(change)
        kept_before = {name for name in self.gold if self.rank(before, name)}
        kept_now = {name for name in self.gold if self.rank(replay, name)}
        return Rescue(
            gold=self.name,
            kind=change.kind,
            change=change.text,
            retriever=str(change.spec),
            amendments=amendments_text(change.amendments),
            extra=extra,
            rank=rank,
            seeds=max(0, replay.seeds - before.seeds) if replay and before else 0,
            kept=len(kept_now),
            of=len(self.gold),
            lost=len(kept_before - kept_now),
            ranked=_ranked(replay) - _ranked(before),
            fewer=_fewer(before, replay),
        )


def _ranked(ran: Replayed | None) -> int:
    return len(ran.ranks) + len(ran.below) if ran else 0


def _fewer(before: Replayed | None, ran: Replayed | None) -> str:
    """Say that fewer rounds are made than before; empty if that is not so."""
    if before is None or ran is None or ran.round != before.round or ran.rounds >= before.rounds:
        return ""
    return f"{number(ran.rounds, ran.round)} instead of {before.rounds:,}"
