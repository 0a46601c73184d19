"""Layout of a retrieval: a column for each node."""

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
"""The heading of a column that contains only questions."""


@dataclass(slots=True)
class Columns:
    """The column of each node in a layered drawing, and the heading of each column.

    `lists` has the column of each kind of node that is listed together.
    """

    of: dict[str, int] = field(default_factory=dict)
    headings: dict[int, str] = field(default_factory=dict)
    lists: dict[str, int] = field(default_factory=dict)

    def put(self, node: str, column: int, heading: str) -> None:
        """Put a node into a column, unless it has one; a column keeps its first heading."""
        if node not in self.of:
            self.of[node] = column
            self.headings.setdefault(column, heading)

    def move(self, node: str, column: int, heading: str) -> None:
        """Move a node that already has a column."""
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
    """Assign the nodes of a retrieval to columns.

    If scores spread over a graph, each kind of node has a column. Otherwise, columns follow the
    steps. A question is right of its parent questions, and right of those of earlier rounds. Seeds
    and passages without a source node are right of their question, or in the first column. A
    candidate is right of the node that offers it, and a pooled node right of its neighbours.
    """
    by_replay = _columns_by_replay(steps)
    if spreads(steps):
        return in_kinds(_kinds_of(by_replay.of, steps), fact_word(steps))
    return by_replay


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
    """Return the kind of each node; nodes that no step introduces are passages."""
    questions, brought = questions_drawn(steps), things(steps)
    kinds: dict[str, Kind] = dict.fromkeys(nodes, "passage")
    kinds |= {node: thing.kind for node, thing in brought.items() if node in kinds}
    return kinds | {node: "query" for node in questions if node in kinds}


def _columns_by_replay(steps: Sequence[Step]) -> Columns:
    """Assign columns by replaying the steps: a node goes to the column of its first appearance."""
    placed = Columns()
    drawn, reached, selected = questions_drawn(steps), reached_at(steps), _selected(steps)
    # One entry per open question: the column in which its passages start, the heading of its
    # current round ('' for none), and the heading of the questions that are planned in it.
    bases: list[int] = []
    rounds: list[str] = []
    plans: list[str] = []
    round_queries: set[str] = set()  # ids of the questions with which a round began
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
            if step.number:
                round_queries |= {thing.id for thing in step.things if thing.kind == "query"}
            rounds[-1] = begun(str(step)) if step.number else ""
            plans[-1] = PLAN if step.number else begun(step.name)
        lists = not rounds[-1] and (len(bases) == 1 or not bases[-1])
        begins_with_query = (
            isinstance(step, Began)
            and rounds[-1]
            and any(thing.id in round_queries for thing in step.things)
        )
        base = placed.free(bases[-1], rounds[-1]) if begins_with_query else bases[-1]
        later = {*reached, *_selected_elsewhere(step, selected, rounds[-1])}
        _place(placed, step, bases[-1], rounds[-1], later, lists)
        _place_things(placed, step, base, rounds[-1], plans[-1])
        if isinstance(step, Ranked):
            bases.pop()
            rounds.pop()
            plans.pop()
    return placed


def _selected(steps: Sequence[Step]) -> frozenset[str]:
    """Return the nodes selected by steps that visit none, such as entries of a list."""
    listed = (step for step in steps if isinstance(step, Offered) and not step.arrivals)
    return frozenset(offer.target for step in listed for offer in step.taken)


def _selected_elsewhere(step: Step, selected: Collection[str], round_: str) -> list[str]:
    """Return the candidates that this step of a round drops but another step selects.

    The step that selects a candidate places it.
    """
    offers = step.offers if isinstance(step, Offered) and round_ else ()
    return [offer.target for offer in offers if not offer.taken and offer.target in selected]


def _place(
    found: Columns, step: Step, base: int, round_: str, reached: Collection[str], lists: bool
) -> None:
    """Place the nodes that `step` shows first.

    Parameters
    ----------
    base : column in which the passages of the open question start.
    reached : candidates not to place now, because a later step reaches or selects them.
    lists : whether each kind of listed node gets a column of its own.
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
    """Place the nodes that `step` adds: next to a node they are joined to, or by their kind.

    `plan` is the heading of questions.
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
    """Return the kinds of the candidates; those that the step does not introduce are passages."""
    kinds = {thing.id: thing.kind for thing in step.things}
    return " ".join(sorted({kinds.get(offer.target, "passage") for offer in step.offers}))


def _joined(step: Offered | Pooled) -> dict[str, list[str]]:
    """Return the neighbours of each node along the lines the step adds."""
    neighbours: dict[str, list[str]] = {}
    for tie in step.ties:
        neighbours.setdefault(tie.source, []).append(tie.target)
        neighbours.setdefault(tie.target, []).append(tie.source)
    return neighbours
