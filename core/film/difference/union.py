"""Both retrievals on one layout: what is A's, B's, or both's, and where it stands."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, zip_longest
from typing import TypeVar

from core.film.cast import Cast
from core.film.data import GroupData, View, ViewData
from core.film.difference.data import Whose
from core.film.difference.ranks import (
    BESIDE,
    NEITHER,
    by_ranks,
    leads,
    led_by,
    no_layout,
    of_b,
    only_rank,
    passages,
    ranks_of,
)
from core.film.difference.side import Side
from core.film.focus import ON_STAGE, focused, joined
from core.film.plot import Plot, folded
from core.film.views import CAP, everything, focus
from core.playback import Columns, DrawnLine, in_kinds
from core.playback.wording import SPELLED_OUT
from core.steps import ROOT

AND = " · "
"""Between what the two call one column."""
ROWS = 11
"""Nodes of a column in focus, one below the other, so that each has room for its name."""
IN_NEITHER = "in neither"
"""Behind how many of them are not drawn on a stage."""
STAGE_COLUMNS, STAGE_ROWS = 4, 7
"""The most of both where letters are large."""
STAGE_THINGS = 4
"""Entities and the like, of those that are drawn there, where these join passages."""
_Named = TypeVar("_Named")


def shared(a: Iterable[str], b: Iterable[str]) -> dict[str, Whose]:
    """Who has each of the names of both."""
    ours, theirs = set(a), set(b)
    found: dict[str, Whose] = dict.fromkeys(ours - theirs, "a")
    found |= dict.fromkeys(theirs - ours, "b")
    return found | dict.fromkeys(ours & theirs, "both")


def union(a: Side, b: Side, gold: Mapping[str, str]) -> Plot:
    """What either reached, and all of `gold`, drawn as one.

    Its `last` has as hits what the focus is to show, the most telling first.
    """
    drawn = [*a.reached, *(name for name in b.reached if name not in a.reached)]
    kept, apart = {*drawn, *gold}, no_layout(a, b)
    if apart:
        kept = passages(a, b, kept)
    spreads = not apart and (a.plot.spreads or b.plot.spreads)
    columns = (
        by_ranks(a, b, kept)
        if only_rank(a, b)
        else _in_kinds(a, b, kept)
        if spreads
        else _columns(a, b, kept, gold.keys())
    )
    before = {b.called(k): b.called(v) for k, v in b.plot.before.items()} | dict(a.plot.before)
    led = led_by(a, b)
    lines = led or ({} if apart else _lines(a, b, columns, before, spreads=bool(spreads)))
    kept |= {*leads(a, b)} if led else set()
    order = [name for name in columns.of if name in kept]
    cast = Cast(
        query=a.trace.query,
        names=tuple(order),
        lines=tuple(lines.values()),
        passages={**b.plot.cast.passages, **a.plot.cast.passages},
        edges={**b.plot.cast.edges, **a.plot.cast.edges},
        things=_renamed(b, b.plot.cast.things) | dict(a.plot.cast.things),
        questions=_renamed(b, b.plot.cast.questions)
        | dict(a.plot.cast.questions)
        | ({ROOT: a.trace.query} if ROOT in columns.of else {}),
        gold={name: who for side in (b, a) for name, who in side.plot.cast.gold.items()},
        seen=frozenset(kept),
        called={**b.plot.cast.called, **a.plot.cast.called},
    )
    hits = {hit.passage_id: hit for side in (b, a) for hit in (*side.last.hits, *side.last.pruned)}
    last = replace(
        a.last,
        hits=tuple(hits[name] for name in _telling(a, b) if name in hits),
        mass={**{b.called(k): v for k, v in b.last.mass.items()}, **a.last.mass},
    )
    steps = (*a.trace.steps, *b.trace.steps)
    nothing: frozenset[str] = frozenset()  # ghosts, lines back, idle rounds are for the film of one
    return Plot(
        *(steps, cast, columns, before, nothing, nothing, nothing, (), last, spreads, len(steps))
    )


def _lines(
    a: Side, b: Side, columns: Columns, before: Mapping[str, str], *, spreads: bool
) -> dict[str, DrawnLine]:
    """What either followed, and the edge on which gold was refused that no one followed there.

    In a walk a line within a column leads to what had been reached: it is left out, but for the one
    by which a node was reached first.
    """
    refused = {
        name: line
        for name, line in {**b.refused, **a.refused}.items()
        if {line.source, line.target} <= columns.of.keys()
    }
    both = {**b.followed, **a.followed}
    followed = {name: line for name, line in both.items() if line.source != line.target}
    if only_rank(a, b):
        return followed
    new = {
        name: line
        for name, line in followed.items()
        if (
            spreads
            or name in a.declined | b.declined
            or columns.of.get(line.source) != columns.of.get(line.target)
            or _first(line, before)
        )
    }
    return {**refused, **(new or followed)}


def _first(line: DrawnLine, before: Mapping[str, str]) -> bool:
    source, target = (line.target, line.source) if line.backwards else (line.source, line.target)
    return before.get(target) == source


def _in_kinds(a: Side, b: Side, kept: AbstractSet[str]) -> Columns:
    """Where something spreads; last what nobody found."""
    kinds = {s.called(n): s.plot.cast.kind(n) for s in (a, b) for n in s.plot.columns.of}
    found = a.reached | b.reached
    columns = in_kinds({name: kind for name, kind in kinds.items() if name in found & kept})
    beside = max(columns.of.values(), default=-1) + 1
    for name in kinds:
        if name in kept - found:
            columns.put(name, beside, NEITHER)
    return columns


def _columns(a: Side, b: Side, kept: AbstractSet[str], gold: AbstractSet[str]) -> Columns:
    """Where the nodes of `kept` stand: where a walk reached them first, be it A's or B's.

    Right of that stands what only ranked, and last what nobody found. Beside one that only ranks
    the stages are those of the walk, and say whose they are; what it does not retrieve there and
    the ranking does is not one of its own.
    """
    columns, later = Columns(), dict[str, str]()
    walks = [side for side in (a, b) if side.walks] or [a, b]
    of = f" of {'A' if walks[0] is a else 'B'}" if len(walks) == 1 else ""
    names = (side.called(name) for side in (a, b) for name in side.plot.columns.of)
    for name in dict.fromkeys(name for name in names if name in kept):
        alone = len(walks) == 1 and name in (a.kept | b.kept) - walks[0].kept - gold
        went = [] if alone else [side for side in walks if name in side.reached]
        places = [place for side in went or walks if (place := _place(side, name))]
        if alone or (not went and name in a.reached | b.reached):
            later[name] = BESIDE[walks[0] is a]
        elif not places:
            later[name] = NEITHER
        else:
            _put(columns, name, [(column, heading + of) for column, heading in places])
    last = max(columns.of.values(), default=0)
    headings = [one for one in (*BESIDE, NEITHER) if one in later.values()]
    for name, heading in later.items():
        columns.put(name, last + 1 + headings.index(heading), heading)
    return columns


def _place(side: Side, called: str) -> tuple[int, str] | None:
    """Column and heading of a node in the drawing of one of them; None where it is not there."""
    name, own = side.own.get(called, called), side.plot.columns
    if called in side.alias or name not in own.of or name in side.plot.ghosts:
        return None
    return own.of[name], own.headings.get(own.of[name], "")


def _put(columns: Columns, name: str, places: Sequence[tuple[int, str]]) -> None:
    """In the first of its places, whose column is called as both call it."""
    first, _ = min(places)
    for heading in (heading for column, heading in places if column == first):
        columns.put(name, first, heading)
        if heading not in columns.headings[first].split(AND):
            columns.headings[first] += AND + heading


def views(plot: Plot, a: Side, b: Side) -> dict[View, ViewData]:
    """Those of the union; what a view leaves out is counted, not named. Without a line the nodes of
    a column stand in their order there.
    """
    found: dict[View, ViewData] = {
        "focus": focus(
            plot,
            _one_below_the_other(plot, set(focused(plot)) & plot.cast.number.keys()),
            order=_order(plot, a, b),
        ),
        "everything": everything(plot, _most(plot)),
    }
    for view in found.values():
        view["groups"] = []
        view["left_out"] = len(plot.columns.of) - len(view["places"])
    return found


def on_stage(plot: Plot, a: Side, b: Side, apart: Sequence[str]) -> ViewData:
    """For an audience: gold, where they part and what was taken `apart` there, the first rank at
    which they differ, the ways to these, and what only one kept; the rest is counted below its
    column.
    """
    of, headings = plot.columns.of, plot.columns.headings
    outside = {name for name, at in of.items() if headings.get(at) in (*BESIDE, NEITHER)}
    few = plot if only_rank(a, b) else folded(plot, STAGE_COLUMNS, outside)
    kept = [hit.passage_id for hit in few.last.hits]
    gold = [name for name in few.cast.gold if name in few.columns.of]
    first = [*gold, *apart[:SPELLED_OUT], *_first_apart(a, b)]
    ends = [end for line in led_by(a, b).values() for end in (line.source, line.target)]
    ways = [one for name in first for one in (*few.path(name), *a.way(name), *b.way(name))]
    alone = [name for name in kept if (name in a.kept) != (name in b.kept)]
    most = ON_STAGE - STAGE_THINGS if few.spreads else ON_STAGE
    full: Counter[int] = Counter()
    chosen: list[str] = []
    for name in dict.fromkeys((*ends, *first, *ways, *alone, *apart, *kept)):
        led = [] if few.spreads else _led(few, a, b, name)
        new = [one for one in (*led, name) if one in few.columns.of and one not in chosen]
        rows = full + Counter(few.columns.of[one] for one in new)
        if len(chosen) + len(new) <= most and all(n <= STAGE_ROWS for n in rows.values()):
            full = rows
            chosen += new
    if few.spreads:
        chosen += [name for name in joined(few, chosen, ON_STAGE) if name not in chosen]
    view = focus(few, frozenset(chosen[:ON_STAGE]), rows=STAGE_ROWS, order=_order(plot, a, b))
    view["groups"] = list(_neither_counted(plot, view["groups"]))
    return view


def _neither_counted(plot: Plot, groups: Sequence[GroupData]) -> Iterator[GroupData]:
    """What neither retrieves is counted by itself, below whichever column it has to be counted."""
    of, headings, names = plot.columns.of, plot.columns.headings, plot.cast.names
    nobodys = {number for number, name in enumerate(names) if headings.get(of[name]) == NEITHER}
    for group in groups:
        others = [number for number in group["nodes"] if number not in nobodys]
        neither = [number for number in group["nodes"] if number in nobodys]
        if others:
            yield {**group, "nodes": others}
        if neither:
            yield {**group, "label": IN_NEITHER, "nodes": neither}


def _led(plot: Plot, a: Side, b: Side, name: str) -> list[str]:
    """What was asked on the way to a node, after the question itself: without it what a search
    found is a loose list."""
    ways = dict.fromkeys((*plot.path(name), *a.way(name), *b.way(name)))
    return [one for one in ways if one != ROOT and plot.cast.kind(one) == "query"]


def _first_apart(a: Side, b: Side) -> list[str]:
    """What stands in both rankings where they differ first."""
    for two in zip_longest(*([hit.passage_id for hit in side.last.hits] for side in (a, b))):
        if two[0] != two[1]:
            return [name for name in two if name is not None]
    return []


def _order(plot: Plot, a: Side, b: Side) -> Sequence[str]:
    """Those that stand in the order of their ranks: all where nothing but ranks is told, else
    those of the columns of what only ranks."""
    of, headings = plot.columns.of, plot.columns.headings
    if only_rank(a, b):
        return tuple(of)
    beside = [name for name, at in of.items() if headings.get(at) in BESIDE]
    rank = {name: ranks_of(a, b, name)[of_b(headings[of[name]])] or len(of) for name in beside}
    return sorted(beside, key=lambda name: rank[name])


def _one_below_the_other(plot: Plot, names: AbstractSet[str]) -> frozenset[str]:
    """Of `names` as many in each column as have room for theirs: gold, then what tells most."""
    telling = {hit.passage_id: rank for rank, hit in enumerate(plot.last.hits)}
    order = sorted(
        (name for name in plot.columns.of if name in names),
        key=lambda name: (name not in plot.cast.gold, telling.get(name, len(telling))),
    )
    columns: defaultdict[int, list[str]] = defaultdict(list)
    for name in order:
        columns[plot.columns.of[name]].append(name)
    return frozenset(name for column in columns.values() for name in column[:ROWS])


def _most(plot: Plot) -> set[str]:
    gold = [name for name in plot.columns.of if name in plot.cast.gold]
    return set([*gold, *(name for name in plot.columns.of if name not in gold)][:CAP])


def _telling(a: Side, b: Side) -> list[str]:
    """What one of them alone kept, then what both did, by rank."""
    kept = [[hit.passage_id for hit in side.last.hits] for side in (a, b)]
    turns = [name for name in chain(*zip_longest(*kept)) if name is not None]
    apart = [name for name in turns if (name in a.kept) != (name in b.kept)]
    return list(dict.fromkeys((*apart, *turns)))


def _renamed(side: Side, names: Mapping[str, _Named]) -> dict[str, _Named]:
    return {side.called(name): value for name, value in names.items()}
