"""Pair the steps of two retrievals, and describe the first step at which they differ."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.difference.side import Side
from core.difference.step_actions import Act, acts, quoted
from core.playback.wording import SPELLED_OUT
from core.text.display.plurals import number
from core.trace_analysis.phases import RESULT, START, merged

TEXTS = {"passage", "cluster"}
"""The kinds of nodes that contain text."""
AT_ONCE = "ranks all passages at once"
"""Said of a retrieval without intermediate steps."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The acts of A and B at one place of a phase.

    `a` or `b` is None if that retrieval did not act there. `one` is the act of either.
    """

    one: Act
    a: Act | None
    b: Act | None

    @property
    def same(self) -> bool:
        return self.a is not None and self.b is not None and self.a.does == self.b.does


def aligned(a: Side, b: Side) -> list[Pair]:
    """Pair the acts of A and B by phase and place, in the merged order of both.

    Pairs without a telling act are left out.
    """
    by_key_a = {act.key: act for act in acts(a)}
    by_key_b = {act.key: act for act in acts(b)}
    pairs = [
        Pair(by_key_a.get(key) or by_key_b[key], by_key_a.get(key), by_key_b.get(key))
        for phase in merged(a.played.phases, b.played.phases)
        for key in merged(
            [key for key in by_key_a if key[0] == phase],
            [key for key in by_key_b if key[0] == phase],
        )
    ]
    return [pair for pair in pairs if any(act.is_notable for act in (pair.a, pair.b) if act)]


def parted(pairs: Sequence[Pair]) -> Pair | None:
    """Return the first step at which they differ."""
    return next((pair for pair in pairs if not pair.same), None)


def parting(a: Side, b: Side, pairs: Sequence[Pair], drawn: AbstractSet[str]) -> tuple[str, str]:
    """Return a sentence on the first difference, and its node; two empty texts if there is none.

    Only nodes that are `drawn` are named; the others are counted.
    """
    first = parted(pairs)
    if first is None:
        return "", ""
    at = at_phase(first.one.phase)
    node = first.one.at if first.one.at in a.reached | b.reached else ""
    place = f", at '{first.one.name}'" if node and first.one.at != "#" else ""
    what = _Words(a, b, drawn).sentence(first, pairs)
    return (
        f"The two retrievals first differ at {at}{place}: {what}.",
        node,
    )


def in_short(a: Side, b: Side, pairs: Sequence[Pair], drawn: AbstractSet[str]) -> str:
    """Return the same sentence, without names where only one of the retrievals has the step."""
    first = parted(pairs)
    both = first is not None and first.a is not None and first.b is not None
    return parting(a, b, pairs, drawn if both else frozenset())[0]


def at_phase(phase: str) -> str:
    """Return a phase as the end of a sentence.

    >>> at_phase("Hop 2"), at_phase("Start"), at_phase("#1.2")
    ('hop 2', 'the start', '#1.2')
    """
    where = phase[:1].lower() + phase[1:]
    return f"the {where}" if " " not in where and not where.startswith("#") else where


@dataclass(frozen=True, slots=True)
class _Words:
    """Words for the first difference; only nodes that are `drawn` are named."""

    a: Side
    b: Side
    drawn: AbstractSet[str]

    def sentence(self, first: Pair, pairs: Sequence[Pair]) -> str:
        """Describe the first pair of steps that differ."""
        if first.a and first.b:
            return self._describe_difference(first.a, first.b)
        side, other = (self.a, self.b) if first.a else (self.b, self.a)
        absent = self._absent(first, pairs)
        if not absent:
            return f"only {side.by.name} {self._does(side, first.one)}"
        theirs = [pair.a if first.a else pair.b for pair in pairs]
        walks = {act.phase for act in theirs if act} - {START, RESULT}
        seeds = absent == AT_ONCE and walks and first.one.phase == START and first.one.nodes
        does = f"walks from {number(len(seeds), 'seed')}" if seeds else self._does(side, first.one)
        clauses = [f"{side.by.name} {does}", f"{other.by.name} {absent}"]
        return "; ".join(clauses if first.a else clauses[::-1])

    def _absent(self, first: Pair, pairs: Sequence[Pair]) -> str:
        """Describe why one retrieval was not at a place where the other was, or return ""."""
        theirs = [pair.b if first.a else pair.a for pair in pairs]
        done = [act for act in theirs if act]
        if len(done) == 1:
            return AT_ONCE
        before = pairs.index(first)
        if not any(theirs[: before + 1]) and first.one.phase == START:
            return self._does(self.b if first.a else self.a, done[0])
        after = [act for act in theirs[before:] if act]
        if len(after) <= 1:
            return "has already ended"
        phases = {act.phase for act in after}
        return "does not examine it" if first.one.phase in phases else ""

    def _describe_difference(self, ours: Act, theirs: Act) -> str:
        """Describe a place where both acted differently."""
        a, b = self.a.by.name, self.b.by.name
        only = tuple(name for name in ours.nodes if name not in theirs.nodes)
        other = tuple(name for name in theirs.nodes if name not in ours.nodes)
        if not ours.nodes and not theirs.nodes:
            return f"{a} {ours.text}; {b} {theirs.text}"
        if not only and not other:
            return f"the same {number(len(ours.nodes), 'passage')}, in a different order"
        verb = ours.verb
        if only and other:
            names = self._names(self.a, only, most=1), self._names(self.b, other, most=1)
            if both := {*ours.nodes} & {*theirs.nodes}:
                alone = f"only {a} {verb} {names[0]}; only {b} {verb} {names[1]}"
                common = self._names(self.a, [*both], most=0)
                return f"{common} in common; {alone}"
            return f"{a} {verb} {names[0]}; {b} {verb} {names[1]}"
        if only:
            return f"only {a} {verb} {self._names(self.a, only)}"
        return f"only {b} {verb} {self._names(self.b, other)}"

    def _does(self, side: Side, act: Act) -> str:
        return f"{act.verb} {self._names(side, act.nodes)}" if act.nodes else act.text

    def _names(self, side: Side, nodes: Sequence[str], most: int = SPELLED_OUT) -> str:
        """List the titles of a few drawn nodes, and how many others there are."""
        named = [quoted(side.title(name)) for name in nodes if name in self.drawn][:most]
        left = len(nodes) - len(named)
        if not named:
            nouns = {side.plot.cast.noun(side.own.get(name, name)) for name in nodes}
            mixed = "text" if nouns <= TEXTS else "node"
            return number(left, nouns.pop() if len(nouns) == 1 else mixed)
        listed = [f"'{name}'" for name in named] + ([f"{left:,} more"] if left else [])
        return f"{', '.join(listed[:-1])} and {listed[-1]}" if len(listed) > 1 else listed[0]
