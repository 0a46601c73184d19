"""One of two retrievals, with the names that its nodes have beside the other one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.difference.explanations import way_to
from core.funnel.lists import Lists
from core.lost_gold.gold_distance import Held
from core.lost_gold.gold_ranks import Marks
from core.playback import DrawnLine, Frame
from core.steps import ROOT, Offered, Spread
from core.trace_analysis.node_columns import NEVER, Plot, make_plot
from core.trace_analysis.trace_frames import Played, play
from core.traces import Trace


@dataclass(frozen=True)
class Side:
    """A trace that was played, and its drawing.

    `alias` renames nodes and lines whose id means something else in the other trace.
    """

    played: Played
    plot: Plot
    alias: Mapping[str, str] = field(default_factory=dict)

    @property
    def trace(self) -> Trace:
        return self.played.trace

    @property
    def last(self) -> Frame:
        return self.played.last

    @cached_property
    def own(self) -> dict[str, str]:
        """What it calls a node itself, by how it is called beside the other retrieval."""
        return {called: name for name, called in self.alias.items()}

    def title(self, called: str) -> str:
        return self.plot.cast.title(self.own.get(called, called))

    def called(self, name: str) -> str:
        """A node or a line as it is called beside the other retrieval."""
        return self.alias.get(name, name)

    def way(self, called: str) -> list[str]:
        """From a node back to where its walk began, where it came there."""
        if called not in self.reached:
            return []
        return [self.called(name) for name in self.plot.path(self.own.get(called, called))]

    @cached_property
    def walks(self) -> bool:
        """Whether it goes from place to place, and does not only rank."""
        return any(isinstance(step, Offered | Spread) for step in self.trace.steps)

    @cached_property
    def reached(self) -> frozenset[str]:
        """Nodes that were more than on offer, and all that is no passage."""
        roles, cast = self.last.roles, self.plot.cast
        return frozenset(
            self.called(name)
            for name in self.plot.columns.of
            if roles.get(name, "offered") != "offered"
            or (cast.kind(name) != "passage" and name not in self.plot.unnamed)
        )

    @cached_property
    def kept(self) -> frozenset[str]:
        """Passages of the result."""
        return frozenset(self.called(hit.passage_id) for hit in self.last.hits)

    @cached_property
    def followed(self) -> dict[str, DrawnLine]:
        """Lines that were followed, and those that a step has brought, between what was reached."""
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
        found = set()
        for name, line in self.followed.items():
            two = (line.source, line.target)
            source, target = two[::-1] if line.backwards else two
            if target in asks or (target in on and before.get(target) == source):
                found.add(name)
        return frozenset(found)

    @cached_property
    def led(self) -> dict[str, DrawnLine]:
        """A line for each way by which it got gold, as a sentence tells it: from the question to a
        seed, from a search to what that listed, from where it was on offer, or from a thing that
        was taken."""
        found = (self._led(name) for name in self.plot.cast.gold)
        return {line.id: line for line in found if line}

    def _led(self, gold: str) -> DrawnLine | None:
        way = way_to(self.trace.steps, gold)
        if way is None:
            return None
        at, offer = way.at or way.search, way.offer
        at = at if at in self.plot.columns.of else ROOT  # a search that is no node asks for it
        lines = {line.id: line for line in self.plot.cast.lines}
        if offer and offer.tie in lines:
            return self._line(lines[offer.tie])
        rank = f"rank {way.rank:,} in search {way.search}" if way.search else f"seed {way.rank:,}"
        rank = f"{way.of} {way.rank:,}" if way.of else rank
        told = offer.label if offer else rank
        return self._line(DrawnLine(f"{at} > {gold}", at, gold, told, offered=1, taken=1))

    @cached_property
    def refused(self) -> dict[str, DrawnLine]:
        """The edge on which each gold passage that was not taken came nearest to it."""
        fates = self.played.missed.fates.values()
        ties = {fate.tie for fate in fates if fate.stage == "refused" and fate.tie}
        lines = (self._line(line) for line in self.plot.cast.lines if line.id in ties)
        return {line.id: line for line in lines}

    def _line(self, line: DrawnLine) -> DrawnLine:
        """It, as it is called beside the other retrieval."""
        return replace(
            line,
            id=self.called(line.id),
            source=self.called(line.source),
            target=self.called(line.target),
        )

    @cached_property
    def declined(self) -> frozenset[str]:
        """Edges that were on offer, were not taken, and lead to gold that the result has not."""
        gold = self.plot.cast.gold.keys()
        return frozenset(
            self.called(line.id)
            for line in self.plot.cast.lines
            if line.of_graph and line.offered != NEVER and line.taken is None
            for end in (line.source if line.backwards else line.target,)
            if end in gold and self.called(end) not in self.kept
        )

    def beside(self, other: "Side") -> "Side":
        """The same, with other names for what `other` calls by the same id and means otherwise."""
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
    trace: Trace, marks: Marks, index: Held | None = None, lists: Lists | None = None
) -> Side:
    """`trace` played, with what became of the gold of `marks`."""
    played = play(trace, marks, index, lists)
    return Side(played, make_plot(trace, played.last, played.missed, played.called))
