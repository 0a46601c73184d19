"""What a film tells as one on a stage and where it plays by itself: the frame of each run of stops.

By hand every stop is seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.film.data import FrameData, LineRole, TravelData
from core.film.frames import Scenes
from core.film.news import Event, caption, news, words
from core.film.runs import LEVELS, Run, Runs
from core.film.standing import queue
from core.playback.rounds import run_of
from core.playback.searches import Search, outer_rounds, searches
from core.playback.together import (
    changed,
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
    """What the screen shows of all of `run`."""
    before, now = scenes.at[run.since], scenes.at[run.t]
    (_, first), (_, last) = run.pairs[0], run.pairs[-1]
    if run.kind == "said":  # what asks stands there as soon as it is said
        said, in_, board = first["caption"], first["round"], first["board"]
        return {**last, "caption": said, "round": in_, "board": board}
    told: FrameData = {**last, "caption": _caption(scenes, run), "travels": _travels(run)}
    if last["queue"]:
        told["queue"] = queue(scenes.plot.cast, before, now, None)
    return _looked(scenes, run, told) if run.kind == "looks" else told


def _looked(scenes: Scenes, run: Run, told: FrameData) -> FrameData:
    """`told` with all that was looked at as if it were now. What led to something new moves, and a
    refused line is told where it would have; who stands there stays, as there is no one who needs
    room.
    """
    whole = run_of(scenes.plot.steps, run.since, run.t)
    drawn = scenes.frame(scenes.at[run.since], scenes.at[run.t], whole)
    new = {scenes.plot.cast.number[name] for name in (whole.new if whole else ())}
    travels = [one for one in drawn["travels"] if one["target"] in new]
    moving = {str(one["line"]) for one in travels}
    reached = {name for name, role in drawn["nodes"].items() if role != "refused"}
    key = scenes.plot.cast.key
    lines: dict[str, LineRole] = {}
    for number, line in enumerate(scenes.plot.cast.lines):
        role = drawn["lines"].get(name := str(number))
        between = key.get(line.source) in reached and key.get(line.target) in reached
        if role and not (role == "refused" and between):
            lines[name] = "again" if role == "chosen" and name not in moving else role
    nodes, faded, board = drawn["nodes"], drawn["faded"], drawn["board"]
    shown: FrameData = {**told, "nodes": nodes, "lines": lines, "faded": faded, "board": board}
    return {**shown, "travels": travels, "aside": {}}


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
            told = _looks(scenes, run)
            if not happened:
                told += stays(before, now, gold) or changed(before, now, title)
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
    return looks_together(looks, before, now, others=others)


def _searches(steps: Sequence[Step], run: Run) -> list[Search]:
    """Those that `run` is of, in their order."""
    by_step = searches(steps)
    found = (by_step[t] for t in range(run.since + 1, run.t + 1) if t in by_step)
    return list({one.asked.id: one for one in found}.values())
