"""What would have retrieved the lost gold of a trace: looked for on a click, as on Errors."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.rescue import Rescue, cost, no_change, tried, tried_for
from core.marks import Gold
from core.playback.wording import begun
from core.retrievers import Spec
from core.reviews.cases import NOT_INDEXED, title, told_of
from core.runs.rescuing import SECONDS, Found, Losses, known
from core.traces import Trace
from pages.components.ask.wish import Ask
from pages.components.film.component import Acts, Keep
from pages.components.shell import acts, frame
from pages.components.shell.visitor import visitor
from pages.components.trace import current

REPLAY = "Replay with this"
NOT_ENOUGH = "Not enough by itself"
"""The heading of changes that reach a passage, and do not retrieve it."""
LONGER = 5
"""How many times longer it is looked after a look that was too short."""
_STOPPED = "rescues_stopped"
_COUNTED = {2: "two", 3: "three"}
_LOOK = ""
"""The value of the button that looks."""


def keeping(
    workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold
) -> tuple[Sequence[Keep], Acts]:
    """Lines for the film's card of lost gold, and what their buttons do.

    Of a walk that was changed by hand, or that a model decides, nothing can be tried: one line says
    so.
    """
    if not gold:
        return (), {}
    some = _losses(workbench, wanted, trace, gold)
    if not some.lost:
        return (), {}
    if why := untried(wanted, workbench):
        return [{"told": why, "action": "", "value": ""}], {}
    found = known(some, workbench)

    def keep(value: Any) -> None:
        with frame.mendable():
            if value == _LOOK:
                _look(some, workbench)
            elif rescue := _choices(found).get(str(value)):
                spec, by_hand = Spec.parse(rescue.retriever), parse(rescue.amendments)
                other = Ask(wanted.question, spec, by_hand)
                current.replay(other, wanted, workbench.index.name)

    return _lines(some, found, workbench), {"keep": keep}


def untried(wanted: Ask, workbench: Workbench) -> str:
    """Why no change is looked for; empty if one can be, as where rules stand in for a model."""
    if wanted.amendments:
        return "No other change is looked for: this walk was changed by hand."
    if wanted.spec.asks_model and workbench.oracle:
        asks = f"{wanted.spec.card.title} asks a model, and so would each try"
        return f"No change is looked for: {asks}."
    return ""


def _losses(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> Losses:
    index, lists = workbench.index, Lists(workbench)
    ends = fates(trace.steps, gold.ids, index, stands=gold.passages, lists=lists)
    lost = [fate for fate in ends if fate.lost]
    every = [fate.gold for fate in ends]
    return Losses(wanted.spec, wanted.question, lost, gold.passages, every)


def _look(some: Losses, workbench: Workbench) -> None:
    """What is found stands in the film's card, and that the time was too short for it."""
    seconds = _time(some)
    found = acts.search_rescues(some, workbench, seconds)
    if any(fate.gold not in found for fate in some.lost):
        st.session_state[_STOPPED] = _asked(some), seconds


def _time(some: Losses) -> float:
    """For how long it is looked now: longer where that was too short before."""
    before = _stopped(some)
    return LONGER * before if before else SECONDS


def _stopped(some: Losses) -> float:
    """After how many seconds the last look for the same ended without all; 0 if none did."""
    asked, seconds = st.session_state.get(_STOPPED, (None, 0.0))
    return seconds if asked == _asked(some) else 0.0


def _asked(some: Losses) -> tuple[str, str]:
    return some.question, str(some.spec)


def _choices(found: Found) -> dict[str, Rescue]:
    """All that can be replayed, by the values of the buttons."""
    return {
        f"{gold} {number}": each
        for gold, rescue in found.items()
        if rescue
        for number, each in enumerate((rescue, *rescue.others))
    }


def _lines(some: Losses, found: Found, workbench: Workbench) -> list[Keep]:
    """What retrieves it first, then what only reaches it, then of what nothing was found."""
    enough: list[Keep] = []
    short: list[Keep] = []
    nothing: dict[str, list[str]] = {}
    all_tried: dict[str, None] = {}
    unknown = 0
    for fate in some.lost:
        if fate.gold not in found and fate.stage != "absent":
            unknown += 1
            continue
        rescue = found.get(fate.gold)
        name = title(fate, workbench) if len(some.lost) > 1 else ""
        if rescue is None or not rescue.keeps:
            nothing.setdefault(_nothing(fate, rescue), []).append(name)
            if fate.stage != "absent":
                all_tried[tried_for(some.spec, fate)] = None
            continue
        ordered = _ordered(rescue)
        for number, each in ordered:
            said = f"{_begins(each, ordered[0][1])}{_change(each, ordered[0][1], fate)}"
            (enough if each.keeps else short).append(
                {
                    "told": _of(name, f"{said.rstrip('.')}."),
                    "action": REPLAY,
                    "value": f"{fate.gold} {number}",
                }
            )
    if every := _for_all(some, found):
        enough.insert(0, every)
    if short:
        short.insert(0, {**_told(NOT_ENOUGH), "heading": True})
    told = [
        *(*enough, *short),
        *(_told(_of(", ".join(of), said)) for said, of in nothing.items()),
        *map(_told, all_tried),
    ]
    if unknown and visitor().may_edit:
        them = "it" if unknown == 1 else "them"
        stopped, ask = _stopped(some), f"What would retrieve {them}?"
        said = ""
        if stopped:
            said = f"In {stopped:.0f} seconds nothing was found that retrieves {them}. "
            said += f"Not all of this could be tried: {tried(some.spec)}."
        again = f"Look for {_time(some):.0f} seconds"
        told.append({"told": said, "action": again if said else ask, "value": _LOOK})
    return told


def _nothing(fate: Fate, nearest: Rescue | None) -> str:
    """That nothing retrieves it; what was tried for that is told once of all."""
    return f"{begun(NOT_INDEXED)}." if fate.stage == "absent" else no_change(fate, nearest)


def _told(said: str) -> Keep:
    return {"told": said, "action": "", "value": ""}


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


def _for_all(some: Losses, found: Found) -> Keep | None:
    """The change that retrieves all gold at once, where several was lost and one is known."""
    every = [(value, each) for value, each in _choices(found).items() if each.keeps_all]
    if len(some.lost) == 1 or not every:
        return None
    value, each = min(every, key=lambda one: cost(one[1]))
    lost = "both" if len(some.lost) == 2 else f"all {len(some.lost)}"
    return {"told": f"For {lost}: {each.told}.", "action": REPLAY, "value": value}


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
