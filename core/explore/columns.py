"""A neighbourhood as columns of passages with edges between them, for the browser to lay out.

The centre is in the middle, with its in-edges on the left and its out-edges on the right. More
distant passages are farther out.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from core.explore.between import Way
from core.explore.contract import (
    ColumnData,
    CountData,
    EdgeData,
    EdgeRole,
    NeighbourhoodData,
    PassageData,
    PassageRole,
    Side,
)
from core.explore.focus import Focus
from core.explore.neighbourhood import Neighbourhood
from core.explore.view import View
from core.marks.gold_signs import Marked
from core.types import Edge, Passage

FADES = (1 / 3, 2 / 3)
"""Shares of the passages, the strongest first, from which on they are drawn fainter."""


def neighbourhood_data(
    passage: Callable[[str], Passage],
    view: View,
    found: Neighbourhood,
    seen: Focus,
    *,
    gold: Mapping[str, Marked],
    raised: Callable[[Edge], str],
    held: str = "",
    way: Way | None = None,
    title: str = "",
    note: str = "",
) -> NeighbourhoodData:
    """Return the drawing data of a neighbourhood.

    Parameters
    ----------
    found : the passages and edges of `view`.
    seen : the part of `found` that is drawn.
    gold : who marked each gold passage.
    raised : returns the out-question of an edge.
    held : the passage that the next selected one is compared with.
    way : the path between the two compared passages.
    """
    shown = set(seen.drawn)
    roles = {name: _passage_role(view, name, held) for name in seen.drawn}
    fades = _fades(seen)
    kept = {view.centre, held, *view.opened, *(way.passages if way else ())}
    directions, both = _edge_directions(seen), _both(seen, found)

    def drawn(name: str) -> PassageData:
        fade = 0 if name in kept else fades[name]
        return passage_data(passage(name), gold.get(name, ""), roles[name], fade)

    columns = _columns(seen)
    counts = _counts(seen, lambda name: passage(name).title or name)
    return NeighbourhoodData(
        title=title,
        note=note,
        columns=[
            ColumnData(
                heading=_heading(column, directions[column], both[column]),
                side=_side(column),
                passages=[drawn(name) for name in columns[column]],
                counts=counts[column],
            )
            for column in sorted({*columns, *counts})
        ],
        edges=[
            edge_data(edge, raised(edge), role, _edge_fade(edge, role, fades))
            for edge in found.edges
            if {edge.source, edge.target} <= shown and (role := _edge_role(edge, seen, way))
        ],
    )


def passage_data(passage: Passage, gold: Marked, role: PassageRole, fade: int) -> PassageData:
    """Return the drawing data of a passage, titled by its id if it has no title."""
    return PassageData(
        id=passage.id,
        title=passage.title or passage.id,
        text=passage.text,
        gold=gold,
        role=role,
        fade=fade,
    )


def edge_data(edge: Edge, raised: str, role: EdgeRole, fade: int) -> EdgeData:
    """Return an edge as the browser draws it."""
    return EdgeData(
        id=edge.id,
        source=edge.source,
        target=edge.target,
        raised=raised,
        question=edge.question,
        jaccard=float(edge.jaccard),
        cosine=float(edge.cosine),
        similarity=float(edge.similarity),
        role=role,
        fade=fade,
    )


def _columns(seen: Focus) -> dict[int, list[str]]:
    """Return the passages of each column by its signed distance, in depth-first order."""
    behind: defaultdict[str, list[str]] = defaultdict(list)
    for name in seen.drawn[1:]:
        behind[seen.parents[name]].append(name)

    def walk(name: str) -> Iterator[str]:
        yield name
        for child in behind[name]:
            yield from walk(child)

    columns: defaultdict[int, list[str]] = defaultdict(list)
    for name in walk(seen.drawn[0]):
        columns[_column(seen, name)].append(name)
    return columns


def _column(seen: Focus, name: str) -> int:
    return seen.sides[name] * seen.distance[name]


def _side(column: int) -> Side:
    return cast("Side", (column > 0) - (column < 0))


def _counts(seen: Focus, title: Callable[[str], str]) -> dict[int, list[CountData]]:
    """Return the counts of hidden passages to show in each column."""
    counts: defaultdict[int, list[CountData]] = defaultdict(list)
    for name, members in seen.hidden.items():
        for side in sorted({seen.sides[member] for member in members}):
            number = sum(seen.sides[member] == side for member in members)
            column = _column(seen, name)
            way = f"with {'an edge' if number == 1 else 'edges'} {'in' if side < 0 else 'out'}"
            whose = f"behind {title(name)}" if column else way
            many = "passage" if number == 1 else "passages"
            counts[column or side].append(
                CountData(
                    passage=name,
                    label=f"+{number:,}" if column else f"+{number:,} more",
                    told=f"{number:,} more {many} {whose}. Select to show the strongest.",
                )
            )
    return counts


def _edge_directions(seen: Focus) -> Mapping[int, set[int]]:
    """Return, for each column, the directions of the edges that lead to it: 1 for edges that
    point to its passages, -1 for edges that leave them.
    """
    directions: defaultdict[int, set[int]] = defaultdict(set)
    for name, edge in seen.ways.items():
        directions[_column(seen, name)].add(-1 if edge.source == name else 1)
    return directions


def _both(seen: Focus, found: Neighbourhood) -> Counter[int]:
    """Count the neighbours in each column that have edges from and to the centre."""
    centre, joined = seen.drawn[0], {(edge.source, edge.target) for edge in found.edges}
    return Counter(
        _column(seen, name) for name in seen.drawn[1:] if {(centre, name), (name, centre)} <= joined
    )


def _heading(column: int, directions: set[int], both: int) -> str:
    """Return the heading of a column: beside the centre its edge direction, else its distance.

    `both` counts neighbours with edges in both directions. They are drawn on one side only.
    """
    if abs(column) < 2:
        name, other = {-1: ("Edges in", "out"), 0: ("Centre", ""), 1: ("Edges out", "in")}[column]
        return f"{name} · {both:,} also {other}" if both else name
    if len(directions) > 1:
        return f"{abs(column)} hops, first an edge {'in' if column < 0 else 'out'}"
    return f"{abs(column)} hops away, edges {'out' if 1 in directions else 'in'}"


def _passage_role(view: View, name: str, selected: str) -> PassageRole:
    """Return how a passage is drawn; `held` is the passage whose edges are highlighted."""
    if name == view.centre:
        return "centre"
    if name == selected:
        return "held"
    if name in view.opened:
        return "expanded"
    return "collapsed" if name in view.closed else "neighbour"


def _edge_role(edge: Edge, focus: Focus, path: Way | None) -> EdgeRole:
    """Return how an edge is drawn: on a path, between a passage and its parent, or across."""
    if path and edge in path.edges:
        return "between"
    # Either direction: a passage and its parent may have edges to each other.
    ends = (edge.source, edge.target)
    on_path = any(focus.parents.get(end) == other for end, other in (ends, ends[::-1]))
    return "tree" if on_path else "across"


def _fades(seen: Focus) -> dict[str, int]:
    """Return the fade of each passage: 0 for the strongest third, then 1, then 2."""
    ranked: Sequence[str] = sorted(seen.drawn, key=lambda name: (-seen.strengths[name], name))
    return {
        name: sum(place >= share * len(ranked) for share in FADES)
        for place, name in enumerate(ranked)
    }


def _edge_fade(edge: Edge, role: EdgeRole, fades: Mapping[str, int]) -> int:
    if role == "tree":
        return max(fades[edge.source], fades[edge.target])
    return 0 if role == "between" else 2
