"""Where the nodes of a retrieval are drawn: a column for each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.playback.layers import (
    WORDS,
    fact_word,
    kinds_apart,
    questions_drawn,
    reached_at,
    spreads,
    things,
)
from core.playback.wording import begun
from core.steps import (
    ROOT,
    Asked,
    Began,
    Kind,
    Offered,
    Pooled,
    Ranked,
    Spread,
    Step,
    Thing,
    things_of,
    ties_of,
)
from core.text.display.plurals import several

SEEDS, FOUND = "Seeds", "Passages"
PLAN = "Sub-questions"
"""The heading of a column in which only questions stand."""


@dataclass(slots=True)
class Columns:
    """A column for every node, for a layered drawing, and a heading for each column."""

    of: dict[str, int] = field(default_factory=dict)
    headings: dict[int, str] = field(default_factory=dict)
    lists: dict[str, int] = field(default_factory=dict)

    def put(self, node: str, column: int, heading: str) -> None:
        """Put a node into a column, unless it has one; a column keeps its first heading."""
        if node not in self.of:
            self.of[node] = column
            self.headings.setdefault(column, heading)

    def move(self, node: str, column: int, heading: str) -> None:
        """Put a node into another column than the one that it got first."""
        self.of[node] = column
        self.headings.setdefault(column, heading)

    def alike(self, kind: str, column: int, heading: str) -> int:
        """Return the column for lists of this `kind`, at `column` or further right."""
        column = self.lists.setdefault(kind, self.free(column, heading))
        self.headings.setdefault(column, heading)
        return column

    def put_alike(self, kind: Kind, column: int, nodes: Iterable[str]) -> None:
        """Put nodes of this `kind`, from a list of several kinds, into their column."""
        heading = begun(several(WORDS.get(kind, kind)))
        alike = self.found(column) if kind == "passage" else self.alike(kind, column, heading)
        for node in nodes:
            self.put(node, alike, self.headings[alike])

    def found(self, column: int) -> int:
        """Return the column of passages, right of all lists of things."""
        behind = max((one + 1 for one in self.lists.values()), default=column)
        return self.alike(FOUND, max(column, behind), FOUND) if self.lists else column

    def free(self, column: int, heading: str) -> int:
        """Return the first column from `column` on with this heading or none."""
        while self.headings.get(column, heading) != heading:
            column += 1
        return column

    def outside_plan(self, column: int, heading: str) -> int:
        """Return `column`, or one further right if it holds the questions of a plan."""
        return self.free(column, heading) if self.headings.get(column) == PLAN else column

    def beside(self, nodes: Sequence[str], otherwise: int) -> int:
        """Return the column right of all `nodes` that have one."""
        return max((self.of[node] + 1 for node in nodes if node in self.of), default=otherwise)


def columns(steps: Sequence[Step]) -> Columns:
    """Lay out the nodes of a retrieval in columns.

    A question stands right of its origin, and in a round right of the earlier ones. Seeds, and
    passages found without a place, stand right of their question or in the first column. A
    candidate stands right of its node, and a pooled node right of its neighbours.
    """
    if spreads(steps):
        return in_kinds(_kinds_of(_walked(steps).of, steps), fact_word(steps))
    return _walked(steps)


def in_kinds(kinds: Mapping[str, Kind], fact: str = "fact") -> Columns:
    """Lay out nodes in a column per kind: questions, other things, and passages last.

    `fact` is the noun for a fact.
    """
    words: Mapping[Kind, str] = {"query": "question", "fact": fact}
    order = sorted(dict.fromkeys(kinds.values()), key=lambda k: (k != "query", k == "passage"))
    placed = Columns()
    for node, kind in kinds.items():
        heading = begun(several(words.get(kind, kind)))
        placed.put(node, order.index(kind), heading)
    return placed


def _kinds_of(nodes: Iterable[str], steps: Sequence[Step]) -> dict[str, Kind]:
    questions, brought = questions_drawn(steps), things(steps)
    kinds: dict[str, Kind] = dict.fromkeys(nodes, "passage")
    kinds |= {node: thing.kind for node, thing in brought.items() if node in kinds}
    return kinds | {node: "query" for node in questions if node in kinds}


def _walked(steps: Sequence[Step]) -> Columns:
    placed = Columns()
    drawn, reached, taken = questions_drawn(steps), reached_at(steps), _taken(steps)
    bases: list[int] = []
    rounds: list[str] = []
    plans: list[str] = []
    turned: set[str] = set()  # what rounds began by asking
    for step in steps:
        if isinstance(step, Asked):
            base = bases[-1] if bases else 0
            outer = rounds[-1] if rounds else ""
            if step.id in drawn:
                column = placed.beside(step.parents, base)
                heading = "Question" if step.id == ROOT else outer or PLAN
                if outer and placed.headings.get(column) != PLAN:
                    column = placed.free(column, heading)
                placed.put(step.id, column, heading)
                base = placed.of[step.id] + 1
            own = step.id in drawn and placed.headings[base - 1] != outer
            bases.append(base)
            rounds.append("" if own else outer)
            plans.append(PLAN)
            continue
        if isinstance(step, Began):
            turned |= {thing.id for thing in step.things if step.number and thing.kind == "query"}
            rounds[-1] = begun(str(step)) if step.number else ""
            plans[-1] = PLAN if step.number else begun(step.name)
        lists = not rounds[-1] and (len(bases) == 1 or not bases[-1])
        asks = isinstance(step, Began) and rounds[-1] and any(t.id in turned for t in step.things)
        base = placed.free(bases[-1], rounds[-1]) if asks else bases[-1]
        _place(
            placed, step, bases[-1], rounds[-1], {*reached, *_left(step, taken, rounds[-1])}, lists
        )
        _place_things(placed, step, base, rounds[-1], plans[-1])
        if isinstance(step, Ranked):
            bases.pop()
            rounds.pop()
            plans.pop()
    return placed


def _taken(steps: Sequence[Step]) -> frozenset[str]:
    """Return the nodes selected by steps that visit none, such as entries of a list."""
    listed = (step for step in steps if isinstance(step, Offered) and not step.arrivals)
    return frozenset(offer.target for step in listed for offer in step.taken)


def _left(step: Step, taken: Collection[str], round_: str) -> list[str]:
    """Return the nodes a round does not select but another does; that one places them."""
    offers = step.offers if isinstance(step, Offered) and round_ else ()
    return [one.target for one in offers if not one.taken and one.target in taken]


def _place(
    found: Columns, step: Step, base: int, round_: str, reached: Collection[str], lists: bool
) -> None:
    """Put what `step` speaks of for the first time; what a walk reaches, when it does; with `lists`
    each kind in a column of its own.
    """
    match step:
        case Offered():
            place = base if step.entry else found.beside([step.at], base)
            heading = SEEDS if step.entry else round_ or begun(step.of)
            beside = _joined(step)
            listed = lists and not (step.arrivals or step.entry)
            apart = kinds_apart(step) if listed else []
            for kind, names in apart:
                found.put_alike(kind, place, names)
            if listed and step.things and not apart:
                ends = [end for offer in step.offers for end in beside.get(offer.target, ())]
                place = found.alike(_kinds(step), found.beside(ends, place), heading)
            elif listed:
                place = found.found(place)
            place = found.outside_plan(place, heading)
            for arrival in step.arrivals:
                found.put(arrival.id, place, heading)
            for offer in () if step.entry else step.offers:
                if offer.target not in reached:
                    column = place if listed else found.beside(beside.get(offer.target, ()), place)
                    found.put(offer.target, column, heading)
        case Ranked():
            heading = round_ or (FOUND if base else "Result")
            column = found.outside_plan(base if round_ else found.found(base), heading)
            for hit in (*step.hits, *step.pruned):
                found.put(hit.passage_id, column, heading)
        case Pooled():
            beside = _joined(step)
            for hit in step.hits:
                column = found.beside(beside.get(hit.passage_id, ()), base)
                if not round_:
                    column = found.found(column) if base else found.alike(FOUND, column, FOUND)
                found.put(hit.passage_id, column, round_ or FOUND)
        case Spread():
            column = found.outside_plan(base, FOUND)
            for hit in step.hits:
                found.put(hit.passage_id, column, FOUND)


def _place_things(found: Columns, step: Step, base: int, round_: str, plan: str) -> None:
    """Put what `step` brings and lists nowhere: with what is like it, or beside what it is joined
    to; `plan` is the heading of questions.
    """

    def put(thing: Thing, column: int) -> None:
        heading = plan if thing.kind == "query" else f"{begun(thing.kind)} nodes"
        column = column if round_ else found.lists.get(thing.kind, column)
        found.put(thing.id, column, round_ or heading)

    ends, named = {tie.target for tie in ties_of(step)}, {one.id: one for one in things_of(step)}
    for thing in named.values():
        if thing.id not in ends or thing.kind == "query":  # a plan is one column
            put(thing, base)
    for tie in ties_of(step):
        if tie.source in found.of and tie.target in named:
            put(named[tie.target], found.of[tie.source] + 1)
        elif tie.source in found.of:
            found.put(tie.target, found.of[tie.source] + 1, round_ or "Next")
    for thing in named.values():
        put(thing, base)


def _kinds(step: Offered) -> str:
    """Return the kinds of the candidates; what no step has introduced is a passage."""
    kinds = {thing.id: thing.kind for thing in step.things}
    return " ".join(sorted({kinds.get(offer.target, "passage") for offer in step.offers}))


def _joined(step: Offered | Pooled) -> dict[str, list[str]]:
    """Return the neighbours of each node along the lines the step adds."""
    neighbours: dict[str, list[str]] = {}
    for tie in step.ties:
        neighbours.setdefault(tie.source, []).append(tie.target)
        neighbours.setdefault(tie.target, []).append(tie.source)
    return neighbours
