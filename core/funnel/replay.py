"""Replays of one question with a changed retriever or walk, and the gold each retrieves."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
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


LONGER = 5
"""How many times more replays a search may make when it is continued."""
SHARE = 0.4
"""The share of the replays left that one part of a search may take."""


@dataclass(frozen=True, slots=True)
class ReplayBudget:
    """The limits of one search.

    Parameters
    ----------
    replays : retrievals with something changed. The result of a search depends on this number
        alone, so it is the same on every machine.
    seconds : a safety net for retrievers that take very long; a usual search never gets there.
    """

    replays: int = 100
    seconds: float = 120.0

    def longer(self) -> "ReplayBudget":
        """Return the budget of a search that continues one with this budget."""
        return ReplayBudget(LONGER * self.replays, LONGER * self.seconds)


Record: TypeAlias = dict[tuple[Spec, Amendments], "Replayed | None"]
Asked: TypeAlias = Mapping[tuple[Spec, Amendments], Replayed | None]
"""What came of each that was asked, None where it cannot be had for nothing."""


class Replays:
    """Asks one question again and again, and nothing twice.

    No model is asked: where a reply is not kept, nothing is known of that change. When `budget` is
    used up nothing more is asked, and it is `stopped`; it is `late` if that was the time.
    """

    def __init__(
        self, workbench: Workbench, query: str, budget: ReplayBudget | None = None
    ) -> None:
        self.stopped = self.late = False
        self._made = 0
        self._record: Record = {}
        self._most: float = budget.replays if budget else inf
        self._end = monotonic() + budget.seconds if budget else inf
        remembering = workbench.embedding_by(Remembered(workbench.embedder))
        self._workbench = remembering.with_leave(None).with_embedded([query])
        self._query = query
        self._known: dict[tuple[Spec, Amendments], Replayed | None] = {}

    @contextmanager
    def within(self, replays: float) -> Iterator[None]:
        """Allow at most `replays` inside, or `SHARE` of those left if that is more.

        Reaching that limit is a stop inside alone, unless the whole budget is used up, too.
        """
        most, stopped = self._most, self.stopped
        allowed = replays if most == inf else max(replays, int(SHARE * self.left))
        self._most, self.stopped = min(most, self._made + allowed), False
        try:
            yield
        finally:
            over = self.stopped and (self.late or self._made >= most)
            self._most, self.stopped = most, stopped or over

    @contextmanager
    def recording(self, record: Record) -> Iterator[None]:
        """Add every replay inside this context to `record`, including those from the cache."""
        before, self._record = self._record, record
        try:
            yield
        finally:
            self._record = before

    @property
    def left(self) -> float:
        """Number of replays left; infinite without a budget."""
        return max(0, self._most - self._made)

    def run(self, spec: Spec, amendments: Amendments = ()) -> Replayed | None:
        """Return the replay; None if it needs a model, or the budget is used up."""
        key = spec, amendments
        if key not in self._known:
            self.late = self.late or monotonic() > self._end
            if self.late or self._made >= self._most:
                self.stopped = True
                return None
            self._made += 1
            self._known[key] = self._replay(spec, amendments)
        self._record[key] = self._known[key]
        return self._known[key]

    def work(self, spec: Spec) -> float:
        """Return how many lists and passages `spec` looks at; infinite if that is not known."""
        ran = self.run(spec)
        return ran.judgements + len(ran.ranks) + len(ran.below) if ran else inf

    def _replay(self, spec: Spec, amendments: Amendments) -> Replayed | None:
        """Retrieve again with another spec or amendments; None if that needs a missing model."""
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
        applied = all(outcome.changed for outcome in outcomes(steps))
        return Replayed(ranks, below, judgements, seeds, *rounds, applied=applied)


def _rounds(whole: Bracket) -> tuple[int, str]:
    """Return the number of rounds or searches, and the noun for them."""
    return (len(whole.inner), "search") if whole.inner else (whole.rounds, whole.round)
