"""Where the nodes of a retrieval are drawn: a column for each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from core.playback.layers import questions_drawn, reached_at
from core.playback.wording import begun
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offered,
    Pooled,
    Ranked,
    Spread,
    Step,
    Thing,
    things_of,
    ties_of,
)

SEEDS = "Seeds"
PLAN = "Sub-questions"
"""The heading of a column in which only questions stand."""


@dataclass(slots=True)
class Columns:
    """A column for every node, for a layered drawing, and a heading for each column."""

    of: dict[str, int] = field(default_factory=dict)
    headings: dict[int, str] = field(default_factory=dict)

    def put(self, node: str, column: int, heading: str) -> None:
        """A node keeps the column that it got first, and a column its heading."""
        if node not in self.of:
            self.of[node] = column
            self.headings.setdefault(column, heading)

    def free(self, column: int, heading: str) -> int:
        """The first from `column` on that is called so, or has no heading yet."""
        while self.headings.get(column, heading) != heading:
            column += 1
        return column

    def outside_plan(self, column: int, heading: str) -> int:
        """`column`, or one right of it where only the questions of a plan stand in it."""
        return self.free(column, heading) if self.headings.get(column) == PLAN else column

    def beside(self, nodes: Sequence[str], otherwise: int) -> int:
        """The column right of all of `nodes` that have one."""
        return max((self.of[node] + 1 for node in nodes if node in self.of), default=otherwise)


def columns(steps: Sequence[Step]) -> Columns:
    """Where each node stands.

    A question stands right of what it came from, and in a round right of those before; what a walk
    starts with, and what is found without a place, right of its question or in the first column;
    what is on offer at a node, right of that node; what is pooled, right of what it is joined to.
    Outside of rounds what is no passage has a column for each of its lists. So a visited passage
    stands at the round in which it was reached.
    """
    found = Columns()
    drawn, reached = questions_drawn(steps), reached_at(steps)
    bases: list[int] = []
    rounds: list[str] = []
    for step in steps:
        if isinstance(step, Asked):
            base = bases[-1] if bases else 0
            outer = rounds[-1] if rounds else ""
            if step.id in drawn:
                column = found.beside(step.parents, base)
                heading = "Question" if step.id == ROOT else outer or PLAN
                if outer and found.headings.get(column) != PLAN:
                    column = found.free(column, heading)
                found.put(step.id, column, heading)
                base = found.of[step.id] + 1
            own = step.id in drawn and found.headings[base - 1] != outer
            bases.append(base)
            rounds.append("" if own else outer)
            continue
        if isinstance(step, Began):
            rounds[-1] = f"{begun(step.name)} {step.number}"
        _place(found, step, bases[-1], rounds[-1], reached)
        if isinstance(step, Ranked):
            bases.pop()
            rounds.pop()
    return found


def _place(found: Columns, step: Step, base: int, round_: str, reached: Collection[str]) -> None:
    """Put what `step` speaks of for the first time; what a walk reaches, when it does."""
    match step:
        case Offered():
            place = base if step.entry else found.beside([step.at], base)
            heading = SEEDS if step.entry else round_ or begun(step.of)
            if step.things and not (round_ or base):
                place = found.free(place, heading)
            place = found.outside_plan(place, heading)
            for arrival in step.arrivals:
                found.put(arrival.id, place, heading)
            beside = _joined(step)
            for offer in () if step.entry else step.offers:
                if offer.target not in reached:
                    column = found.beside(beside.get(offer.target, ()), place)
                    found.put(offer.target, column, heading)
        case Ranked():
            heading = round_ or ("Found" if base else "Result")
            column = found.outside_plan(base, heading)
            for hit in (*step.hits, *step.pruned):
                found.put(hit.passage_id, column, heading)
        case Pooled():
            beside = _joined(step)
            for hit in step.hits:
                column = found.beside(beside.get(hit.passage_id, ()), base)
                column = column if round_ or base else found.free(column, "Found")
                found.put(hit.passage_id, column, round_ or "Found")
        case Spread():
            column = found.outside_plan(base, "Found")
            for hit in step.hits:
                found.put(hit.passage_id, column, "Found")
    ends, named = {tie.target for tie in ties_of(step)}, {one.id: one for one in things_of(step)}
    for thing in things_of(step):
        if thing.id not in ends or thing.kind == "query":  # a plan is one column
            found.put(thing.id, base, round_ or _nodes(thing))
    for tie in ties_of(step):
        if tie.source in found.of:
            heading = _nodes(named[tie.target]) if tie.target in named else "Next"
            found.put(tie.target, found.of[tie.source] + 1, round_ or heading)
    for thing in things_of(step):
        found.put(thing.id, base, round_ or _nodes(thing))


def _nodes(thing: Thing) -> str:
    return PLAN if thing.kind == "query" else f"{begun(thing.kind)} nodes"


def _joined(step: Offered | Pooled) -> dict[str, list[str]]:
    """What each node is joined to by the lines that the step brings."""
    found: dict[str, list[str]] = {}
    for tie in step.ties:
        found.setdefault(tie.source, []).append(tie.target)
        found.setdefault(tie.target, []).append(tie.source)
    return found
