"""What would have retrieved the lost gold of a trace: looked for on a click, as on Errors."""

from collections.abc import Sequence
from typing import Any

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.marks import Gold
from core.retrievers import Spec
from core.reviews.cases import kept_by, title
from core.runs.rescuing import Found, Losses, known
from core.traces import Trace
from pages.components.ask.wish import Ask
from pages.components.film.component import Acts, Keep
from pages.components.shell import acts, frame
from pages.components.shell.visitor import visitor
from pages.components.trace import current

_LOOK = ""
"""The value of the button that looks; that of one that replays is the id of a gold passage."""


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
    if untried := _untried(wanted):
        return [{"told": untried, "action": "", "value": ""}], {}
    found = known(some, workbench)

    def keep(value: Any) -> None:
        with frame.mendable():
            if value == _LOOK:
                acts.search_rescues(some, workbench)
            elif rescue := found.get(str(value)):
                spec, by_hand = Spec.parse(rescue.retriever), parse(rescue.amendments)
                other = Ask(wanted.question, spec, by_hand)
                current.replay(other, wanted, workbench.index.name)

    return _lines(some, found, workbench), {"keep": keep}


def _untried(wanted: Ask) -> str:
    """Why no change is looked for; empty if one can be."""
    if wanted.amendments:
        return "No other change is looked for: this walk was changed by hand."
    if wanted.spec.asks_model:
        asks = f"{wanted.spec.card.title} asks a model, and so would each try"
        return f"No change is looked for: {asks}."
    return ""


def _losses(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> Losses:
    index, lists = workbench.index, Lists(workbench)
    ends = fates(trace.steps, gold.ids, index, stands=gold.passages, lists=lists)
    lost = [fate for fate in ends if fate.lost]
    return Losses(wanted.spec, wanted.question, lost, gold.passages)


def _lines(some: Losses, found: Found, workbench: Workbench) -> list[Keep]:
    told: list[Keep] = []
    unknown = 0
    for fate in some.lost:
        if fate.gold not in found and fate.stage != "absent":
            unknown += 1
            continue
        rescue = found.get(fate.gold)
        name = f"{title(fate, workbench)}. " if len(some.lost) > 1 else ""
        one = "One change would retrieve it: " if rescue else ""
        said = f"{name}{one}{kept_by(some.spec, fate, found).rstrip('.')}."
        button = ("Replay with this", fate.gold) if rescue else ("", "")
        told.append({"told": said, "action": button[0], "value": button[1]})
    if unknown and visitor().may_edit:
        them = "it" if unknown == 1 else "them"
        told.append({"told": "", "action": f"What would retrieve {them}?", "value": _LOOK})
    return told
