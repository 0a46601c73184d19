"""What it did to gold that two retrievals part: where each came to what only one retrieves."""

from collections.abc import Sequence

from core.film.difference.acts import quoted
from core.film.difference.aligned import at_phase
from core.film.difference.data import BesideData
from core.film.difference.side import Side
from core.film.phases import RESULT
from core.playback.wording import SPELLED_OUT, begun

NO_LOSS = "Neither loses gold by it."


def effect(a: Side, b: Side, gold: Sequence[BesideData], names: Sequence[str]) -> str:
    """`A comes to 'Teo Marrask' at hop 1 and to 'Port Selby' at hop 2, B never comes there.`

    A few of them are named. `names` are the ids of the drawing, which `gold` numbers. Empty where
    none is known, where both lost the same, and of two that take no step.
    """
    if gold and not any(any(one["lost"]) for one in gold):
        return NO_LOSS
    if not (a.walks or b.walks):
        return ""
    apart = [one for one in gold if one["node"] is not None and one["lost"][0] != one["lost"][1]]
    ways: dict[tuple[str, str], list[str]] = {}
    for one in apart[:SPELLED_OUT]:
        sides = [("A", a), ("B", b)] if one["lost"][1] else [("B", b), ("A", a)]
        does, named, fails = _ways(sides[0], sides[1], names[one["node"] or 0])
        ways.setdefault((does, fails), []).append(named)
    joined = [f"{does} {_listed(does, told)}, {fails}" for (does, fails), told in ways.items()]
    return f"{begun('; '.join(joined))}." if joined else ""


def _ways(has: tuple[str, Side], lost: tuple[str, Side], called: str) -> tuple[str, str, str]:
    """What the one does that retrieves it, its name and where that is, and how the other fails."""
    (letter, side), (other, loser) = has, lost
    name = f"'{quoted(side.title(called))}'"
    if not side.walks:
        return f"{letter} ranks", f"{name} at once", f"{other} {_failing(loser, called)}"
    came = _came(side, called)
    if loser.walks and came == _came(loser, called):
        return "both come to", f"{name}{came}", f"only {letter} keeps that"
    return f"{letter} comes to", f"{name}{came}", f"{other} {_failing(loser, called)}"


def _listed(does: str, told: Sequence[str]) -> str:
    return (" and to " if does.endswith(" to") else " and ").join(told)


def _failing(side: Side, called: str) -> str:
    """What the one did that lost it."""
    if not side.walks:
        return "takes no steps"
    if came := _came(side, called):
        return f"comes there{came} and does not keep it"
    # What spreads has a share for everything, of which a step lists only the most.
    return "ranks it too low" if side.plot.spreads else "never comes there"


def _came(side: Side, called: str) -> str:
    """Where it was more than on offer first; empty if it never was."""
    own = side.own.get(called, called)
    for frame, phase in zip(side.played.at[1:], side.played.phases, strict=True):
        if called not in side.alias and frame.roles.get(own, "offered") != "offered":
            return " in its result" if phase == RESULT else f" at {at_phase(phase)}"
    return ""
