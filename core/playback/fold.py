"""What the screen shows at step t: a pure fold over the first t steps of a retrieval.

The slider, autoplay, the export and the tests all call `frame`, so going back is free. `t` counts
the steps applied, from 0 (nothing happened yet) to `len(steps)` (the result).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.ranking import importance, prune, rank
from core.steps import Arrival, Asked, HopBegan, Judged, Offer, Ranked, Seeded, Step
from core.types import Hit, Part

Role = Literal["current", "retrieved", "pruned", "seed", "visited", "offered"]
"""How a vertex is drawn, the first that fits in this order.

`current`: taken from the queue in this step. `retrieved`, `pruned`: as the end has it. `seed`:
in the queue at the start. `visited`: reached by a chosen edge. `offered`: only ever on offer.
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """An arrival in this very step. `count` is the vertex's visits with it, 1 when `new`."""

    passage_id: str
    edge_id: str | None
    count: int

    @property
    def new(self) -> bool:
        return self.count == 1


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the ranking. `rank` counts from 1; `visits` is 0 for a one-shot method."""

    rank: int
    hit: Hit
    visits: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The state after the first `t` steps. Mappings are in order of first appearance.

    | field | meaning |
    | --- | --- |
    | step | the step that led here; None at t = 0 |
    | hop | the round, 0 before the first |
    | queue, joined, left | who waits now, in order; who came and went in this step |
    | current | the vertex taken from the queue in this step |
    | offers, chosen, arrivals | of this step: edges on offer, ids of those followed, the visits |
    | seeds | the queue at the start |
    | counter, visits | visits a vertex, and their sum |
    | importance | IMP of each visited vertex (Eq. 3); sums to 1 |
    | helpfulness | all visited so far, best first, as if pruned now; at the end the result |
    | cutoff | score of the last row kept; None when no row would be cut |
    | walked, refused | edge ids with the step at which it was first followed, or refused |
    | roles | how to draw each vertex that was visited or on offer |
    | hits, pruned | the result; empty before the end |
    """

    t: int
    step: Step | None
    hop: int
    queue: tuple[str, ...]
    joined: tuple[str, ...]
    left: tuple[str, ...]
    current: str | None
    offers: tuple[Offer, ...]
    chosen: tuple[str, ...]
    arrivals: tuple[Visit, ...]
    seeds: tuple[str, ...]
    counter: Mapping[str, int]
    visits: int
    importance: Mapping[str, float]
    helpfulness: tuple[Standing, ...]
    cutoff: float | None
    walked: Mapping[str, int]
    refused: Mapping[str, int]
    roles: Mapping[str, Role]
    hits: tuple[Hit, ...]
    pruned: tuple[Hit, ...]


def frame(steps: Sequence[Step], t: int) -> Frame:
    """The state after the first `t` steps; depends on nothing behind them.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    if not 0 <= t <= len(steps):
        raise IndexError(f"t is {t}; there are {len(steps)} steps")
    walk = _Walk()
    before: dict[str, None] = {}
    for number, step in enumerate(steps[:t], start=1):
        before = dict(walk.queue) if number == t else before
        walk.apply(number, step)
    last = steps[t - 1] if t else None
    standings = walk.standings()
    cut = any(not row.kept for row in standings)
    return Frame(
        t=t,
        step=last,
        hop=walk.hop,
        queue=tuple(walk.queue),
        joined=tuple(vertex for vertex in walk.queue if vertex not in before),
        left=tuple(vertex for vertex in before if vertex not in walk.queue),
        current=last.vertex if isinstance(last, Judged) else None,
        offers=last.offers if isinstance(last, Seeded | Judged) else (),
        chosen=_chosen(last),
        arrivals=walk.arrivals,
        seeds=walk.seeds,
        counter=walk.counter,
        visits=sum(walk.counter.values()),
        importance=importance(walk.counter),
        helpfulness=standings,
        cutoff=[row for row in standings if row.kept][-1].hit.score if cut else None,
        walked=walk.walked,
        refused=walk.refused,
        roles=walk.roles(last),
        hits=walk.end.hits if walk.end else (),
        pruned=walk.end.pruned if walk.end else (),
    )


def _chosen(step: Step | None) -> tuple[str, ...]:
    """Ids of the edges followed in `step`; those of an entry are all followed."""
    if isinstance(step, Judged):
        return step.chosen
    if isinstance(step, Seeded):
        return tuple(offer.edge_id for offer in step.offers if offer.edge_id)
    return ()


@dataclass(slots=True)
class _Walk:
    """The fold's state. Queues and sets are dicts, which keep their order."""

    top_k: int = 1
    weight: float = 0.0
    hop: int = 0
    queue: dict[str, None] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    counter: dict[str, int] = field(default_factory=dict)
    parts: dict[str, tuple[Part, ...]] = field(default_factory=dict)
    offered: dict[str, None] = field(default_factory=dict)
    walked: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    arrivals: tuple[Visit, ...] = ()
    end: Ranked | None = None

    def apply(self, number: int, step: Step) -> None:
        self.arrivals = ()
        match step:
            case Asked():
                self.top_k, self.weight = step.top_k, step.importance_weight
            case Seeded():
                self.seeds = tuple(seed.passage_id for seed in step.seeds)
                self._arrive(step.seeds)
            case HopBegan():
                self.hop, self.queue = step.hop, dict.fromkeys(step.queue)
            case Judged():
                self.queue.pop(step.vertex, None)
                self._look(number, step)
                self._arrive(step.arrivals)
            case Ranked():
                self.end = step

    def _arrive(self, arrivals: Sequence[Arrival]) -> None:
        """Count each visit; a first one joins the queue (Algorithm 1, lines 9 to 13)."""
        visits = []
        for arrival in arrivals:
            vertex = arrival.passage_id
            if vertex not in self.counter:
                self.queue[vertex] = None
            self.counter[vertex] = self.counter.get(vertex, 0) + 1
            self.parts[vertex] = arrival.parts
            visits.append(Visit(vertex, arrival.edge_id, self.counter[vertex]))
        self.arrivals = tuple(visits)

    def _look(self, number: int, step: Judged) -> None:
        """Once walked an edge stays walked, though its other end may refuse it later."""
        for offer in step.offers:
            self.offered[offer.target] = None
            if offer.edge_id in step.chosen:
                self.refused.pop(offer.edge_id, None)
                self.walked.setdefault(offer.edge_id, number)
            elif offer.edge_id not in self.walked:
                self.refused.setdefault(offer.edge_id, number)

    def standings(self) -> tuple[Standing, ...]:
        """The result at the end, and before it what pruning would make of the visited."""
        if self.end:
            kept, cut = self.end.hits, self.end.pruned
        else:
            kept, cut = prune(rank(self.parts, self.counter, self.weight), self.top_k)
        return tuple(
            Standing(place, hit, self.counter.get(hit.passage_id, 0), place <= len(kept))
            for place, hit in enumerate((*kept, *cut), start=1)
        )

    def roles(self, last: Step | None) -> dict[str, Role]:
        """Weakest role first, so that a stronger one overwrites it."""
        roles: dict[str, Role] = dict.fromkeys(self.offered, "offered")
        roles |= dict.fromkeys(self.counter, "visited")
        roles |= dict.fromkeys(self.seeds, "seed")
        if self.end:
            roles |= {hit.passage_id: "pruned" for hit in self.end.pruned}
            roles |= {hit.passage_id: "retrieved" for hit in self.end.hits}
        if isinstance(last, Judged):
            roles[last.vertex] = "current"
        return roles
