"""What both did, place by place, and the first place at which they part."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.film.difference.acts import Act, acts, titles
from core.film.difference.side import Side
from core.film.phases import START, merged
from core.playback.wording import number

Letter = Literal["A", "B"]


@dataclass(frozen=True, slots=True)
class Pair:
    """What A and B did at one place of one phase, None for who was not there; `one` is either."""

    one: Act
    a: Act | None
    b: Act | None

    @property
    def same(self) -> bool:
        return self.a is not None and self.b is not None and self.a.does == self.b.does


def aligned(a: Side, b: Side) -> list[Pair]:
    """All that either did: by phase, and within it by place, in A's order where A was there.

    A place at which nobody took anything is passed over.
    """
    ours = {act.key: act for act in acts(a)}
    theirs = {act.key: act for act in acts(b)}
    pairs = [
        Pair(ours.get(key) or theirs[key], ours.get(key), theirs.get(key))
        for phase in merged(a.played.phases, b.played.phases)
        for key in merged(
            [key for key in ours if key[0] == phase], [key for key in theirs if key[0] == phase]
        )
    ]
    return [pair for pair in pairs if any(act.telling for act in (pair.a, pair.b) if act)]


def parting(a: Side, b: Side, pairs: Sequence[Pair]) -> tuple[str, str]:
    """Where they part first, in a sentence, and the node; two empty texts if they never do."""
    first = next((pair for pair in pairs if not pair.same), None)
    if first is None:
        return "", ""
    where = first.one.phase[:1].lower() + first.one.phase[1:]
    at = f"the {where}" if " " not in where and not where.startswith("#") else where
    node = first.one.at if first.one.at in a.reached | b.reached else ""
    place = f", at '{first.one.name}'" if node and first.one.at != "#" else ""
    return f"They part at {at}{place}: {_how(a, b, first, pairs)}.", node


def _how(a: Side, b: Side, first: Pair, pairs: Sequence[Pair]) -> str:
    if first.a and first.b:
        return _apart(a, b, first.a, first.b)
    letter: Letter
    other: Letter
    letter, other = ("A", "B") if first.a else ("B", "A")
    return f"{letter} {first.one.text}, {other} {_absent(first, pairs)}"


def _absent(first: Pair, pairs: Sequence[Pair]) -> str:
    """What is said of who was not at the place where the other one was."""
    theirs = [pair.b if first.a else pair.a for pair in pairs]
    done = [act for act in theirs if act]
    if len(done) == 1:
        return "ranks without a walk"
    before = pairs.index(first)
    if not any(theirs[: before + 1]) and first.one.phase == START:
        return f"first {done[0].text}"
    after = [act for act in theirs[before:] if act]
    if len(after) <= 1:
        return "has ended"
    phases = {act.phase for act in after}
    return "does not look there" if first.one.phase in phases else "goes on without it"


def _apart(a: Side, b: Side, ours: Act, theirs: Act) -> str:
    """Both were there and did not do the same."""
    only = tuple(name for name in ours.nodes if name not in theirs.nodes)
    other = tuple(name for name in theirs.nodes if name not in ours.nodes)
    both = len(ours.nodes) - len(only)
    if not ours.nodes and not theirs.nodes:
        return f"A {ours.text}, B {theirs.text}"
    verb = ours.verb
    if not only and not other:
        return f"the same {number(both, 'passage')} in another order"
    beside = f" beside {number(both, 'passage')} of both" if both else ""
    if only and other:
        return f"A {verb} {titles(a, only)}, B {verb} {titles(b, other)}{beside}"
    side, more, letter, less = (a, only, "A", "B") if only else (b, other, "B", "A")
    return f"{letter} {verb} {titles(side, more)}{beside}, {less} does not"
