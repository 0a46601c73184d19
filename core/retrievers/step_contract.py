"""Check the steps of a retrieval against the contract that `core.steps` describes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite
from typing import get_args

from core.steps import (
    Arrival,
    Asked,
    Began,
    Kind,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
    things_of,
    ties_of,
)
from core.types import Hit, Part

_KINDS = get_args(Kind)
_NEAR = 1e-6  # float32 addends, added up in another order


@dataclass(slots=True)
class _Bracket:
    """An open retrieval: its queue, its visited nodes, and the number of each kind of round."""

    asked: Asked
    waiting: set[str] | None = None  # None: its rounds have no queue
    visited: set[str] = field(default_factory=set)
    rounds: dict[str, int] = field(default_factory=dict)


def check(steps: Sequence[Step]) -> None:
    """Raise ValueError if the steps break the contract of a retrieval.

    Brackets nest, and the last step closes the outermost one. A node is known before anything
    happens at it, and ids are unique among nodes and lines. A round with a queue visits each of its
    nodes once; what a walk selects arrives, in order, and only what has arrived is queued. Rounds
    count from 1, and a stage occurs once. Scores are finite sums of their parts. A bracket keeps at
    most `top_k` passages and ranks none twice. Manual choices are amendments of the bracket.

    Raises
    ------
    ValueError : with the number of the step, from 1, and what is wrong with it.
    """
    _expect(bool(steps), "step 1: a retrieval must begin with Asked")
    checker = _Checker()
    for number, step in enumerate(steps, start=1):
        try:
            checker.take(step)
        except ValueError as error:
            raise ValueError(f"step {number}: {error}") from None
    if checker.open:
        raise ValueError(f"step {len(steps)}: a retrieval must end with Ranked")


@dataclass(slots=True)
class _Checker:
    open: list[_Bracket] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    queries: set[str] = field(default_factory=set)
    things: dict[str, Thing] = field(default_factory=dict)
    ties: dict[str, Tie] = field(default_factory=dict)
    ended: bool = False

    def take(self, step: Step) -> None:
        """Check one step against the steps before it, and record its nodes and lines."""
        _expect(not self.ended, "it comes after the last Ranked")
        for thing in things_of(step):
            _expect(
                self.things.setdefault(thing.id, thing) == thing,
                f"{thing.id!r} is the id of two things",
            )
        for tie in ties_of(step):
            _expect(self.ties.setdefault(tie.id, tie) == tie, f"{tie.id!r} is the id of two ties")
        for thing in things_of(step):
            _expect(thing.kind in _KINDS, f"{thing.kind!r} is not a kind of node")
            self.known.add(thing.id)
        if isinstance(step, Asked):
            self._check_asked(step)
            return
        _expect(bool(self.open), "a retrieval must begin with Asked")
        here = self.open[-1]
        asked = set(here.asked.amendments)
        _expect(
            set(step.told.by_hand) <= asked, "it has a manual choice that Asked.amendments lacks"
        )
        match step:
            case Began():
                self._check_began(here, step)
            case Offered():
                self._check_offered(here, step)
            case Spread():
                scores = [hit.score for hit in step.hits]
                _expect(isfinite(step.moved), "moved is not finite")
                _expect(scores == sorted(scores, reverse=True), "its hits are not sorted by score")
                self._check_list(step.hits)
            case Pooled():
                self._check_list(step.hits)
            case Said():
                _expect({step.about, *step.rests_on} <= self.known, "it refers to an unknown node")
                _expect(set(step.closes) <= self.queries, "it closes a question that was not asked")
            case Ranked():
                self._check_ranked(here, step)
        for tie in ties_of(step):
            _expect({tie.source, tie.target} <= self.known, f"{tie.id!r} joins an unknown node")

    def _check_asked(self, step: Asked) -> None:
        """Check the start of a bracket, and open it."""
        _expect(step.top_k >= 1, f"top_k is {step.top_k}; it must be at least 1")
        _expect(step.weight_of_visits >= 0, "weight_of_visits is negative")
        _expect(step.id not in self.queries, f"{step.id!r} is asked twice")
        _expect(set(step.parents) <= self.known, "a parent is unknown")
        if step.narrowed:
            _expect(0 <= step.narrowed[1] <= step.narrowed[0], "narrowed grows")
        self.open.append(_Bracket(step))
        self.queries.add(step.id)
        self.known.add(step.id)

    def _check_began(self, here: _Bracket, step: Began) -> None:
        """Check the number and queue of a round or stage that begins."""
        wanted = here.rounds.get(step.name, 0) + 1
        stage = not step.number and wanted == 1 and not step.waiting
        right = stage or step.number == wanted
        _expect(right, f"{step.name} is {step.number}; it must be {wanted}")
        here.rounds[step.name] = wanted
        _expect(len(set(step.waiting)) == len(step.waiting), "the queue contains a node twice")
        _expect(set(step.waiting) <= self.known, "the queue contains an unknown node")
        if here.visited:
            _expect(
                set(step.waiting) <= here.visited,
                "the queue contains a node that was never visited",
            )
        here.waiting = set(step.waiting) if step.waiting else None

    def _check_offered(self, here: _Bracket, step: Offered) -> None:
        """Check the candidates at a node, and the arrivals at those selected."""
        _expect(step.at in self.known, "its node is unknown")
        queued = step.at != here.asked.id and not step.entry
        if here.waiting is not None and queued:
            _expect(step.at in here.waiting, "its node is not in the queue of the round")
            here.waiting.discard(step.at)
        pairs = [(offer.target, offer.tie) for offer in step.offers]
        _expect(len(set(pairs)) == len(pairs), "an offer is listed twice")
        for offer in step.offers:
            _check_score(offer.score, offer.parts)
        taken = [(offer.target, offer.tie) for offer in step.taken]
        walks = bool(here.visited) and here.waiting is not None and queued
        if step.arrivals or step.entry or walks:
            _expect(
                [_target_and_tie(a) for a in step.arrivals] == taken,
                "arrivals differ from the offers taken",
            )
        for arrival in step.arrivals:
            _check_score(None, arrival.parts)
        here.visited |= {arrival.id for arrival in step.arrivals}
        self.known |= {offer.target for offer in step.offers}

    def _check_ranked(self, here: _Bracket, step: Ranked) -> None:
        """Check the final ranking of a bracket, and close it."""
        top_k = here.asked.top_k
        _expect(len(step.hits) <= top_k, f"it has {len(step.hits)} hits, but top_k is {top_k}")
        _expect(bool(step.hits) or not step.pruned, "all passages are pruned")
        ranked = (*step.hits, *step.pruned)
        _expect(not {hit.passage_id for hit in ranked} & self.things.keys(), "it ranks a thing")
        self._check_list(ranked)
        self.open.pop()
        self.ended = not self.open

    def _check_list(self, hits: Sequence[Hit]) -> None:
        """Check that a list of nodes is best first, without duplicates."""
        ids = [hit.passage_id for hit in hits]
        _expect(len(set(ids)) == len(ids), "a node is ranked twice")
        for hit in hits:
            _check_score(hit.score, hit.parts)
        self.known |= set(ids)


def _target_and_tie(arrival: Arrival) -> tuple[str, str]:
    return arrival.id, arrival.tie


def _check_score(score: float | None, parts: Iterable[Part]) -> None:
    """Check that the parts of a score are finite and sum to it; None skips the sum."""
    values = [part.value for part in parts]
    _expect(all(map(isfinite, values)), "a part of a score is not finite")
    if score is None:
        return
    _expect(isfinite(score), "a score is not finite")
    if values:
        near = isclose(score, sum(values), rel_tol=_NEAR, abs_tol=_NEAR)
        _expect(near, f"a score is {score}, but its parts sum to {sum(values)}")


def _expect(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)
