"""What of a retrieval is drawn, and where: nodes in columns, lines between them.

All are functions of the whole retrieval, so that places stay fixed while it is played.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.playback.wording import begun
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Spread,
    Step,
    Thing,
    Tie,
    things_of,
    ties_of,
)

PLAN = "Sub-questions"
"""The heading of a column in which only questions stand."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of the drawing; `source` and `target` are its ends, whichever way it is followed.

    `of_graph` says that `id` is an edge of the index. `offered` is the step (counted from 1) at
    which it was first on offer or brought, `taken` the one at which it was first followed, None if
    never. `backwards`: it was looked at from its target.
    """

    id: str
    source: str
    target: str
    label: str
    offered: int
    taken: int | None = None
    backwards: bool = False
    of_graph: bool = False


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


def questions_drawn(steps: Sequence[Step]) -> dict[str, str]:
    """Ids and texts of the questions that are drawn: all, where there is more than one text."""
    texts = {step.id: step.query for step in steps if isinstance(step, Asked)}
    waiting = (thing for step in steps for thing in things_of(step) if thing.kind == "query")
    texts |= {thing.id: thing.label for thing in waiting if thing.id not in texts}
    return texts if len(set(texts.values())) > 1 else {}


def things(steps: Sequence[Step]) -> dict[str, Thing]:
    """Everything that is no passage, by its id, in order of appearance."""
    return {thing.id: thing for step in steps for thing in things_of(step)}


def reached_at(steps: Sequence[Step]) -> dict[str, int]:
    """The step at which each visited node was first reached, in that order."""
    found: dict[str, int] = {}
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Offered):
            for arrival in step.arrivals:
                found.setdefault(arrival.id, number)
    return found


def is_field(steps: Sequence[Step]) -> bool:
    """Whether something spreads over lines, which no columns can show."""
    return any(isinstance(step, Spread) for step in steps)


def columns(steps: Sequence[Step]) -> Columns:
    """Where each node stands.

    A question stands right of what it came from; what a walk starts with, and what is found
    without a place, right of its question or in the first column; what is on offer at a node,
    right of that node; what is pooled, right of what it is joined to. Outside of rounds what is no
    passage has a column for each of its lists. So a visited passage stands at the round in which
    it was reached.
    """
    found = Columns()
    drawn, reached = questions_drawn(steps), reached_at(steps)
    bases: list[int] = []
    rounds: list[str] = []
    for step in steps:
        if isinstance(step, Asked):
            base = bases[-1] if bases else 0
            if step.id in drawn:
                column = found.beside(step.parents, base)
                outer = rounds[-1] if rounds else ""
                heading = "Question" if step.id == ROOT else outer or PLAN
                found.put(step.id, column, heading)
                base = found.of[step.id] + 1
            outer = rounds[-1] if rounds else ""
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
            heading = "Seeds" if step.entry else round_ or begun(step.of)
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


def drawn_lines(steps: Sequence[Step]) -> list[DrawnLine]:
    """Every line that was on offer at a node or was brought by a step, once each, in order.

    The edges by which the seeds were found are not among them: they lead into the walk and are
    not part of it. What a question found is joined to it, where questions are drawn. The step
    that followed a line decides `backwards`; before that, the first.
    """
    drawn: dict[str, DrawnLine] = {}
    brought = {tie.id: tie for step in steps for tie in ties_of(step)}
    questions = questions_drawn(steps)
    listed = {} if is_field(steps) else _listed(steps, questions)
    for number, step in enumerate(steps, start=1):
        for tie in ties_of(step):
            drawn.setdefault(tie.id, DrawnLine(tie.id, tie.source, tie.target, tie.label, number))
        for line in (*_lines(number, step, brought, questions), *listed.get(number, ())):
            before = drawn.setdefault(line.id, line)
            if line.taken and before.taken is None:
                drawn[line.id] = replace(before, taken=number, backwards=line.backwards)
    return list(drawn.values())


def _lines(
    number: int, step: Step, brought: Mapping[str, Tie], questions: Mapping[str, str]
) -> Iterator[DrawnLine]:
    """The lines that `step` looks at or follows."""
    if isinstance(step, Asked) and step.id in questions:
        for parent in step.parents:
            yield _descent(number, parent, step.id, brought)
    if not isinstance(step, Offered) or step.entry:
        return
    for offer in step.offers:
        taken = number if offer.taken else None
        if tie := brought.get(offer.tie):
            yield DrawnLine(tie.id, tie.source, tie.target, tie.label, number, taken)
        elif offer.tie:
            source, target = _ends(step.at, offer)
            yield DrawnLine(
                offer.tie, source, target, offer.label, number, taken, offer.backwards, True
            )
        elif step.at in questions and offer.taken:
            name = f"{step.at}>{offer.target}"
            yield DrawnLine(name, step.at, offer.target, offer.label, number, taken)


def _listed(steps: Sequence[Step], questions: Mapping[str, str]) -> dict[int, list[DrawnLine]]:
    """By step, the lines from a sub-question to the passages that only its list has led to.

    Each passage is joined to the one in whose list it stands highest.
    """
    best: dict[str, tuple[int, int, str]] = {}
    walked = {offer.target for step in steps if isinstance(step, Offered) for offer in step.taken}
    open_: list[str] = []
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            open_.append(step.id)
        elif isinstance(step, Ranked):
            question = open_.pop()
            if question != ROOT and question in questions:
                for rank, hit in enumerate(step.hits):
                    name, place = hit.passage_id, (rank, number, question)
                    best[name] = min(best.get(name, place), place)
    found: dict[int, list[DrawnLine]] = {}
    for name, (_, number, question) in best.items():
        if name not in walked:
            line = DrawnLine(f"{question}>{name}", question, name, "", number, number)
            found.setdefault(number, []).append(line)
    return found


def _descent(number: int, parent: str, question: str, brought: Mapping[str, Tie]) -> DrawnLine:
    """The line from where a question came from to it: the one that a step has brought, if any."""
    for tie in brought.values():
        if {tie.source, tie.target} == {parent, question}:
            back = tie.source == question
            return DrawnLine(tie.id, tie.source, tie.target, tie.label, number, number, back)
    return DrawnLine(f"{parent}>{question}", parent, question, "", number, number)


def _ends(at: str, offer: Offer) -> tuple[str, str]:
    return (offer.target, at) if offer.backwards else (at, offer.target)
