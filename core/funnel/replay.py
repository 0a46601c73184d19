"""One question asked again with something changed, and whether gold is kept then."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf, isfinite
from time import monotonic
from typing import TypeAlias

from core.artefacts.workbench import Workbench
from core.counterfactual import Amendments, outcomes
from core.errors import HopRagError
from core.funnel.brackets import Bracket, outermost
from core.models.remembered import Remembered
from core.playback.account import account
from core.playback.returned_texts import measured_steps
from core.retrievers import Spec, make
from core.steps import Offered, result


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a retrieval kept, with ranks from 1, at how many places it had a choice, and with how
    many seeds its walks started. `below` are the ranks of what it pruned. It took `rounds` of what
    is called a `round`: searches, where it was made of such. `applied` is False where the walk
    could not make one of the amendments, or would have chosen so anyway."""

    ranks: Mapping[str, int]
    below: Mapping[str, int]
    judgements: int
    seeds: int
    rounds: int = 0
    round: str = ""
    applied: bool = True


SHARE = 0.4
"""Of the time that is left, what is tried together may take so much."""
Asked: TypeAlias = Mapping[tuple[Spec, Amendments], Replayed | None]
"""What came of each that was asked, None where it cannot be had for nothing."""


class Replays:
    """Asks one question again and again, and nothing twice.

    No model is asked: where a reply is not kept, nothing is known of that change. After `seconds`
    nothing more is asked, and it is `stopped`.
    """

    def __init__(self, workbench: Workbench, query: str, seconds: float = inf) -> None:
        self.stopped = False
        self._until = monotonic() + seconds
        remembering = workbench.embedding_by(Remembered(workbench.embedder))
        self._workbench = remembering.allowed(None).with_embedded([query])
        self._query = query
        self._known: dict[tuple[Spec, Amendments], Replayed | None] = {}
        self._took: dict[tuple[Spec, Amendments], float] = {}

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """For the time being nothing is asked after `seconds`, or `SHARE` of the time that is left
        if that is more; that is a stop inside alone, unless the time of all is over, too.
        """
        until, stopped = self._until, self.stopped
        most = max(seconds, SHARE * self.left) if isfinite(until) else seconds
        self._until, self.stopped = min(until, monotonic() + most), False
        try:
            yield
        finally:
            over = self.stopped and monotonic() > until
            self._until, self.stopped = until, stopped or over

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self._until - monotonic())

    def run(self, spec: Spec, amendments: Amendments = ()) -> Replayed | None:
        """None where it cannot be had for nothing."""
        key = spec, amendments
        if key not in self._known:
            if monotonic() > self._until:
                self.stopped = True
                return None
            started = monotonic()
            self._known[key] = self._run(spec, amendments)
            self._took[key] = monotonic() - started
        return self._known[key]

    @property
    def known(self) -> Asked:
        """All that was asked until now."""
        return self._known

    def seconds(self, spec: Spec) -> float:
        """How long it takes with `spec`, infinite where that is not known."""
        self.run(spec)
        return self._took.get((spec, ()), inf)

    def _run(self, spec: Spec, amendments: Amendments) -> Replayed | None:
        try:
            retriever = make(spec, self._workbench.amended(amendments))
            asked = tuple(retriever.retrieve(self._query))
            steps = measured_steps(asked, self._workbench.index, self._query)
        except HopRagError:
            return None
        last = result(steps)
        ranks = {hit.passage_id: rank for rank, hit in enumerate(last.hits, start=1)}
        below = {hit.passage_id: n for n, hit in enumerate(last.pruned, start=len(ranks) + 1)}
        entries = (step for step in steps if isinstance(step, Offered) and step.entry)
        seeds = sum(len(step.arrivals) for step in entries)
        judgements = account(steps).judgements
        rounds = _rounds(outermost(steps))
        applied = all(one.changed for one in outcomes(steps))
        return Replayed(ranks, below, judgements, seeds, *rounds, applied=applied)


def _rounds(whole: Bracket) -> tuple[int, str]:
    """How many, and what they are called."""
    return (len(whole.inner), "search") if whole.inner else (whole.rounds, whole.round)
