"""A neighbourhood as the browser draws it: JSON values, and nothing left for it to decide.

The screen and the web page that is exported draw the same scene, so that both show the same
passages in the same places and colours. Nodes and lines stand in lists, and roles, sizes and
fades name them by their place there, as a film's frame does.
"""

from collections.abc import Callable, Mapping, Sequence
from textwrap import shorten

from typing_extensions import TypedDict

from core.drawing.layout import Band, Place, around
from core.explore.between import Way
from core.explore.focus import Focus
from core.explore.neighbourhood import Neighbourhood
from core.explore.places import headings, in_columns, on_canvas, turns
from core.explore.view import View
from core.film.data import (
    BandData,
    EntryData,
    GroupData,
    LineData,
    LineRole,
    Marked,
    NodeData,
    NodeRole,
    ViewData,
)
from core.types import Edge, Passage

SIZES = (0.7, 1.0)
"""Factors of the radius of the weakest and the strongest passage."""
FADES = (1 / 3, 2 / 3)
"""Shares of the passages, the strongest first, from which on they are drawn fainter."""


class SceneLine(LineData):
    """An edge: `label` is its in-coming question, `raised` its out-coming one, then its scores."""

    raised: str
    jaccard: float
    cosine: float
    similarity: float


class CountData(GroupData):
    """Passages that are only counted: at `y` below the neighbours of the centre, or beside another.

    `of` is the number of the passage they are behind, `told` says in words who they are.
    """

    y: float
    of: int
    told: str


class LooksData(TypedDict):
    """How all is drawn, by number: roles, sizes as factors, fades 1 and 2 of what is fainter.

    `weights` say whose name matters more.
    """

    nodes: dict[str, NodeRole]
    lines: dict[str, LineRole]
    sizes: dict[str, float]
    node_fades: dict[str, int]
    line_fades: dict[str, int]
    weights: dict[str, float]


class SceneData(TypedDict):
    """All that is drawn. `note` says how much of what there is that shows.

    Lines in the role `plain` are drawn all the time only if it is not a `tree`. The groups of the
    view are `CountData`. `faint` is what the legend says of those drawn fainter, empty if none is.
    """

    title: str
    note: str
    nodes: list[NodeData]
    lines: list[SceneLine]
    view: ViewData
    tree: bool
    looks: LooksData
    legend: list[EntryData]
    faint: str


NODE_LABELS: Mapping[NodeRole, str] = {
    "current": "Centre",
    "seed": "Compared with",
    "visited": "Expanded",
    "pruned": "Collapsed",
    "plain": "Neighbour",
}
LINE_LABELS: Mapping[LineRole, str] = {
    "chosen": "Between the two",
    "walked": "Edge: asks → answers",
    "plain": "Edge across, not drawn until an end is picked",
}


def scene(
    passage: Callable[[str], Passage],
    view: View,
    found: Neighbourhood,
    steps: Sequence[Focus],
    *,
    gold: Mapping[str, Marked],
    raised: Callable[[Edge], str],
    held: str = "",
    way: Way | None = None,
    title: str = "",
    note: str = "",
) -> SceneData:
    """What is drawn of `found`, the passages of `view`.

    Parameters
    ----------
    steps : how the view came to be, the last being what is drawn; each moves nobody before it.
    gold : `given` or `hand` by the gold passages.
    raised : the out-coming question that an edge was made from.
    held : a passage that was chosen to be set beside another.
    way : edges between the two, which are picked out.
    """
    seen = steps[-1]
    counted = [name for members in seen.hidden.values() for name in members]
    number = {name: i for i, name in enumerate((*seen.drawn, *counted))}
    shown = set(seen.drawn)
    lines = [edge for edge in found.edges if {edge.source, edge.target} <= shown]
    looks = _looks(view, seen, number, lines, held, way)
    drawn = _view(seen, steps, number, lambda name: _short(passage(name)))
    return SceneData(
        title=title,
        note=note,
        nodes=[_node(passage(name), gold.get(name, ""), whole=name in shown) for name in number],
        lines=[_line(edge, number, raised(edge)) for edge in lines],
        view=drawn,
        tree=True,
        looks=looks,
        legend=_legend(looks, seen, [gold.get(name, "") for name in seen.drawn]),
        faint="Fainter: less similar" if looks["node_fades"] else "",
    )


def _view(
    seen: Focus,
    steps: Sequence[Focus],
    number: Mapping[str, int],
    title: Callable[[str], str],
) -> ViewData:
    columns = in_columns(steps)
    slots = {(name, 0): columns.slots[name] for name in seen.drawn}
    counts = columns.add_counts(seen)
    ways = turns(columns.slots, seen)
    # One canvas for both: a column is as wide as all that stands in it.
    at = on_canvas({**slots, **counts})
    groups: list[GroupData] = [
        _count(seen, name, side, number, at[name, side], title(name)) for name, side in counts
    ]
    return ViewData(
        places={str(number[name]): at[name, 0] for name in seen.drawn},
        guests={},
        bands=[_band(band) for band in headings([*slots.values(), *counts.values()], ways)],
        cuts=[],
        groups=groups,
        left_out=sum(map(len, seen.hidden.values())),
    )


def overview(
    passages: Sequence[Passage],
    edges: Sequence[Edge],
    raised: Callable[[Edge], str],
    *,
    title: str,
    note: str,
) -> SceneData:
    """A scene without a centre: all of `passages`, placed by the edges between them."""
    number = {passage.id: i for i, passage in enumerate(passages)}
    lines = [edge for edge in edges if {edge.source, edge.target} <= number.keys()]
    links = [(edge.source, edge.target) for edge in lines]
    at = around([p.id for p in passages[:1]], list(number), links)
    looks = LooksData(
        nodes={str(i): "plain" for i in number.values()},
        lines={str(i): "plain" for i in range(len(lines))},
        sizes={},
        node_fades={},
        line_fades={},
        weights={},
    )
    legend: list[EntryData] = [
        {"of": "node", "name": "plain", "label": "Passage"},
        {"of": "line", "name": "plain", "label": "Edge: asks → answers"},
    ]
    return SceneData(
        title=title,
        note=note,
        nodes=[_node(passage, "", whole=True) for passage in passages],
        lines=[_line(edge, number, raised(edge)) for edge in lines],
        view=ViewData(
            places={str(number[name]): place for name, place in at.items()},
            guests={},
            bands=[],
            cuts=[],
            groups=[],
            left_out=0,
        ),
        tree=False,
        looks=looks,
        legend=legend,
        faint="",
    )


def _count(
    seen: Focus, name: str, side: int, number: Mapping[str, int], at: Place, title: str
) -> CountData:
    members = [number[one] for one in seen.hidden[name] if seen.sides[one] == side]
    one = len(members) == 1
    leading = f"with {'an edge' if one else 'edges'} {'in' if side < 0 else 'out'}"
    whose = f"behind {title}" if seen.distance[name] else leading
    many = "passage" if one else "passages"
    return CountData(
        label="" if seen.distance[name] else "more",
        x=at[0],
        y=at[1],
        nodes=members,
        of=number[name],
        told=f"{len(members):,} more {many} {whose}. Press to draw the strongest.",
    )


def _looks(
    view: View,
    seen: Focus,
    number: Mapping[str, int],
    lines: Sequence[Edge],
    held: str,
    way: Way | None,
) -> LooksData:
    nodes: dict[str, NodeRole] = {str(i): _role(view, name, held) for name, i in number.items()}
    # Also back, where a passage and the one that it is reached from lead to each other.
    on_way = {frozenset(pair) for pair in seen.parents.items()}
    picked = {edge.id for edge in way.edges} if way else set()
    roles: dict[str, LineRole] = {
        str(i): "chosen"
        if edge.id in picked
        else "walked"
        if {edge.source, edge.target} in on_way
        else "plain"
        for i, edge in enumerate(lines)
    }
    strongest = max((seen.strengths[n] for n in seen.drawn if n in seen.parents), default=1.0) or 1
    share = {name: min(1.0, seen.strengths[name] / strongest) for name in seen.drawn}
    ranked = sorted(seen.drawn, key=lambda name: (-share[name], name))
    faded = {
        name: sum(i >= from_ * len(ranked) for from_ in FADES) for i, name in enumerate(ranked)
    }
    kept = {view.centre, held, *view.opened, *(way.passages if way else ())}
    least, most = SIZES
    return LooksData(
        nodes=nodes,
        lines=roles,
        sizes={
            str(number[n]): round(least + (most - least) * part, 2) for n, part in share.items()
        },
        node_fades={str(number[n]): f for n, f in faded.items() if f and n not in kept},
        line_fades={
            str(i): fade
            for i, edge in enumerate(lines)
            if (fade := _line_fade(roles[str(i)], max(faded[edge.source], faded[edge.target])))
        },
        weights={
            str(number[n]): part + (10 if n in kept else 2 if seen.distance[n] == 1 else 0)
            for n, part in share.items()
        },
    )


def _line_fade(role: str, fade: int) -> int:
    return 0 if role == "chosen" else fade if role == "walked" else 2


def _role(view: View, name: str, held: str) -> NodeRole:
    if name == view.centre:
        return "current"
    if name == held:
        return "seed"
    if name in view.opened:
        return "visited"
    return "pruned" if name in view.closed else "plain"


def _legend(looks: LooksData, seen: Focus, gold: Sequence[Marked]) -> list[EntryData]:
    roles = {looks["nodes"][str(i)] for i in range(len(seen.drawn))}
    return [
        *(
            EntryData(of="node", name=name, label=label)
            for name, label in NODE_LABELS.items()
            if name in roles
        ),
        *([EntryData(of="node", name="gold", label="Gold")] if any(gold) else []),
        *(
            EntryData(of="line", name=role, label=label)
            for role, label in LINE_LABELS.items()
            if role in looks["lines"].values()
        ),
    ]


def _short(passage: Passage) -> str:
    return shorten(passage.title or passage.id, 22, placeholder="…")


def _node(passage: Passage, gold: Marked, *, whole: bool) -> NodeData:
    """`whole` unless it is only counted, for which its title will do."""
    return NodeData(
        id=passage.id,
        kind="passage",
        label=passage.title or passage.id,
        text=passage.text if whole else "",
        gold=gold,
    )


def _line(edge: Edge, number: Mapping[str, int], raised: str) -> SceneLine:
    return SceneLine(
        id=edge.id,
        source=number[edge.source],
        target=number[edge.target],
        label=edge.question,
        detail=f"similarity {edge.similarity:.3f}",
        directed=True,
        raised=raised,
        jaccard=float(edge.jaccard),
        cosine=float(edge.cosine),
        similarity=float(edge.similarity),
    )


def _band(band: Band) -> BandData:
    return BandData(label=band.label, left=float(band.left), right=float(band.right))
