"""Where the guests of a view stand."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from core.film.plot import Plot

Slot = tuple[int, int]
"""A column, and which of its places for guests."""


def slots_of(plot: Plot, at: Mapping[int, Sequence[str]]) -> dict[str, Slot]:
    """A slot for each guest that no other guest of one of its steps has: of those of its column
    the one whose last guest came first, so that each stays for long. What another question of the
    column has found has slots of its own, so that it stands below that question.
    """
    asked = asked_by(plot)
    beside: dict[str, set[str]] = {}
    for guests in at.values():
        for name in guests:
            beside.setdefault(name, set()).update(guests)
    few = _fewest(plot, beside, asked)
    by = {slot: asked.get(name, "") for name, slot in few.items()}
    used = dict.fromkeys(few.values(), 0)
    found: dict[str, Slot] = {}
    for t, guests in sorted(at.items()):
        for name in guests:
            if name not in found:
                taken = {found[other] for other in beside[name] if other in found}
                column = [slot for slot in used if slot[0] == few[name][0]]
                own = asked.get(name, "")
                free = [slot for slot in column if slot not in taken and by[slot] == own]
                more = few[name][0], len(column)
                found[name] = min(free, key=lambda slot: (used[slot], slot), default=more)
                by[found[name]] = own
            used[found[name]] = t
    return found


def asked_by(plot: Plot) -> dict[str, str]:
    """By node the question of its own column that found it first."""
    of, found = plot.columns.of, dict[str, str]()
    for line in sorted(plot.cast.lines, key=lambda one: (one.taken is None, one.taken or 0)):
        asks = line.source in plot.cast.questions and line.target not in plot.cast.questions
        if asks and of.get(line.source) == of.get(line.target):
            found.setdefault(line.target, line.source)
    return found


def _fewest(
    plot: Plot, beside: Mapping[str, AbstractSet[str]], asked: Mapping[str, str]
) -> dict[str, Slot]:
    """The same with as few slots as it takes, the first that is free."""
    found: dict[str, Slot] = {}
    for name, others in beside.items():
        column, place = plot.columns.of[name], 0
        taken = {found[other] for other in others if other in found}
        taken |= {at for other, at in found.items() if asked.get(other) != asked.get(name)}
        while (column, place) in taken:
            place += 1
        found[name] = column, place
    return found
