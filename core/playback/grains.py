"""Where a player stops, and what the stops are called.

By `event` that is every step. By `round` a round is one happening, and by `whole` so is a
retrieval inside of another one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.playback.wording import begun
from core.steps import ROOT, Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step

Grain = Literal["whole", "round", "event"]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a step stands: how deep, in which bracket, and in which of its rounds (0 for none).

    `outer` is the round of the outermost bracket in which it happens, None if in none.
    """

    depth: int
    bracket: str
    round: int
    outer: int | None


def stops(steps: Sequence[Step], grain: Grain) -> list[int]:
    """The values of t at which a player stops, ascending; the last is `len(steps)`.

    Where a round merely begins there is no stop, as nothing is seen of it. By `event`, of several
    places in a row that leave the queue without a look at anything only the last is one.
    """
    end = [len(steps)] if steps else []
    pairs = list(enumerate(pairwise(steps), start=1))
    seen = [t for t, (step, following) in pairs if not merely_begins(step, following)]
    if grain == "event":
        return [t for t in seen if not all(map(idle, steps[t - 1 : t + 1]))] + end
    places = _places(steps)
    together = _same_whole if grain == "whole" else _same_round
    return [t for t in seen if not together(*places[t - 1 : t + 1])] + end


def grains(steps: Sequence[Step]) -> tuple[Grain, ...]:
    """The grains that differ for these steps, the coarsest first."""
    found: dict[tuple[int, ...], Grain] = {}
    for grain in ("event", "round", "whole"):
        found.setdefault(tuple(stops(steps, grain)), grain)
    return tuple(reversed(found.values()))


def idle(step: Step) -> bool:
    """Whether a place left the queue without a look at anything."""
    return isinstance(step, Offered) and not step.offers and not step.entry


def merely_begins(step: Step, following: Step) -> bool:
    """Whether a round begins with nothing new to be seen, and something happens in it."""
    if not isinstance(step, Began) or isinstance(following, Ranked):
        return False
    return not (step.things or step.ties or step.told.exchange)


def _places(steps: Sequence[Step]) -> list[_Place]:
    found = []
    brackets: list[str] = []
    rounds: list[int] = []
    begun = 0
    for step in steps:
        if isinstance(step, Asked):
            brackets.append(step.id)
            rounds.append(0)
        elif isinstance(step, Began):
            begun += 1
            rounds[-1] = begun
        elif isinstance(step, Ranked):
            rounds[-1] = 0
        outer = next((number for number in rounds[:1] if number), None)
        found.append(_Place(len(brackets), brackets[-1], rounds[-1], outer))
        if isinstance(step, Ranked):
            brackets.pop()
            rounds.pop()
    return found


def _same_round(one: _Place, other: _Place) -> bool:
    return one.bracket == other.bracket and one.round == other.round != 0


def _same_whole(one: _Place, other: _Place) -> bool:
    """Within a round of the outermost bracket, or within a retrieval inside of it."""
    if one.outer or other.outer:
        return one.outer == other.outer
    return one.depth > 1 and other.depth > 1 and not _closes(one, other)


def _closes(one: _Place, other: _Place) -> bool:
    return one.depth == 2 == other.depth and one.bracket != other.bracket


@dataclass(frozen=True, slots=True)
class Label:
    """A short name of step `t`; `round` names the round that it is in, empty outside of rounds."""

    t: int
    text: str
    round: str


def labels(steps: Sequence[Step]) -> list[Label]:
    """The name of each step, for a timeline; no two are the same.

    The n-th place of hop 2 is `Hop 2 · n`; what happens inside the sub-question `#1` begins so.
    """
    found: list[Label] = []
    given: Counter[str] = Counter()
    brackets: list[str] = []
    rounds: list[str] = []
    counts: list[int] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            brackets.append(step.id)
            rounds.append("")
            counts.append(0)
        text = _name(step)
        if isinstance(step, Began):
            rounds[-1], counts[-1] = text, 0
        elif isinstance(step, Ranked):
            rounds[-1] = ""
        elif rounds[-1]:
            counts[-1] += 1
            text = f"{rounds[-1]} · {counts[-1]}"
        inside = "" if brackets[-1] == ROOT else f"{brackets[-1]} "
        text = f"{inside}{text}"
        given[text] += 1
        again = f" ({given[text]})" if given[text] > 1 else ""
        found.append(Label(t, text + again, f"{inside}{rounds[-1]}" if rounds[-1] else ""))
        if isinstance(step, Ranked):
            brackets.pop()
            rounds.pop()
            counts.pop()
    return found


def _name(step: Step) -> str:
    match step:
        case Asked():
            return "Question"
        case Began():
            return begun(str(step))
        case Offered():
            return "Seeds" if step.entry else begun(step.of)
        case Spread():
            return begun(step.of)
        case Said():
            name, _, role = step.by.removesuffix(")").partition(" (")
            return begun(f"{role} by rule" if name == "rules" and role else step.by)
        case Pooled():
            return "Merging" if len(step.of) > 1 else "Passages"
        case Ranked():
            return "Result"
