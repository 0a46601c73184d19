"""The state of a retrieval after each step, updated step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.ranking import prune, rank
from core.steps import (
    Arrival,
    Asked,
    Began,
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

Role = Literal["current", "retrieved", "pruned", "seed", "visited", "offered"]
"""How a node is drawn; the first role in this order applies.

`current`: examined in this step. `retrieved`, `pruned`: in the final ranking, or cut off from it.
`seed`: in the queue at the start of a walk. `visited`: reached, selected, examined, pooled, or
with a share of the spread scores. `offered`: a candidate so far, never selected.
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit to a node in the current step. `count` is the node's visit count after it."""

    id: str
    tie: str
    count: int

    @property
    def new(self) -> bool:
        return self.count == 1


@dataclass(frozen=True, slots=True)
class Question:
    """A question, with the answer that closed it, or '' if there is none yet."""

    asked: Asked
    answer: str = ""


@dataclass(slots=True)
class Bracket:
    """One open retrieval. Queues and sets are dicts, which keep their order."""

    asked: Asked
    round: Began | None = None
    queue: dict[str, None] = field(default_factory=dict)
    entries: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    parts: dict[str, tuple[Part, ...]] = field(default_factory=dict)
    ranking: tuple[Hit, ...] | None = None  # of the last step that ranks, if any did
    end: Ranked | None = None

    def arrive(self, arrivals: Sequence[Arrival]) -> tuple[Visit, ...]:
        """Count each visit; a first one joins the queue (HopRAG, Algorithm 1, lines 9 to 13)."""
        visits = []
        for arrival in arrivals:
            if arrival.id not in self.counts:
                self.queue[arrival.id] = None
            self.counts[arrival.id] = self.counts.get(arrival.id, 0) + 1
            self.parts[arrival.id] = arrival.parts
            visits.append(Visit(arrival.id, arrival.tie, self.counts[arrival.id]))
        return tuple(visits)

    def kept_and_cut(self) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
        """Return passages retrieved and cut off at the end, or so far if it has not ended."""
        if self.end:
            return self.end.hits, self.end.pruned
        hits = self.ranking
        if hits is None:
            hits = tuple(rank(self.parts, self.counts, self.asked.weight_of_visits))
        return prune(hits, self.asked.top_k)


@dataclass(slots=True)
class State:
    """The open brackets, innermost last, and the nodes and lines of the whole retrieval so far."""

    open: list[Bracket] = field(default_factory=list)
    things: dict[str, Thing] = field(default_factory=dict)
    ties: dict[str, Tie] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    mass: dict[str, Hit] = field(default_factory=dict)
    spread: str = ""
    offered: dict[str, None] = field(default_factory=dict)
    reached: dict[str, None] = field(default_factory=dict)
    seeds: dict[str, None] = field(default_factory=dict)
    walked: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    visits: tuple[Visit, ...] = ()
    waited: tuple[str, ...] = ()  # in the bracket of the last step, before it
    _closing: bool = False

    @property
    def here(self) -> Bracket | None:
        """The innermost open bracket."""
        return self.open[-1] if self.open else None

    def apply(self, number: int, step: Step) -> None:
        """Update the state with `step`, which has this `number`, counted from 1."""
        self.visits = ()
        if self._closing:  # a bracket that has ended stays visible until the next step
            self.open.pop()
            self._closing = False
        self.things |= {thing.id: thing for thing in things_of(step)}
        self.ties |= {tie.id: tie for tie in ties_of(step)}
        if isinstance(step, Asked):
            self.open.append(Bracket(step))
            self.questions[step.id] = Question(step)
        here = self.open[-1]
        self.waited = tuple(here.queue)
        match step:
            case Began():
                here.round, here.queue = step, dict.fromkeys(step.waiting)
            case Offered():
                self._offered(here, number, step)
            case Spread():
                self.mass, self.spread = {hit.passage_id: hit for hit in step.hits}, step.of
                self._ranked(here, step.hits)
            case Pooled():
                self._ranked(here, step.hits)
            case Said():
                self.said.append(step)
                for closed in step.closes:
                    self.questions[closed] = Question(self.questions[closed].asked, step.text)
            case Ranked():
                here.end = step
                self.reached |= {hit.passage_id: None for hit in (*step.hits, *step.pruned)}
                self._closing = len(self.open) > 1

    def _ranked(self, here: Bracket, hits: Sequence[Hit]) -> None:
        """Store the ranking; nodes other than passages count as reached but have no rank."""
        here.ranking = tuple(hit for hit in hits if hit.passage_id not in self.things)
        self.reached |= {hit.passage_id: None for hit in hits}

    def _offered(self, here: Bracket, number: int, step: Offered) -> None:
        """Record candidates, followed and refused lines, visits and seeds of a step."""
        here.queue.pop(step.at, None)
        for offer in step.offers:
            if step.entry or not offer.tie:
                continue
            # A followed line stays followed, even if a later step refuses it at its other end.
            if offer.taken:
                self.refused.pop(offer.tie, None)
                self.walked.setdefault(offer.tie, number)
            elif offer.tie not in self.walked:
                self.refused.setdefault(offer.tie, number)
        if not step.entry:
            self.offered |= {offer.target: None for offer in step.offers}
        if step.at in self.things.keys() - self.questions.keys():
            self.reached[step.at] = None
        self.reached |= {offer.target: None for offer in step.taken}
        if step.room:
            self._left_out(step)
        self.visits = here.arrive(step.arrivals)
        if step.entry:
            here.entries = tuple(arrival.id for arrival in step.arrivals)
            self.seeds |= dict.fromkeys(here.entries)

    def _left_out(self, step: Offered) -> None:
        """Drop nodes of one list that did not fit when lists were merged."""
        offered = (self.things.get(offer.target) for offer in step.offers)
        kinds = {thing.kind for thing in offered if thing}
        kept = {offer.target for offer in step.taken}
        for node in [*self.reached]:
            if node in self.things and self.things[node].kind in kinds and node not in kept:
                del self.reached[node]

    def roles(self, current: str | None) -> dict[str, Role]:
        """Return the role of each node; stronger roles overwrite weaker ones."""
        roles: dict[str, Role] = dict.fromkeys(self.offered, "offered")
        roles |= dict.fromkeys(self.reached, "visited")
        roles |= dict.fromkeys(self.seeds, "seed")
        if self.here and self.here.end and len(self.open) == 1:
            roles |= {hit.passage_id: "pruned" for hit in self.here.end.pruned}
            roles |= {hit.passage_id: "retrieved" for hit in self.here.end.hits}
        if current:
            roles[current] = "current"
        return roles
