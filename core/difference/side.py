"""One of two retrievals, with the names that its nodes have beside the other one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from core.difference.arrivals import arrival_of
from core.funnel.lists import Lists
from core.lost_gold.gold_distance import IndexView
from core.lost_gold.gold_ranks import Marks
from core.playback import DrawnLine, Frame
from core.steps import ROOT, Offered, Spread
from core.trace_analysis.node_columns import NEVER, Plot, make_plot
from core.trace_analysis.trace_frames import Played, play
from core.traces import Trace


class Called(NamedTuple):
    """The names of a retrieval: `name` in a sentence, `sign` in the drawing and in tables."""

    name: str
    sign: str


AB = (Called("A", "A"), Called("B", "B"))
"""What two retrievals are called without names of their own."""


@dataclass(frozen=True)
class Side:
    """A trace that was played, and its drawing.

    `alias` renames nodes and lines whose id means something else in the other trace.
    """

    played: Played
    plot: Plot
    by: Called
    alias: Mapping[str, str] = field(default_factory=dict)

    @property
    def trace(self) -> Trace:
        return self.played.trace

    @property
    def last(self) -> Frame:
        return self.played.last

    @cached_property
    def own(self) -> dict[str, str]:
        """Own id of each renamed node, by its shared name."""
        return {called: name for name, called in self.alias.items()}

    def title(self, called: str) -> str:
        return self.plot.cast.title(self.own.get(called, called))

    def called(self, name: str) -> str:
        """Return the shared name of a node or line."""
        return self.alias.get(name, name)

    def way(self, called: str) -> list[str]:
        """Return the path from a node back to the start of its walk; empty if not reached."""
        if called not in self.reached:
            return []
        return [self.called(name) for name in self.plot.path(self.own.get(called, called))]

    @cached_property
    def walks(self) -> bool:
        """Whether the retrieval moves between nodes, and does not only rank."""
        return any(isinstance(step, Offered | Spread) for step in self.trace.steps)

    @cached_property
    def reached(self) -> frozenset[str]:
        """Nodes that were more than a candidate, and all that are not passages."""
        roles, cast = self.last.roles, self.plot.cast
        return frozenset(
            self.called(name)
            for name in self.plot.columns.of
            if roles.get(name, "offered") != "offered"
            or (cast.kind(name) != "passage" and name not in self.plot.unnamed)
        )

    @cached_property
    def kept(self) -> frozenset[str]:
        """Retrieved passages."""
        return frozenset(self.called(hit.passage_id) for hit in self.last.hits)

    @cached_property
    def followed(self) -> dict[str, DrawnLine]:
        """Lines that were followed or added by a step, between reached nodes."""
        lines = (
            self._line(line)
            for line in self.plot.cast.lines
            if line.offered != NEVER and (line.taken is not None or not line.of_graph)
        )
        return {line.id: line for line in lines if {line.source, line.target} <= self.reached}

    @cached_property
    def first_paths(self) -> frozenset[str]:
        """Return ids of the followed lines by which the retrieval first reached its results, the
        gold and its sub-questions; all followed lines if scores spread through the graph."""
        if self.plot.spreads:
            return frozenset(self.followed)
        cast = self.plot.cast
        gold = (self.called(name) for name in cast.gold)
        on = {name for end in (*self.kept, *gold) for name in self.way(end)}
        before = {self.called(k): self.called(v) for k, v in self.plot.before.items()}
        asks = {self.called(name) for name in cast.questions}
        names = set()
        for name, line in self.followed.items():
            two = (line.source, line.target)
            source, target = two[::-1] if line.backwards else two
            if target in asks or (target in on and before.get(target) == source):
                names.add(name)
        return frozenset(names)

    @cached_property
    def led(self) -> dict[str, DrawnLine]:
        """The last line to each reached gold passage, by the id of the line."""
        lines = (self._line_to_gold(name) for name in self.plot.cast.gold)
        return {line.id: line for line in lines if line}

    def _line_to_gold(self, gold: str) -> DrawnLine | None:
        """Return the line by which a gold passage was reached; None if it was not."""
        arrival = arrival_of(self.trace.steps, gold)
        if arrival is None:
            return None
        at, offer = arrival.at or arrival.search, arrival.offer
        at = at if at in self.plot.columns.of else ROOT  # a search that is no node asks for it
        lines = {line.id: line for line in self.plot.cast.lines}
        if offer and offer.tie in lines:
            return self._line(lines[offer.tie])
        rank = (
            f"rank {arrival.rank:,} in search {arrival.search}"
            if arrival.search
            else f"seed {arrival.rank:,}"
        )
        rank = f"{arrival.of} {arrival.rank:,}" if arrival.of else rank
        label = offer.label if offer else rank
        return self._line(DrawnLine(f"{at} > {gold}", at, gold, label, offered=1, taken=1))

    @cached_property
    def refused(self) -> dict[str, DrawnLine]:
        """The refused edge that came closest to each gold passage."""
        fates = self.played.missed.fates.values()
        ties = {fate.tie for fate in fates if fate.stage == "refused" and fate.tie}
        lines = (self._line(line) for line in self.plot.cast.lines if line.id in ties)
        return {line.id: line for line in lines}

    def _line(self, line: DrawnLine) -> DrawnLine:
        """Return a line with its shared names."""
        return replace(
            line,
            id=self.called(line.id),
            source=self.called(line.source),
            target=self.called(line.target),
        )

    @cached_property
    def declined(self) -> frozenset[str]:
        """Candidate edges not followed that lead to gold which was not retrieved."""
        gold = self.plot.cast.gold.keys()
        return frozenset(
            self.called(line.id)
            for line in self.plot.cast.lines
            if line.of_graph and line.offered != NEVER and line.taken is None
            for end in (line.source if line.backwards else line.target,)
            if end in gold and self.called(end) not in self.kept
        )

    def with_distinct_ids(self, other: "Side") -> "Side":
        """Return this side with other names for ids that `other` uses for something else."""
        here, there = self.plot.cast, other.plot.cast
        nodes = {
            name
            for name in here.number.keys() & there.number.keys()
            if (here.kind(name), here.whole(name)) != (there.kind(name), there.whole(name))
        }
        ends = {line.id: {line.source, line.target} for line in there.lines}
        lines = {
            line.id
            for line in here.lines
            if {line.source, line.target} & nodes
            or ends.get(line.id, {line.source, line.target}) != {line.source, line.target}
        }
        return replace(self, alias={name: f"{name} (B)" for name in nodes | lines})


def make_side(
    trace: Trace,
    marks: Marks,
    index: IndexView | None = None,
    lists: Lists | None = None,
    by: Called = AB[0],
) -> Side:
    """Replay `trace` and collect the outcome of the gold in `marks`."""
    played = play(trace, marks, index, lists)
    return Side(played, make_plot(trace, played.last, played.missed, played.called), by)
