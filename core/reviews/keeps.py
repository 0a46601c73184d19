"""What would retrieve the lost gold of one result, line by line: on Trace and on Errors alike."""

from collections.abc import Callable
from dataclasses import dataclass

from core.funnel.data import Fate
from core.funnel.rescue import Rescue, cost, no_change, tried_for, tried_in_short
from core.playback.wording import begun
from core.reviews.cases import NOT_INDEXED, told_of
from core.runs.rescuing import Found, Losses

NOT_ENOUGH = "Not enough by itself"
"""The heading of changes that reach a passage, and do not retrieve it."""
_COUNTED = {2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or with `heading` what stands above some. `value` names its change among those of
    `choices`; it is empty where there is none to make."""

    told: str
    value: str = ""
    heading: bool = False


def choices(found: Found) -> dict[str, Rescue]:
    """All changes of `found`, by the values of their lines."""
    return {
        f"{gold} {number}": each
        for gold, rescue in found.items()
        if rescue
        for number, each in enumerate((rescue, *rescue.others))
    }


def lines(some: Losses, found: Found, title: Callable[[Fate], str]) -> list[Line]:
    """What retrieves it first, then what only reaches it, then of what nothing was found, and last
    what was tried.

    Nothing is said of what nobody has looked for. Gold is named by its `title` where several is
    lost.
    """
    enough: list[Line] = []
    short: list[Line] = []
    nothing: dict[str, list[str]] = {}
    all_tried: dict[str, None] = {}
    in_short: dict[str, None] = {}
    for fate in some.lost:
        if fate.gold not in found and fate.stage != "absent":
            continue
        rescue = found.get(fate.gold)
        name = title(fate) if len(some.lost) > 1 else ""
        if rescue is None or not rescue.keeps:
            nothing.setdefault(_nothing(fate, rescue), []).append(name)
            if fate.stage != "absent":
                all_tried[tried_for(some.spec, fate)] = None
            continue
        in_short[tried_in_short(some.spec, fate)] = None
        ordered = _ordered(rescue)
        for number, each in ordered:
            said = f"{_begins(each, ordered[0][1])}{_change(each, ordered[0][1], fate)}"
            line = Line(_of(name, f"{said.rstrip('.')}."), f"{fate.gold} {number}")
            (enough if each.keeps else short).append(line)
    if every := _for_all(some, found):
        enough.insert(0, every)
    if short:
        short.insert(0, Line(NOT_ENOUGH, heading=True))
    return [
        *(*enough, *short),
        *(Line(_of(", ".join(of), said)) for said, of in nothing.items()),
        *map(Line, all_tried or in_short),
    ]


def _nothing(fate: Fate, nearest: Rescue | None) -> str:
    """That nothing retrieves it; what was tried for that is told once of all."""
    return f"{begun(NOT_INDEXED)}." if fate.stage == "absent" else no_change(fate, nearest)


def _of(name: str, said: str) -> str:
    return f"{name}. {begun(said)}" if name else begun(said)


def _change(each: Rescue, first: Rescue, fate: Fate) -> str:
    """The change with its outcome, if that was not told of the `first` one."""
    if each is not first and each.keeps and each.same_outcome(first) and each.kind != "start":
        return each.told
    return told_of(each, fate)


def _ordered(rescue: Rescue) -> list[tuple[int, Rescue]]:
    """With the number of each: what can be set first, then what is done by hand, and a start at
    the passage itself last, which presumes that it is known.
    """
    every = enumerate((rescue, *rescue.others))
    return sorted(every, key=lambda one: (one[1].kind == "start", not one[1].can_be_set, one[0]))


def _for_all(some: Losses, found: Found) -> Line | None:
    """The change that retrieves all gold at once, where several was lost and one is known."""
    every = [(value, each) for value, each in choices(found).items() if each.keeps_all]
    if len(some.lost) == 1 or not every:
        return None
    value, each = min(every, key=lambda one: cost(one[1]))
    lost = "both" if len(some.lost) == 2 else f"all {len(some.lost)}"
    return Line(f"For {lost}: {each.told}.", value)


def _begins(each: Rescue, first: Rescue) -> str:
    """What is said before a change that retrieves it."""
    if not each.keeps:
        return ""
    if each.paired:
        return f"No single change retrieves it, but {_COUNTED[each.changes]} together do: "
    if each.kind == "start":
        return "No setting that was tried retrieves it, but " if each is first else "Or, "
    if each is not first:
        return "Or, with the same outcome: " if each.same_outcome(first) else "Or: "
    return "One change would retrieve it: "
