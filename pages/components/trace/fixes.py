"""Fixes that would have retrieved the missed gold of a trace, searched for on a click."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.trials import Trial, progress
from core.marks import Gold
from core.retrievers import Spec
from core.reviews.losses.fixes import Line, choices, fix_lines, search_offered, smallest_fix
from core.reviews.losses.lost_gold import title
from core.runs.fixes import Found, Losses, Stopped, known
from core.traces import Trace
from pages.components.ask.request import Ask
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.visitors.visitor import visitor
from pages.components.trace import current_trace
from pages.components.walkthrough.component import Acts, Keep

BELOW = "A table below the walkthrough lists every setting that was tried."
_LOOK = ""
"""The value of the button that looks."""


@dataclass(frozen=True, slots=True)
class Fixes:
    """Lines for the walkthrough's card of missed gold, and the actions of their buttons.

    `tried` has the trials by title of the gold passage, shown below the walkthrough. `smallest`
    describes the smallest change that retrieves missed gold.
    """

    lines: Sequence[Keep] = ()
    acts: Acts = field(default_factory=dict)
    tried: Mapping[str, Sequence[Trial]] = field(default_factory=dict)
    smallest: str = ""


def fixes_of(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> Fixes:
    """Return the fixes known for a trace.

    If the trace was changed by hand, or a model decides it, one line says that none is searched.
    """
    if not gold:
        return Fixes()
    some = _losses(workbench, wanted, trace, gold)
    if not some.lost:
        return Fixes()
    if why := search_obstacle(wanted, workbench):
        return Fixes([{"told": why, "action": "", "value": ""}])
    held = known(some, workbench)
    found, tried = held.found, held.trials

    def keep(value: Any) -> None:
        """Search for fixes, or replay the chosen fix."""
        with layout.mendable():
            if value == _LOOK:
                run_actions.search_rescues(some, workbench)
            elif rescue := choices(found).get(str(value)):
                spec, by_hand = Spec.parse(rescue.retriever), parse(rescue.amendments)
                other = Ask(wanted.question, spec, by_hand)
                current_trace.replay(other, wanted, workbench.index.name)

    shown = {title(one, workbench): tried[one.gold] for one in some.lost if one.gold in tried}
    told = _lines(some, found, workbench, held.stopped)
    if shown:
        told.append({"told": BELOW, "action": "", "value": "", "below": True})
    done = progress([one for each in shown.values() for one in each])
    fix = smallest_fix(some, found, partial(title, workbench=workbench), done)
    return Fixes(told, {"keep": keep}, shown, fix)


def search_obstacle(wanted: Ask, workbench: Workbench) -> str:
    """Explain why no fix is searched for; empty if one can be, as when rules replace a model."""
    if wanted.amendments:
        return "No fixes are suggested for a walk you changed by hand."
    if wanted.spec.asks_model and workbench.oracle:
        asks = f"{wanted.spec.card.title} calls a model, so every attempt would too"
        return f"No search for a fix: {asks}."
    return ""


def _losses(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> Losses:
    """Return the lost gold of a trace, with what a search for fixes needs."""
    index, lists = workbench.index, Lists(workbench)
    trace, held = trace.measured(gold)
    ends = fates(trace.steps, gold.ids, index, passages_by_gold=held.passages, lists=lists)
    lost = [fate for fate in ends if fate.lost]
    every = [fate.gold for fate in ends]
    return Losses(wanted.spec, wanted.question, lost, gold.passages, every)


def _line(one: Line) -> Keep:
    """Return a line of the card as JSON data for the browser."""
    made: Keep = {"told": one.told, "action": one.action, "value": one.value}
    if one.heading:
        made["heading"] = True
    if one.facts:
        made["facts"] = list(one.facts)
    return made


def _lines(some: Losses, found: Found, workbench: Workbench, before: Stopped | None) -> list[Keep]:
    """Return the known fixes, and a button that searches longer than `before` for the others."""
    called = partial(title, workbench=workbench)
    told = [_line(one) for one in fix_lines(some, found, called, workbench.index)]
    offer = search_offered(some, found, before, called)
    if offer and visitor().may_edit:
        button: Keep = {"told": offer.told, "action": offer.action, "value": _LOOK}
        told.append({**button, "searches": not offer.told})
    return told
