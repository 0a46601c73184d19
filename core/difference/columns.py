"""Choose the nodes of both retrievals to show, with their columns and order."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest

from core.difference.contract import ColumnData, CountData, ViewName
from core.difference.gold_paths import leading
from core.difference.rank_columns import (
    BESIDE,
    NEITHER,
    led_by,
    of_b,
    only_rank,
    ranks_of,
    shown_heading,
)
from core.difference.side import Side
from core.playback.wording import SPELLED_OUT
from core.steps import ROOT
from core.trace_analysis.node_columns import Plot, folded

MOST, COLUMNS, ROWS = 20, 4, 8
"""Nodes, columns and nodes in a column of the focus, so that each has room for its name."""
THINGS = 5
"""Nodes of the focus that are no passages, such as entities, where these join passages."""
CAP = 150
"""Nodes that are shown at most."""
MORE, IN_NEITHER = "more", "in neither"


def views(plot: Plot, a: Side, b: Side, apart: Sequence[str]) -> dict[ViewName, list[ColumnData]]:
    """Return the columns of the focus and of everything.

    Parameters
    ----------
    plot : the union of both.
    apart : the nodes at which A and B part, the place first.
    """
    gold = [name for name in plot.columns.of if name in plot.cast.gold]
    all_ = dict.fromkeys((*gold, *plot.columns.of))
    few = folded(plot, COLUMNS, _outside(plot)) if not only_rank(a, b) else plot
    return {
        "focus": _columns(few, _nodes_in_focus(few, a, b, apart), a, b),
        "everything": _columns(plot, list(all_)[:CAP], a, b),
    }


def _outside(plot: Plot) -> set[str]:
    """Return the nodes in columns that are no stages of a walk."""
    of, headings = plot.columns.of, plot.columns.headings
    return {name for name, at in of.items() if headings.get(at) in (*BESIDE, NEITHER)}


def _nodes_in_focus(plot: Plot, a: Side, b: Side, apart: Sequence[str]) -> list[str]:
    """Choose the nodes of the compact drawing, in this order, as far as there is room.

    Gold; the nodes selected where the retrievals diverge (`apart`); the first rank at which they
    differ; the paths to these; and passages that only one of them retrieves.
    """
    kept = telling(a, b)
    gold = [name for name in plot.cast.gold if name in plot.columns.of]
    first = [*gold, *apart[:SPELLED_OUT], *_first_apart(a, b)]
    ends = [end for line in led_by(a, b).values() for end in (line.source, line.target)]
    ways = [one for name in first for one in (*plot.path(name), *a.way(name), *b.way(name))]
    alone = [name for name in kept if (name in a.kept) != (name in b.kept)]
    most = MOST - THINGS if plot.spreads else MOST
    full: Counter[int] = Counter()
    chosen: list[str] = []
    for name in dict.fromkeys((*ends, *first, *ways, *alone, *apart, *kept)):
        led = [] if plot.spreads else _queries_before(plot, a, b, name)
        new = [n for n in dict.fromkeys((*led, name)) if n in plot.columns.of and n not in chosen]
        rows = full + Counter(plot.columns.of[one] for one in new)
        if len(chosen) + len(new) <= most and all(n <= ROWS for n in rows.values()):
            full = rows
            chosen += new
    return [*chosen, *(_joining(plot, chosen) if plot.spreads else ())]


def _joining(plot: Plot, chosen: Sequence[str]) -> list[str]:
    """Choose nodes that join passages of `chosen`: those that lead to gold, then those with most
    edges to them, and at least one of each column."""
    ties: Counter[str] = Counter()
    for line in plot.cast.lines:
        for one, other in ((line.source, line.target), (line.target, line.source)):
            ties[one] += other in chosen
    led = leading(plot)
    things = [n for n in plot.columns.of if plot.cast.kind(n) != "passage" and n not in chosen]
    mass = {name: hit.score for name, hit in plot.last.mass.items()}
    things.sort(key=lambda n: (n not in led, -min(ties[n], 2), -mass.get(n, 0.0)))
    chosen_things = [name for name in things if ties[name] or name in led][:THINGS]
    filled = {plot.columns.of[name] for name in (*chosen, *chosen_things)}
    for name in things:
        if plot.columns.of[name] not in filled:
            filled.add(plot.columns.of[name])
            chosen_things.append(name)
    return chosen_things


def _queries_before(plot: Plot, a: Side, b: Side, name: str) -> list[str]:
    """Return the sub-questions on the way to a node: without them it hangs in the air."""
    ways = dict.fromkeys((*plot.path(name), *a.way(name), *b.way(name)))
    return [one for one in ways if one != ROOT and plot.cast.kind(one) == "query"]


def telling(a: Side, b: Side) -> list[str]:
    """Return the passages that only one of them retrieves, then those that both do, by rank."""
    kept = [[hit.passage_id for hit in side.last.hits] for side in (a, b)]
    turns = [name for name in chain(*zip_longest(*kept)) if name is not None]
    apart = [name for name in turns if (name in a.kept) != (name in b.kept)]
    return list(dict.fromkeys((*apart, *turns)))


def _first_apart(a: Side, b: Side) -> list[str]:
    """Return the passages at the first rank at which the rankings differ."""
    for two in zip_longest(*([hit.passage_id for hit in side.last.hits] for side in (a, b))):
        if two[0] != two[1]:
            return [name for name in two if name is not None]
    return []


def _columns(plot: Plot, shown: Sequence[str], a: Side, b: Side) -> list[ColumnData]:
    """Return the columns from left to right, with the number of nodes that each leaves out."""
    headings, cast = plot.columns.headings, plot.cast
    rows = _order_columns(plot, shown, _ranked(plot, a, b))
    left_out = _left_out(plot, rows)
    return [
        {
            "heading": shown_heading(headings.get(at, ""), a, b),
            "nodes": cast.numbers(names),
            "left_out": [
                CountData(label=label, nodes=cast.numbers(names))
                for label, names in left_out.get(at, {}).items()
            ],
        }
        for at, names in sorted(rows.items())
    ]


def _ranked(plot: Plot, a: Side, b: Side) -> Sequence[str]:
    """Return the nodes of columns that are in the order of ranks, in that order."""
    of, headings = plot.columns.of, plot.columns.headings
    if only_rank(a, b):
        return tuple(of)
    beside = [name for name, at in of.items() if headings.get(at) in BESIDE]
    rank = {name: ranks_of(a, b, name)[of_b(headings[of[name]])] or len(of) for name in beside}
    return sorted(beside, key=lambda name: rank[name])


def _order_columns(plot: Plot, shown: Iterable[str], ranked: Sequence[str]) -> dict[int, list[str]]:
    """Order each column so that few edges cross; questions and `ranked` nodes keep their order.

    A node is placed by the position of its first parent (the barycentre heuristic of Sugiyama,
    Tagawa and Toda 1981 with one parent).
    """
    of = plot.columns.of
    rows: defaultdict[int, list[str]] = defaultdict(list)
    for name in shown:
        rows[of[name]].append(name)
    fixed = {name: n for n, name in enumerate(dict.fromkeys((*plot.cast.questions, *ranked)))}
    parents = _parents(plot, set(chain(*rows.values())))
    at: dict[str, float] = {}
    for column in sorted(rows):
        order = {name: n for n, name in enumerate(of)}
        names = sorted(
            rows[column],
            key=lambda name: (fixed.get(name, -1), at.get(parents.get(name, ""), 0.0), order[name]),
        )
        rows[column] = names
        at |= {name: n / len(names) for n, name in enumerate(names)}
    return rows


def _parents(plot: Plot, shown: Collection[str]) -> Mapping[str, str]:
    """Return the first node of a column before that leads to each one."""
    of, parents = plot.columns.of, dict[str, str]()
    for line in sorted(plot.cast.lines, key=lambda one: (one.taken is None, one.taken or 0)):
        for one, other in ((line.source, line.target), (line.target, line.source)):
            if one in shown and other in shown and of[one] < of[other]:
                parents.setdefault(other, one)
    return parents


def _left_out(plot: Plot, rows: Mapping[int, Sequence[str]]) -> dict[int, dict[str, list[str]]]:
    """Return the names that are not shown, by column and label.

    A column without shown names counts at the nearest shown column to its left.
    """
    shown = set(chain(*rows.values()))
    names_by_label: dict[int, dict[str, list[str]]] = {}
    for name, column in plot.columns.of.items():
        if name not in shown and rows:
            near = max((at for at in rows if at <= column), default=min(rows))
            neither = plot.columns.headings.get(column) == NEITHER
            label = IN_NEITHER if neither else MORE
            names_by_label.setdefault(near, {}).setdefault(label, []).append(name)
    return names_by_label


def shown_in(found: Mapping[ViewName, Sequence[ColumnData]], view: ViewName) -> Iterator[int]:
    """Yield the nodes that a view shows."""
    return (number for column in found[view] for number in column["nodes"])
