"""What a film tells as one on a stage and where it plays by itself: the frame of each run of stops.

By hand every stop is seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.film.data import FrameData, TravelData
from core.film.frames import Scenes
from core.film.news import Event, caption, news, words
from core.film.runs import LEVELS, Run, Runs
from core.film.standing import queue
from core.playback.rounds import run_of
from core.playback.searches import Search, outer_rounds, searches
from core.playback.together import (
    looks_together,
    round_together,
    search_together,
    spreads_together,
    stays,
)
from core.steps import Offered, Step

MOST = 12
"""Stops that an audience has patience for; a film with more of them is told in longer runs."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`still` are the stops that are passed over, by t; `together` is shown at one that is not, of
    it and of those before it that are.
    """

    still: Sequence[int]
    together: Mapping[int, FrameData]


def pace(scenes: Scenes, stops: Sequence[FrameData], decisive: frozenset[int]) -> Pace:
    """Of the `stops` of the finest grain; `decisive` are steps at which gold was lost."""
    for level in LEVELS:
        nothing, runs = Runs(scenes.plot, scenes.at, decisive, level).of(stops)
        if len(runs) < MOST:
            break
    together = {run.t: _frame(scenes, run) for run in runs if len(run.pairs) > 1}
    passed = [t for run in runs for t in run.passed]
    return Pace(sorted([*nothing, *passed]), together)


def _frame(scenes: Scenes, run: Run) -> FrameData:
    """What the screen shows of all of `run`: what it looked at counts as looked at now."""
    before, now, last = scenes.at[run.since], scenes.at[run.t], run.pairs[-1][1]
    told: FrameData = {**last, "caption": _caption(scenes, run)}
    if last["queue"]:
        told["queue"] = queue(scenes.plot.cast, before, now, None)
    if run.kind != "looks":
        return {**told, "travels": _travels(run)}
    whole = run_of(scenes.plot.steps, run.since, run.t)
    drawn = scenes.frame(before, now, whole)
    for part in ("nodes", "lines", "faded", "travels", "board"):
        told[part] = drawn[part]
    return told


def _travels(run: Run) -> list[TravelData]:
    """All that moved, each along its line once."""
    moved = {(one["line"], one["target"]): one for _, now in run.pairs for one in now["travels"]}
    return list(moved.values())


def _caption(scenes: Scenes, run: Run) -> str:
    """What happened in all of `run`, and what of gold."""
    plot, before, now = scenes.plot, scenes.at[run.since], scenes.at[run.t]
    title, gold, those = plot.cast.title, [*plot.cast.gold], _searches(plot.steps, run)
    happened = _happened(scenes, run, gold)
    match run.kind:
        case "spreads":
            rounds = [before, *(scenes.at[after["t"]] for _, after in run.pairs)]
            return spreads_together(rounds, words(happened, title))
        case "search":
            told = search_together(those[0], title)
        case "round" if those:
            told = round_together(outer_rounds(plot.steps)[run.t], those, title)
        case "looks":
            told = _looks(scenes, run) + ("" if happened else stays(before, now, gold))
        case _:
            return run.pairs[-1][1]["caption"]
    return scenes.with_beside(caption(lambda *_: told, happened, now, title), run.since, run.t)


def _happened(scenes: Scenes, run: Run, gold: Sequence[str]) -> list[Event]:
    """To `gold` from the first of `run` to the last; what was refused in between says so."""
    found = {event.node: event for event in news(scenes.at[run.since], scenes.at[run.t], gold)}
    for before, now in run.pairs:
        told = news(scenes.at[before["t"]], scenes.at[now["t"]], gold)
        found |= {event.node: event for event in told if event.kind == "refused"}
    return list(found.values())


def _looks(scenes: Scenes, run: Run) -> str:
    before, now = scenes.at[run.since], scenes.at[run.t]
    looks = [s for s in scenes.plot.steps[run.since : run.t] if isinstance(s, Offered)]
    others = now.round is not None and looks[0].at != now.round.waiting[0]
    return looks_together(looks, before, now, scenes.plot.cast.title, others=others)


def _searches(steps: Sequence[Step], run: Run) -> list[Search]:
    """Those that `run` is of, in their order."""
    by_step = searches(steps)
    found = (by_step[t] for t in range(run.since + 1, run.t + 1) if t in by_step)
    return list({one.asked.id: one for one in found}.values())
