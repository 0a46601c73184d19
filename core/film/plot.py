"""A trace with its ghosts: who plays, in which column, and how each was first reached."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from core.film.cast import Cast
from core.film.misses import Misses, seeded_at
from core.film.scores import places_of
from core.film.words import ranged
from core.funnel.data import STAGES
from core.playback import Columns, DrawnLine, Frame, columns, drawn_lines
from core.playback.layers import nouns, questions_drawn, spreads, things
from core.playback.placing import SEEDS
from core.playback.wording import begun
from core.steps import ROOT, Began, Offered, Pooled, Step, Tie, ties_of
from core.text.scores import FEWEST
from core.traces import Trace

NOTHING = "nothing new"
UNREACHED, UNRANKED = "Not reached", "Not retrieved"
"""Over gold of which more than one thing became: of a walk, and of others."""
NEVER = 0
"""The step at which a line was on offer that never was."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What both views of a film are made of.

    `columns` places every node that is ever drawn, `before` says from where each was first
    reached, `ghosts` are the nodes that no step named, `lost` is the gold that the result misses:
    of a document one passage is enough. `again` are the lines that led to what had been visited
    before, `idle` the rounds of a walk in which nothing new was on offer: they have no column.
    `haunted_from` is the step from which ghosts are seen, `places` are the decimals of a score.
    """

    steps: tuple[Step, ...]
    cast: Cast
    columns: Columns
    before: Mapping[str, str]
    ghosts: frozenset[str]
    lost: frozenset[str]
    again: frozenset[str]
    idle: tuple[str, ...]
    last: Frame
    spreads: bool
    haunted_from: int
    places: int = FEWEST

    @property
    def haunted(self) -> bool:
        """Whether ghosts have a column of their own."""
        of = self.columns.of
        return bool({of[name] for name in self.ghosts} - {of[n] for n in of.keys() - self.ghosts})

    def path(self, node: str) -> list[str]:
        """From `node` back to where the walk to it began."""
        found = {node: None}
        while (node := self.before.get(node, node)) not in found:
            found[node] = None
        return list(found)


def make_plot(trace: Trace, last: Frame, missed: Misses, called: Mapping[str, str]) -> Plot:
    """Of `trace` at its end; `called` are the names of passages that its index knows."""
    places = columns(trace.steps)
    ghosts = frozenset(missed.passages) - places.of.keys()
    before = _before(trace.steps)
    heading = heading_of(missed)
    ends = [one.fate for one in missed.gold if one.fate and one.way]
    ranked = spreads(trace.steps) and bool(ends) and all(end.stage == "cut" for end in ends)
    haunting = {line.id: line for line in _haunt(places, before, missed, ranked, heading)}
    names = dict.fromkeys((*places.of, *trace.passages))
    drawn = {**haunting, **{line.id: line for line in drawn_lines(trace.steps)}}
    kept = {hit.passage_id for hit in last.hits}
    gold = {one.passage.id: one.marked for one in missed.gold if one.passage}
    known = trace.kept_gold
    cast = Cast(
        query=trace.query,
        names=tuple(names),
        lines=tuple(
            line
            for line in drawn.values()
            if {line.source, line.target} <= names.keys() and line.source != line.target
        ),
        passages={**missed.passages, **trace.passages},
        edges={**missed.edges, **trace.edges},
        things=things(trace.steps),
        questions=questions_drawn(trace.steps),
        gold=gold,
        seen=frozenset(kept | gold.keys() | ghosts | set(before.values())),
        called=called,
        nouns=nouns(trace.steps, questions_drawn(trace.steps)),
        evidence={name: known.evidence_in(name) for name in gold},
    )
    lost = frozenset(one.passage.id for one in missed.gold if one.passage and one.missing)
    return Plot(
        steps=trace.steps,
        cast=cast,
        columns=places,
        before=before,
        ghosts=ghosts,
        lost=lost,
        again=_again(trace.steps),
        idle=_idle(trace.steps, places),
        last=last,
        spreads=spreads(trace.steps),
        haunted_from=_haunted_from(trace.steps, missed),
        places=places_of(trace.steps),
    )


def _haunted_from(steps: Sequence[Step], missed: Misses) -> int:
    """The seeds, if no edge leads from there to any ghost, as it is settled by then; or the end."""
    ways = [one for one in missed.gold if one.way]
    settled = all(len(one.way) == 1 and one.fate and one.fate.stage == "far" for one in ways)
    return (seeded_at(steps) if settled else None) or len(steps)


def _idle(steps: Sequence[Step], places: Columns) -> tuple[str, ...]:
    rounds = [begun(str(one)) for one in steps if isinstance(one, Began) and one.number]
    named = set(places.headings.values())
    if not named & {*rounds, SEEDS}:
        return ()
    return tuple(name for name in dict.fromkeys(rounds) if name not in named)


def _again(steps: Sequence[Step]) -> frozenset[str]:
    """The lines by which nothing was ever reached for the first time; what a walk starts with is
    not reached by the edge that it is picked by.
    """
    visited: set[str] = set()
    first: set[str] = set()
    walked: set[str] = set()
    for step in steps:
        if not isinstance(step, Offered):
            continue
        for arrival in step.arrivals:
            if not step.entry:
                walked.add(arrival.tie)
                if arrival.id not in visited:
                    first.add(arrival.tie)
            visited.add(arrival.id)
    return frozenset(walked - first)


def _before(steps: Sequence[Step]) -> dict[str, str]:
    """From where each node was first taken: from the other end of the line that a step brought for
    it, or else from where it was on offer; what is in no list but the one that others were made
    into, from what such a line joins it to. What a walk starts with comes from nowhere.
    """
    found: dict[str, str] = {}
    started: set[str] = set()
    ties = {tie.id: tie for step in steps for tie in ties_of(step)}
    for step in steps:
        if isinstance(step, Pooled):
            led = {tie.target: tie.source for tie in reversed(step.ties) if tie.source in found}
            alone = (hit.passage_id for hit in step.hits if hit.passage_id not in started)
            found = {name: led[name] for name in alone if name in led} | found
        if not isinstance(step, Offered):
            continue
        for offer in step.taken:
            if offer.target in found:
                continue
            if step.entry:
                started.add(offer.target)
            elif offer.target not in started:
                found[offer.target] = _other_end(ties.get(offer.tie), offer.target) or step.at
    return found


def _other_end(tie: Tie | None, node: str) -> str:
    if tie is None:
        return ""
    return tie.target if tie.source == node else tie.source


def _haunt(
    places: Columns, before: dict[str, str], missed: Misses, ranked: bool, heading: str
) -> list[DrawnLine]:
    """Put each ghost right of all that was seen, and of what leads to it; below that where all
    passages are `ranked`. `heading` is that of their column.

    Gives the lines of the ways to gold, never on offer.
    """
    beside = max(places.of.values(), default=-1) + (not ranked)
    for one in missed.gold:
        for source, target in pairwise(one.way):
            places.put(target, max(beside, places.of[source] + 1), heading)
            before.setdefault(target, source)
        for alone in one.way:
            places.put(alone, beside, heading)
    return [
        DrawnLine(edge.id, edge.source, edge.target, edge.question, NEVER, of_graph=True)
        for edge in missed.edges.values()
    ]


def heading_of(missed: Misses) -> str:
    """The heading of what no step named: what became of the gold in it."""
    ends = [one.fate for one in missed.gold if one.fate and one.way]
    stages = {end.stage for end in ends}
    if len(stages) != 1:
        return UNREACHED if stages <= {"far", "unoffered"} else UNRANKED
    words = {end.words for end in ends}
    return begun(words.pop() if len(words) == 1 else STAGES[stages.pop()])


def folded(plot: Plot, most: int, outside: AbstractSet[str] = frozenset()) -> Plot:
    """The same with at most so many columns.

    Where there are as many or more, those of one heading are one, such as what a round asks and
    what it finds; then a question that stands alone joins what comes after it; and then those at
    the end are one, but for what was never seen, or stands `outside` of a walk, and for passages to
    which something spreads.
    """
    numbers = sorted(set(plot.columns.of.values()))
    if len(numbers) < most:
        return plot
    headings = plot.columns.headings
    first = {heading: number for number, heading in reversed(list(headings.items()))}
    into = {number: first[headings[number]] for number in numbers}
    plot = _merged(plot, into, {number: heading for heading, number in first.items()})
    of = plot.columns.of
    numbers = sorted(set(of.values()))
    if len(numbers) >= most and [name for name in of if of[name] == numbers[0]] == [ROOT]:
        plot = _merged(plot, {numbers[0]: numbers[1]}, dict(plot.columns.headings))
        of, numbers = plot.columns.of, numbers[1:]
    alone = plot.haunted or any(of[name] == numbers[-1] for name in outside)
    last = alone + plot.spreads
    middle = numbers[most - last - 1 : len(numbers) - last]
    if len(middle) < 2:
        return plot
    called = ranged(headings[middle[0]], headings[middle[-1]])
    return _merged(plot, dict.fromkeys(middle, middle[0]), {**headings, middle[0]: called})


def _merged(plot: Plot, into: Mapping[int, int], headings: dict[int, str]) -> Plot:
    """The columns as others have it that they stand in."""
    of = {name: into.get(number, number) for name, number in plot.columns.of.items()}
    return replace(plot, columns=Columns(of, headings))
