"""Both retrievals in one layout: owner and column of each node."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeVar

from core.difference.contract import Whose
from core.difference.rank_columns import (
    BESIDE,
    NEITHER,
    by_ranks,
    leads,
    led_by,
    no_layout,
    only_rank,
    passages,
)
from core.difference.side import Side
from core.playback import Columns, DrawnLine, in_kinds
from core.steps import ROOT
from core.trace_analysis.node_columns import Plot
from core.trace_analysis.node_names import Cast

AND = " · "
"""Between what the two call one column."""
_Named = TypeVar("_Named")


def shared(a: Iterable[str], b: Iterable[str]) -> dict[str, Whose]:
    """Return for each name whether A, B or both have it."""
    ours, theirs = set(a), set(b)
    whose: dict[str, Whose] = dict.fromkeys(ours - theirs, "a")
    whose |= dict.fromkeys(theirs - ours, "b")
    return whose | dict.fromkeys(ours & theirs, "both")


def union(a: Side, b: Side, gold: Mapping[str, str]) -> Plot:
    """Return one graph of everything that A or B reached, and all of `gold`."""
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
        called={**b.plot.cast.called, **a.plot.cast.called},
    )
    last = replace(
        a.last,
        mass={**{b.called(k): v for k, v in b.last.mass.items()}, **a.last.mass},
    )
    steps = (*a.trace.steps, *b.trace.steps)
    return Plot(steps, cast, columns, before, frozenset(), last, bool(spreads))


def _lines(
    a: Side, b: Side, columns: Columns, before: Mapping[str, str], *, spreads: bool
) -> dict[str, DrawnLine]:
    """Return the lines that A or B followed, and the refused edges to gold.

    A line within a column of a walk leads back and is left out, unless a node was first reached by
    it.
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
    """Lay out nodes by kind, where a score spreads; nodes found by neither come last."""
    kinds = {s.called(n): s.plot.cast.kind(n) for s in (a, b) for n in s.plot.columns.of}
    reached = a.reached | b.reached
    columns = in_kinds({name: kind for name, kind in kinds.items() if name in reached & kept})
    beside = max(columns.of.values(), default=-1) + 1
    for name in kinds:
        if name in kept - reached:
            columns.put(name, beside, NEITHER)
    return columns


def _columns(a: Side, b: Side, kept: AbstractSet[str], gold: AbstractSet[str]) -> Columns:
    """Lay out the nodes of `kept` by the step at which A's or B's walk first reached them.

    To the right are nodes that were only ranked, then those found by neither. If one of them only
    ranks, the columns are those of the walk, and their headings say so. Nodes on a walk to gold
    keep their column of it, so that the walk can be drawn from left to right.
    """
    columns, later = Columns(), dict[str, str]()
    walks = [side for side in (a, b) if side.walks] or [a, b]
    to_gold = gold | {name for end in gold for name in walks[0].way(end)}
    of = f" of {walks[0].by.sign}" if len(walks) == 1 else ""
    names = (side.called(name) for side in (a, b) for name in side.plot.columns.of)
    for name in dict.fromkeys(name for name in names if name in kept):
        alone = len(walks) == 1 and name in (a.kept | b.kept) - walks[0].kept - to_gold
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
    """Return the column and heading of a node in one drawing, or None if it is not there."""
    name, own = side.own.get(called, called), side.plot.columns
    if called in side.alias or name not in own.of or name in side.plot.unnamed:
        return None
    return own.of[name], own.headings.get(own.of[name], "")


def _put(columns: Columns, name: str, places: Sequence[tuple[int, str]]) -> None:
    """Put a node into its first column, and join both headings of that column."""
    first, _ = min(places)
    for heading in (heading for column, heading in places if column == first):
        columns.put(name, first, heading)
        if heading not in columns.headings[first].split(AND):
            columns.headings[first] += AND + heading


def _renamed(side: Side, names: Mapping[str, _Named]) -> dict[str, _Named]:
    return {side.called(name): value for name, value in names.items()}
