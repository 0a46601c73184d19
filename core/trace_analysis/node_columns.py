"""The nodes of a trace in columns, with gold that no step named, and how each was reached."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from core.funnel.stages import STAGES
from core.lost_gold.missed_gold import Misses
from core.playback import Columns, DrawnLine, Frame, columns, drawn_lines
from core.playback.layers import nouns, questions_drawn, spreads, things
from core.playback.wording import begun
from core.steps import ROOT, Offered, Pooled, Step, Tie, ties_of
from core.text.display.cropping import ranged
from core.trace_analysis.node_names import Cast
from core.traces import Trace

UNREACHED, UNRANKED = "Not reached", "Not retrieved"
"""Over gold of which more than one thing became: of a walk, and of others."""
NEVER = 0
"""The step at which a line was on offer that never was."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A trace with its columns and with the gold that no step named.

    `columns` places every node that is drawn, `before` says from where each was first reached.
    `unnamed` are the nodes that no step named; `spreads` is true if scores spread over the graph.
    """

    steps: tuple[Step, ...]
    cast: Cast
    columns: Columns
    before: Mapping[str, str]
    unnamed: frozenset[str]
    last: Frame
    spreads: bool

    @property
    def has_unnamed_column(self) -> bool:
        """Whether a column holds nothing but nodes that no step named."""
        of = self.columns.of
        named = {of[name] for name in of.keys() - self.unnamed}
        return bool({of[name] for name in self.unnamed} - named)

    def path(self, node: str) -> list[str]:
        """Return the nodes from `node` back to where the walk to it began."""
        visited = {node: None}
        while (node := self.before.get(node, node)) not in visited:
            visited[node] = None
        return list(visited)


def make_plot(trace: Trace, last: Frame, missed: Misses, called: Mapping[str, str]) -> Plot:
    """Return the plot of a trace at its end.

    Parameters
    ----------
    called : the names of passages that its index knows, by id.
    """
    places = columns(trace.steps)
    if not spreads(trace.steps):
        _place_refused(places, missed)
    unnamed = frozenset(missed.passages) - places.of.keys()
    before = _before(trace.steps)
    heading = heading_of(missed)
    ends = [one.fate for one in missed.gold if one.fate and one.way]
    ranked = spreads(trace.steps) and bool(ends) and all(end.stage == "cut" for end in ends)
    paths = {line.id: line for line in _place_unnamed(places, before, missed, ranked, heading)}
    names = dict.fromkeys((*places.of, *trace.passages))
    drawn = {**paths, **{line.id: line for line in drawn_lines(trace.steps)}}
    gold = {one.passage.id: one.marked for one in missed.gold if one.passage}
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
        called=called,
        nouns=nouns(trace.steps, questions_drawn(trace.steps)),
    )
    return Plot(
        steps=trace.steps,
        cast=cast,
        columns=places,
        before=before,
        unnamed=unnamed,
        last=last,
        spreads=spreads(trace.steps),
    )


def _before(steps: Sequence[Step]) -> dict[str, str]:
    """Return the node from which each node was first taken; seeds have none.

    It is the other end of the line that a step brought for it, or else where it was a candidate.
    For a passage of a merged list alone, it is the node to which a line of that step joins it.
    """
    predecessor: dict[str, str] = {}
    started: set[str] = set()
    ties = {tie.id: tie for step in steps for tie in ties_of(step)}
    for step in steps:
        if isinstance(step, Pooled):
            led = {
                tie.target: tie.source for tie in reversed(step.ties) if tie.source in predecessor
            }
            alone = (hit.passage_id for hit in step.hits if hit.passage_id not in started)
            predecessor = {name: led[name] for name in alone if name in led} | predecessor
        if not isinstance(step, Offered):
            continue
        for offer in step.taken:
            if offer.target in predecessor:
                continue
            if step.entry:
                started.add(offer.target)
            elif offer.target not in started:
                predecessor[offer.target] = _other_end(ties.get(offer.tie), offer.target) or step.at
    return predecessor


def _other_end(tie: Tie | None, node: str) -> str:
    if tie is None:
        return ""
    return tie.target if tie.source == node else tie.source


def _place_refused(places: Columns, missed: Misses) -> None:
    """Place gold that was not followed where it was lost: right of the node that it was nearest at.

    It may have been a candidate in an earlier round, further from being followed.
    """
    for node, fate in missed.fates.items():
        if fate.stage == "refused" and fate.round and {node, fate.at} <= places.of.keys():
            heading = begun(f"{fate.round} {fate.hop}")
            places.move(node, places.beside([fate.at], places.of[node]), heading)


def _place_unnamed(
    places: Columns, before: dict[str, str], missed: Misses, ranked: bool, heading: str
) -> list[DrawnLine]:
    """Place gold that no step named, and return the edges on the paths to it.

    It stands right of all other nodes and of what leads to it, or in the last column if all of it
    is `ranked`. `heading` is that of its column. The edges were no candidates at any step.
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
    """Return the heading of gold that no step named: what became of it."""
    ends = [one.fate for one in missed.gold if one.fate and one.way]
    stages = {end.stage for end in ends}
    if len(stages) != 1:
        return UNREACHED if stages <= {"far", "unoffered"} else UNRANKED
    words = {end.words for end in ends}
    return begun(words.pop() if len(words) == 1 else STAGES[stages.pop()])


def folded(plot: Plot, most: int, outside: AbstractSet[str] = frozenset()) -> Plot:
    """Return a plot with at most `most` columns.

    If there are as many or more, columns of one heading become one, such as what a round asks and
    what it finds. Then a question alone joins the column behind it. Then the last columns become
    one, except for gold that no step named, nodes `outside` of a walk, and passages to which scores
    spread.
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
    alone = plot.has_unnamed_column or any(of[name] == numbers[-1] for name in outside)
    last = alone + plot.spreads
    middle = numbers[most - last - 1 : len(numbers) - last]
    if len(middle) < 2:
        return plot
    called = ranged(headings[middle[0]], headings[middle[-1]])
    return _merged(plot, dict.fromkeys(middle, middle[0]), {**headings, middle[0]: called})


def _merged(plot: Plot, into: Mapping[int, int], headings: dict[int, str]) -> Plot:
    """Return the plot with columns merged into others."""
    of = {name: into.get(number, number) for name, number in plot.columns.of.items()}
    return replace(plot, columns=Columns(of, headings))
