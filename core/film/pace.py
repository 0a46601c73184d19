"""What a film tells as one on a stage and where it plays by itself: the frame of each run of stops.

By hand every stop is seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from core.film.data import FrameData, LineRole, TravelData
from core.film.frames import Scenes
from core.film.news import Event, caption, news, words
from core.film.runs import LEVELS, Run, Runs
from core.film.standing import queue
from core.playback import Frame
from core.playback.rounds import Round, run_of
from core.playback.searches import Search, outer_rounds, searches
from core.playback.together import (
    changed,
    looks_together,
    narrows_together,
    round_together,
    rounds_named,
    search_together,
    spreads_together,
    stays,
)
from core.playback.wording import TWO_LINES
from core.steps import ARROW, Offered, Pooled, Step

MOST = 12
"""Stops that an audience has patience for; a film with more of them is told in longer runs."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`still` are the stops that are passed over, by t; `told` is shown at each that is not, of it
    and of those before it that are.
    """

    still: Sequence[int]
    told: Mapping[int, FrameData]


def pace(scenes: Scenes, stops: Sequence[FrameData], decisive: frozenset[int]) -> Pace:
    """Of the `stops` of the finest grain; `decisive` are steps at which gold was lost."""
    for level in LEVELS:
        nothing, runs = Runs(scenes.plot, scenes.at, decisive, level).of(stops)
        if len(runs) < MOST:
            break
    passed = [t for run in runs for t in run.passed]
    told = {run.t: _frame(scenes, run) for run in runs}
    for one, after in pairwise(stops):
        if one["t"] in told and after["t"] in nothing and _pools(scenes, after):
            # What is ranked right behind a stop, and of which nothing is told, stands beside it.
            ranked: FrameData = {**told[one["t"]], "ranking": after["ranking"]}
            told[one["t"]] = {**ranked, "gold": after["gold"]}
    return Pace(sorted([*nothing, *passed]), told)


def _pools(scenes: Scenes, now: FrameData) -> bool:
    return isinstance(scenes.plot.steps[now["t"] - 1], Pooled)


def _frame(scenes: Scenes, run: Run) -> FrameData:
    """What the screen shows of all of `run`."""
    before, now = scenes.at[run.since], scenes.at[run.t]
    (_, first), (_, last) = run.pairs[0], run.pairs[-1]
    if len(run.pairs) == 1 and run.kind != "narrows":
        return {**last, "board": None} if _ranks(now) else last
    if run.kind == "said":  # what asks stands there as soon as it is said, and has found nothing
        own = {part: first[part] for part in ("caption", "board", "ranking", "gold")}
        return cast(FrameData, {**last, **own})
    if run.kind == "search":
        last = _searched(scenes, run)
    travels = _travels(run)
    told: FrameData = {**last, "caption": _caption(scenes, run), "travels": travels}
    if run.kind in ("search", "round") or not scenes.queued:
        told["lines"] = _taken(last["lines"], travels)
    if last["queue"]:
        told["queue"] = queue(scenes.plot.cast, before, now, None)
    if run.kind in ("spreads", "narrows"):
        told["round"] = rounds_named(_rounds(scenes, run))
    return _looked(scenes, run, told) if run.kind == "looks" else told


def _searched(scenes: Scenes, run: Run) -> FrameData:
    """What the search itself shows last, beside what is ranked right behind it."""
    frames = [now for _, now in run.pairs]
    own = [now for now in frames if not _pools(scenes, now)]
    t, ranking, gold = frames[-1]["t"], frames[-1]["ranking"], frames[-1]["gold"]
    return {**own[-1], "t": t, "ranking": ranking, "gold": gold}


def _rounds(scenes: Scenes, run: Run) -> list[Frame]:
    """The frame before `run`, and those of its stops."""
    return [scenes.at[run.since], *(scenes.at[after["t"]] for _, after in run.pairs)]


def _ranks(now: Frame) -> bool:
    """Whether its list is what is ranked: it stands there once."""
    listed = [hit.passage_id for hit in now.step.hits] if isinstance(now.step, Pooled) else []
    return bool(listed) and listed == [row.hit.passage_id for row in now.standings]


def _looked(scenes: Scenes, run: Run, told: FrameData) -> FrameData:
    """`told` with all that was looked at as if it were now. Where there is a queue, what led to
    something new moves, or is all that was taken where nothing is new, and a refused line is told
    where it would have. What led to something before still does, though it was taken again.
    """
    whole = run_of(scenes.plot.steps, run.since, run.t)
    drawn = scenes.frame(scenes.at[run.since], scenes.at[run.t], whole)
    nodes, faded, board = drawn["nodes"], drawn["faded"], drawn["board"]
    told = {**told, "nodes": nodes, "faded": faded, "board": board}
    if not scenes.queued:
        return told
    first = {scenes.plot.cast.line_number.get(one.tie) for _, one in (whole.first if whole else ())}
    travels = [one for one in drawn["travels"] if one["line"] in first]
    moving = {str(one["line"]) for one in travels}
    reached = {name for name, role in drawn["nodes"].items() if role != "refused"}
    key = scenes.plot.cast.key
    lines: dict[str, LineRole] = {}
    for number, line in enumerate(scenes.plot.cast.lines):
        role = drawn["lines"].get(name := str(number))
        between = key.get(line.source) in reached and key.get(line.target) in reached
        if role and not (role == "refused" and between):
            beside = role == "chosen" and bool(moving) and name not in moving
            led = run.pairs[0][0]["lines"].get(name) in ("walked", "chosen")
            lines[name] = ("walked" if led else "again") if beside else role
    return {**told, "lines": lines, "travels": travels}


def _travels(run: Run) -> list[TravelData]:
    """All that moved, each along its line once."""
    moved = {(one["line"], one["target"]): one for _, now in run.pairs for one in now["travels"]}
    return list(moved.values())


def _taken(lines: Mapping[str, LineRole], travels: Sequence[TravelData]) -> dict[str, LineRole]:
    """`lines`, with those that were taken at any stop of a run as taken now."""
    moved = {str(one["line"]) for one in travels}
    return {
        name: "chosen" if role == "walked" and name in moved else role
        for name, role in lines.items()
    }


def _caption(scenes: Scenes, run: Run) -> str:
    """What happened in all of `run`, and what of gold."""
    plot, now = scenes.plot, scenes.at[run.t]
    title, gold, those = plot.cast.title, [*plot.cast.gold], _searches(plot.steps, run)
    happened = _happened(scenes, run, gold)
    match run.kind:
        case "spreads":
            return spreads_together(_rounds(scenes, run), words(happened, title))
        case "search":
            told = search_together(those[0], title)
        case "round" if those:
            told = round_together(outer_rounds(plot.steps)[run.t], those, title)
        case "narrows" if len(run.pairs) > 1 or _of_paths(now):
            told = narrows_together(_rounds(scenes, run), title)
        case "looks":
            told = _looks(scenes, run, happened)
        case _:
            return run.pairs[-1][1]["caption"]
    return scenes.with_beside(
        caption(lambda *_: told, happened, now, title, gold), run.since, run.t
    )


def _of_paths(now: Frame) -> bool:
    """Whether paths are taken, of which a list of some says less than the best."""
    return isinstance(now.step, Offered) and ARROW in now.step.taken[0].label


def _happened(scenes: Scenes, run: Run, gold: Sequence[str]) -> list[Event]:
    """To `gold` from the first of `run` to the last; what was refused in between says so."""
    places = scenes.plot.places
    found = {
        event.node: event for event in news(scenes.at[run.since], scenes.at[run.t], gold, places)
    }
    for before, now in run.pairs:
        told = news(scenes.at[before["t"]], scenes.at[now["t"]], gold, places)
        found |= {event.node: event for event in told if event.kind == "refused"}
    return list(found.values())


def _looks(scenes: Scenes, run: Run, happened: Sequence[Event]) -> str:
    """With what comes of them, if nothing `happened` to gold: as many names as have room."""
    plot, before, now = scenes.plot, scenes.at[run.since], scenes.at[run.t]
    title, gold = plot.cast.title, [*plot.cast.gold]
    looks = [s for s in plot.steps[run.since : run.t] if isinstance(s, Offered)]
    others = now.round is not None and looks[0].at != now.round.waiting[0]
    new = _new(run_of(plot.steps, run.since, run.t))
    named, brief = looks_together(looks, new, now, title, others=others)
    stay = "" if happened else stays(before, now, gold, title)
    ends = [stay, stay] if happened or stay else [changed(before, now, title, n) for n in (new, ())]
    whole = named + ends[0]
    return whole if len(whole) <= TWO_LINES else brief + ends[1]


def _new(whole: Round | None) -> list[str]:
    """What `whole` reaches for the first time, as its list has it."""
    told = [one.target for _, one in whole.told] if whole else []
    return [name for name in dict.fromkeys(told) if whole and name in whole.new]


def _searches(steps: Sequence[Step], run: Run) -> list[Search]:
    """Those that `run` is of, in their order."""
    by_step = searches(steps)
    found = (by_step[t] for t in range(run.since + 1, run.t + 1) if t in by_step)
    return list({one.asked.id: one for one in found}.values())
