"""A trace as a film."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.drawing.staggered import ROWS as FOCUS_ROWS
from core.film import spoken, timeline
from core.film.answer import answer_told
from core.film.causes import Cause, beside, causes
from core.film.data import (
    FilmData,
    FrameData,
    FramesData,
    GoldData,
    NodeData,
    TimelineData,
    View,
    ViewData,
)
from core.film.ending import ending, lost_board, stopped
from core.film.few import STAGE_ROWS, Few, on_page, on_stage
from core.film.footer import footer
from core.film.frames import Scenes
from core.film.gold import Marks, made_by
from core.film.hands import hands
from core.film.leading import leading
from core.film.legend import legend, roles
from core.film.misses import out_of_reach, taken_away
from core.film.pace import pace
from core.film.patch import patch
from core.film.played import Played, play
from core.film.plot import Plot, make_plot
from core.film.scores import Tones
from core.film.searches import findings
from core.film.seats import Show, hosted, seated, told_of
from core.film.unseen import Held
from core.film.views import capped, everything, focus
from core.film.xray import xrays
from core.funnel.lists import Lists
from core.playback import grains
from core.playback.decided import unjudged
from core.playback.rounds import stops_called
from core.playback.wording import ended, several
from core.steps import Asked, Kind, Offered, Spread, ties_of
from core.traces import Trace

GOLD_MEANS = "★ marks gold: a passage that is needed to answer the question."
HELPFULNESS_MEANS = (
    "Helpfulness is similarity to the question and a passage's share of all visits: it falls "
    "where others are visited."
)
HEAVIEST, LEAST = 850_000, 40_000
"""Characters that a film weighs with all that a model was asked and said; its share at least."""


def make_film(
    trace: Trace,
    marks: Marks | None = None,
    index: Held | None = None,
    lists: Lists | None = None,
) -> FilmData:
    """The film of `trace`.

    Parameters
    ----------
    marks : what is gold and who says so, by id of a passage or a document; the trace's own gold,
        as given, if left out.
    index : the one that the trace was made from, if it is open: gold that no step named is looked
        for there.
    lists : the whole rankings of its retriever, if it can be asked: they have the rank of gold that
        no step named.
    """
    marks = trace.kept_gold.said(trace.ranking) if marks is None else marks
    return film_of(play(trace, marks, index, lists), marks, index)


def film_of(played: Played, marks: Marks, index: Held | None = None) -> FilmData:
    """The film of what was played with `marks`; `index` as in `make_film`."""
    trace, spec, missed, title = played.trace, played.spec, played.missed, played.title
    plot = make_plot(trace, played.last, missed, played.called)
    cast = plot.cast
    gold = [
        replace(one, name=cast.title(one.passage.id)) if one.passage else one for one in missed.gold
    ]
    golden = [one.passage.id for one in gold if one.passage]
    why, held = stopped(trace.steps, played.last), len(index.passages) if index else 0
    end = ending(gold, played.last, why, held)
    whys = causes(gold, trace.steps, played.names, cast.title, played.at)
    parts = _told_by_their_questions(spec.parts if spec else {}, trace)
    scenes = Scenes(
        plot,
        played.at,
        played.names,
        parts,
        end,
        lost_board(cast, gold, whys),
        missed.fates,
        {**out_of_reach(gold, trace.steps), **beside(gold, whys, cast.title)},
        spec.card.rounds if spec else {},
    )
    made = {grain: list(scenes.of(grain)) for grain in grains(trace.steps)}
    told = pace(scenes, made["event"], frozenset(why.t for why in whys if why.t is not None))
    about = told_of(plot, played.at, told.told)
    few: dict[View, Few] = {
        "focus": on_page(plot, played, about),
        "stage": on_stage(plot, played, end, about),
    }
    guests = {view: one.guests for view, one in few.items()}
    made["event"] = hosted(made["event"], plot, guests)
    packed: dict[str, FramesData] = {grain: _packed(each) for grain, each in made.items()}
    views = _views(played, plot, few["focus"], few["stage"])
    numbers = (number for view in views.values() for number in (*view["places"], *view["guests"]))
    drawn = {cast.names[int(number)] for number in numbers}
    nodes = _hatched(cast.node_data(drawn), trace)
    called = stops_called(trace.steps)
    asked = index.question(trace.query) if index else None
    film: FilmData = {
        "query": trace.query,
        "opening": [
            *([f"{title}. {spec.card.summary}"] if spec else []),
            *([HELPFULNESS_MEANS] if _counts_visits(trace) else []),
            *([GOLD_MEANS] if missed.gold else []),
        ],
        "retriever": trace.retriever,
        "title": title,
        "index": trace.index,
        "footer": footer(trace, title, spec, marks, index),
        "nodes": nodes,
        "lines": cast.line_data(),
        "xrays": xrays(cast, played.last, index),
        "views": views,
        "sources": _sources(plot),
        "legend": legend(
            [now for each in made.values() for now in each],
            _kinds(few["stage"].plot),
            nodes,
            [one.fate for one in gold if one.way and one.fate],
            next((step.of for step in trace.steps if isinstance(step, Spread)), ""),
            _link(trace),
            _headings(few["stage"].plot),
        ),
        "roles": roles(_link(trace)),
        "gold": [
            GoldData(
                id=one.passage.id if one.passage else "",
                node=cast.number.get(one.passage.id) if one.passage else None,
                name=one.name,
                marked=one.marked,
                by=made_by(trace, one.passage.id) if one.passage else "",
                missing=ended(one.missing) if one.passage and one.fate else one.missing,
                lost=f"lost: {one.fate.short}" if one.fate and one.missing else "",
                means=one.fate.means if one.fate and one.missing else "",
                fate=ended(one.fate.entered) if one.fate and one.way else "",
                told=why.told,
                told_at=why.t,
                told_line=cast.line_number.get(why.line),
                lists=[ended(near.whole) for near in one.fate.lists] if one.fate else [],
            )
            for one, why in (
                *zip(gold, whys, strict=True),
                *((one, Cause()) for one in taken_away(marks, trace.passages, index)),
            )
        ],
        "grains": [(grain, f"by {called[grain]}") for grain in made],
        "frames": packed,
        "timeline": _timeline(
            scenes, made["event"], told.still, seated(told.told, plot, few, about)
        ),
        "said": spoken.said(trace.steps, cast),
        "questions": spoken.questions(
            trace.steps, findings(trace.steps, cast, golden, played.lists, plot.places)
        ),
        "exchanges": [],
        "unsaid": "",
        "hands": hands(trace, spec, cast),
        "answer": answer_told(asked.answers if asked else (), gold, played.last),
    }
    if any(step.told.exchange for step in trace.steps):
        # To weigh a film takes as long as to send it.
        room = max(LEAST, HEAVIEST - _weight(film))
        film["exchanges"], film["unsaid"] = spoken.exchanges(trace.steps, cast, played.names, room)
    return film


def _counts_visits(trace: Trace) -> bool:
    """Whether some retrieval scores by them (Eq. 2 of HopRAG's paper)."""
    return any(isinstance(step, Asked) and step.weight_of_visits for step in trace.steps)


def _link(trace: Trace) -> str:
    """What the lines that steps have brought say, if all say the same."""
    said = {tie.label for step in trace.steps for tie in ties_of(step)}
    return said.pop() if len(said) == 1 else ""


def _kinds(plot: Plot) -> list[tuple[Kind, str]]:
    """Kinds of nodes with their nouns; none where the heading of each column says its only one."""
    cast, of = plot.cast, plot.columns.of
    kinds = {(at, cast.noun(name)) for name, at in of.items() if name not in plot.ghosts}
    said = {
        at
        for at, noun in kinds
        if {noun, several(noun)} & {*re.split(r"\W", plot.columns.headings[at].lower())}
    }
    if len(kinds) == len(said):
        return []
    return [(cast.kind(name), cast.noun(name)) for name in of]


def _headings(plot: Plot) -> set[str]:
    """Of the columns in which something stands."""
    return {plot.columns.headings[at] for at in plot.columns.of.values()}


def _told_by_their_questions(parts: Tones, trace: Trace) -> Tones:
    """`parts` of a score; what came from a sub-question means its text."""
    asked = {step.id: step.query for step in trace.steps if isinstance(step, Asked)}
    return {name: (tone, asked.get(name, meaning)) for name, (tone, meaning) in parts.items()}


def _views(played: Played, plot: Plot, page: Few, stage: Few) -> dict[View, ViewData]:
    """On a stage nodes stand in the order that they have on the page."""
    drawn = _focus(played, page, FOCUS_ROWS)
    large = _focus(played, stage, STAGE_ROWS, drawn)
    return {
        "focus": drawn,
        "stage": large,
        "everything": everything(plot, capped(plot) | {*page.always}),
    }


def _focus(played: Played, few: Few, rows: int, like: ViewData | None = None) -> ViewData:
    always, at = frozenset(few.always), played.at
    return focus(few.plot, always, few.guests, rows, like, apart=True, idle=few.idle, frames=at)


def _sources(plot: Plot) -> list[int]:
    """The seeds from which gold was reached, and all that led there."""
    began = (plot.path(name)[-1] for name in plot.cast.gold)
    seeds = (name for name in began if name in plot.last.entries)
    return sorted(set(plot.cast.numbers((*seeds, *leading(plot)))))


def _hatched(nodes: list[NodeData], trace: Trace) -> list[NodeData]:
    steps = (trace.steps[number - 1] for number in unjudged(trace.steps))
    there = {step.at for step in steps if isinstance(step, Offered)}
    return [{**node, "unjudged": True} if node["id"] in there else node for node in nodes]


def _weight(film: FilmData) -> int:
    return len(json.dumps(film, separators=(",", ":")))


def _packed(made: list[FrameData]) -> FramesData:
    """The first frame, and what makes each later one of the one before it."""
    patches = [patch(one, other) for one, other in pairwise(made)]
    return {"first": made[0], "patches": patches}


def _timeline(
    scenes: Scenes, frames: Sequence[FrameData], still: Sequence[int], show: Show
) -> TimelineData:
    plot: Plot = scenes.plot
    by_t = {frame["t"]: frame for frame in frames}
    segments = timeline.segments(plot.steps, scenes.names)
    return {
        "last": len(plot.steps),
        "names": [name.text for name in scenes.names],
        "segments": segments,
        "runs": timeline.runs(segments),
        "moments": timeline.moments(plot.cast, scenes.at, plot.cast.gold.keys(), plot.lost),
        "still": list(still),
        "together": {str(t): patch(by_t[t], one) for t, one in show.items() if one != by_t[t]},
    }
