"""Two traces of one question become the data of their difference."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from core.difference.answers import answer_beside
from core.difference.columns import shown_in, views
from core.difference.contract import (
    DifferenceData,
    EdgeData,
    GoldData,
    GoldWhose,
    LegendData,
    NodeData,
    NodeWhose,
    PartingData,
    SideData,
)
from core.difference.edges import edges_of
from core.difference.paired_steps import Pair, aligned, in_short, parted, parting
from core.difference.presenter_stops import stops
from core.difference.rank_columns import BESIDE, leads, led_by, only_rank, rank_label, ranks_of
from core.difference.rounds import alone, rounds
from core.difference.shared_layout import shared, union
from core.difference.side import AB, Called, Side, make_side
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.lost_gold.gold_distance import IndexView
from core.lost_gold.gold_ranks import Marks, mark_history, rank_status
from core.playback import Label
from core.steps import ROOT, Step
from core.text.display.cropping import TEXT, cropped
from core.trace_analysis.cost_summary import footer
from core.trace_analysis.evidence_arrival import ArrivalData, Evident, arrival
from core.trace_analysis.gold_passages import evidence
from core.trace_analysis.node_columns import Plot
from core.trace_analysis.node_names import Cast
from core.trace_analysis.phases import opening
from core.trace_analysis.trace_frames import Played, play
from core.traces import Trace

SAME = "No difference: both retrievals take the same steps and return the same ranking."


def legend_terms(a: str, b: str) -> Sequence[LegendData]:
    """Return all terms of the legend of two retrievals with these signs, in order.

    Gold of one side alone was lost by the other one; gold missed by both was reached by one of
    them.
    """
    return (
        {"of": "node", "name": "a", "label": f"{a} only"},
        {"of": "node", "name": "b", "label": f"{b} only"},
        {"of": "node", "name": "both", "label": "Both"},
        {"of": "node", "name": "reached", "label": "Reached, not retrieved"},
        {"of": "node", "name": "neither", "label": "Gold, reached by neither"},
        {"of": "gold", "name": "gold", "label": "Gold"},
        {"of": "gold", "name": "a", "label": f"Gold, {a} only"},
        {"of": "gold", "name": "b", "label": f"Gold, {b} only"},
        {"of": "gold", "name": "missed", "label": "Gold, reached, not retrieved"},
        {"of": "gold", "name": "hand", "label": "Gold marked by hand"},
        {"of": "edge", "name": "a", "label": f"{a} follows"},
        {"of": "edge", "name": "b", "label": f"{b} follows"},
        {"of": "edge", "name": "both", "label": "Both follow"},
        {"of": "edge", "name": "not_b", "label": f"{a} follows, {b} does not"},
        {"of": "edge", "name": "not_a", "label": f"{b} follows, {a} does not"},
        {"of": "edge", "name": "refused_a", "label": f"Not followed by {a}"},
        {"of": "edge", "name": "refused_b", "label": f"Not followed by {b}"},
        {"of": "edge", "name": "refused", "label": "Not followed by either"},
    )


def make_difference(
    one: Trace,
    other: Trace,
    marks: Marks | None = None,
    index: IndexView | None = None,
    lists: Lists | None = None,
    names: tuple[Called, Called] = AB,
) -> DifferenceData:
    """Compare two traces of one question: `one` is A, `other` is B.

    Parameters
    ----------
    marks : the gold and who marked it; the gold of `one` by default.
    index : the index of both traces, if it is open.
    lists : returns ranks that the steps do not list.
    names : what A and B are called.

    Raises
    ------
    ValueError : the traces are of different questions.
    """
    if one.query != other.query:
        raise ValueError("the two traces are not of one question")
    marks = one.kept_gold.authors(one.ranking) if marks is None else marks
    a = make_side(one, marks, index, lists, names[0])
    b = make_side(other, marks, index, lists, names[1])
    b = b.with_distinct_ids(a)
    pieces = one.kept_gold.pieces(one.ranking)
    gold = evidence([a.played.missed, b.played.missed], marks, pieces)
    drawn = {node.node: node.marked for node in gold if node.node in _placed(a, b)}
    plot = union(a, b, {name: who for name, who in drawn.items() if name})
    cast = plot.cast
    roles: dict[str, NodeWhose] = dict.fromkeys(plot.columns.of, "neither")
    asked = {*leads(a, b)} if led_by(a, b) else set[str]()
    roles |= dict.fromkeys(a.reached | b.reached | asked, "reached")
    roles |= shared(a.kept, b.kept)
    pairs = aligned(a, b)
    walker, beside = alone(pairs, a.by.name, b.by.name)
    drawn_views = views(plot, a, b, _first_difference_nodes(pairs, cast))
    edges = edges_of(plot, a, b)
    known = index.question(one.query) if index else None
    ends = [_gold(each, cast, (a, b), marks) for each in gold]
    focus = {cast.names[number] for number in shown_in(drawn_views, "focus")}
    parts = _divergence(a, b, pairs, plot, focus)
    return {
        "query": one.query,
        "a": _side_data(a, marks, index),
        "b": _told_apart(_side_data(b, marks, index), a.played, b.played),
        "nodes": _nodes(plot, a, b, roles, ends, index, lists),
        "edges": edges,
        "views": drawn_views,
        "stops": stops(a, b, pairs, ends, cast, parts["text"]),
        "legend": _legend(plot, roles, edges, ends, legend_terms(a.by.sign, b.by.sign)),
        "parting": parts,
        "answer": answer_beside(
            known.answers if known else (),
            [held for side in (a, b) for held in side.played.missed.gold],
            [{hit.passage_id for hit in side.last.hits} for side in (a, b)],
            [side.by.name for side in (a, b)],
        ),
        "rounds": rounds(pairs, cast, opening(_course(side) for side in (a, b))),
        "walker": walker,
        "beside": beside,
        "gold": ends,
    }


def arrival_beside(
    one: Trace,
    other: Trace,
    marks: Marks,
    index: IndexView | None = None,
    lists: Lists | None = None,
) -> ArrivalData:
    """Return when the evidence arrived in each, by the steps of both."""
    both = [play(trace, marks, index, lists) for trace in (one, other)]
    pieces = one.kept_gold.pieces(one.ranking)
    return arrival(evidence([played.missed for played in both], marks, pieces), both)


def _placed(a: Side, b: Side) -> set[str]:
    return {side.called(name) for side in (a, b) for name in side.plot.columns.of}


def _nodes(
    plot: Plot,
    a: Side,
    b: Side,
    roles: Mapping[str, NodeWhose],
    gold: Sequence[GoldData],
    index: IndexView | None,
    lists: Lists | None,
) -> list[NodeData]:
    """Return the nodes of the drawing, with their ranks and final states in A and B."""
    cast, of, headings, all_ = plot.cast, plot.columns.of, plot.columns.headings, only_rank(a, b)
    ranked = {name for name in of if all_ or headings[of[name]] in BESIDE}
    ended = [_final_statuses(side, cast, index, lists) for side in (a, b)]
    lost = {one["node"] for one in gold if all(one["lost"])}
    return [
        NodeData(
            id=name,
            kind=cast.kind(name),
            label=cast.title(name),
            name=cast.bare(name),
            text=cropped(cast.text(name), TEXT),
            gold=cast.gold.get(name, ""),
            ranks=rank_label(ranks_of(a, b, name), headings[of[name]], (a.by.sign, b.by.sign))
            if name in ranked
            else "",
            whose=roles[name],
            lost=number in lost,
            standings=(ended[0][name], ended[1][name]),
        )
        for number, name in enumerate(cast.names)
    ]


def _side_data(side: Side, marks: Marks, index: IndexView | None) -> SideData:
    """Return the heading and footer of one retrieval."""
    trace, title = side.trace, side.played.title
    return {
        "title": title,
        "name": side.by.name,
        "sign": side.by.sign,
        "retriever": trace.retriever,
        "footer": footer(trace, title, side.played.spec, marks, index),
    }


def _told_apart(side: SideData, a: Played, b: Played) -> SideData:
    """Return `side` of `b`, whose title names the settings that differ if `a` has the same one."""
    if a.title != b.title or not (a.spec and b.spec) or a.spec.key != b.spec.key:
        return side
    return {**side, "title": ", ".join([b.title, *b.spec.changes_from(a.spec)])}


def _final_statuses(
    side: Side, cast: Cast, index: IndexView | None, lists: Lists | None
) -> dict[str, str]:
    """Return the final standing of each node in `cast`, by its shared name."""
    own = {name: side.own.get(name, name) for name in cast.names if name not in side.alias}
    unseen = [
        name
        for name in own.values()
        if index and name in index.number and name not in side.last.roles
    ]
    known = fates(side.trace.steps, unseen, index, lists=lists) if index and unseen else ()
    ends = {fate.gold: fate for fate in known} | side.played.missed.fates
    return {
        name: _final_status(side, name, own.get(name), ends, gold=bool(cast.gold.get(name)))
        for name in cast.names
    }


def _final_status(
    side: Side, name: str, own_id: str | None, ends: Mapping[str, Fate], *, gold: bool
) -> str:
    """Describe how a node ends in a retrieval.

    `own` is its id there, or None if that id means something else.
    """
    if own_id is None:  # the id means something else there
        return "not in this retrieval"
    if own_id == ROOT:
        return "query"
    if side.plot.cast.kind(own_id) != "passage":
        return "reached" if name in side.reached else "not reached"
    return rank_status(side.last, own_id, ends.get(own_id), gold=gold)


def _gold(gold: Evident, cast: Cast, sides: tuple[Side, Side], marks: Marks) -> GoldData:
    """Return the drawing data of a piece of gold and its outcome on both sides."""
    one, other = (_end(gold, side) for side in sides)
    lost = _is_lost(gold, cast, sides[0], marks), _is_lost(gold, cast, sides[1], marks)
    return {
        "node": cast.number.get(gold.node) if gold.node else None,
        "name": gold.name,
        "marked": gold.marked,
        "by": mark_history(sides[0].trace, gold.node) if gold.node else "",
        "ends": (one, other),
        "lost": lost,
        "whose": _gold_owner(lost, reached=any(gold.node in side.reached for side in sides)),
    }


def _is_lost(gold: Evident, cast: Cast, side: Side, marks: Marks) -> bool:
    """Check whether `side` lost a gold passage; of a gold document one passage is enough."""
    kept, passage = {hit.passage_id for hit in side.last.hits}, cast.passages.get(gold.node or "")
    if passage is None or passage.id in marks:
        return side.own.get(gold.node or "", gold.node or "") not in kept
    return passage.document_id not in {side.trace.passages[one].document_id for one in kept}


def _end(gold: Evident, side: Side) -> str:
    """Return the rank at which gold was retrieved, or how it was lost."""
    if gold.node is None:
        return gold.missing
    own = side.own.get(gold.node, gold.node)
    fate = side.played.missed.fates.get(own)
    return fate.brief if fate else rank_status(side.last, own)


def _divergence(
    a: Side, b: Side, pairs: Sequence[Pair], plot: Plot, shown: AbstractSet[str]
) -> PartingData:
    """Describe where the two retrievals diverge, with the node to select."""
    text, node = parting(a, b, pairs, shown)
    return {
        "text": text or SAME,
        "short": in_short(a, b, pairs, shown) or SAME,
        "node": plot.cast.number.get(node),
        "same": not text,
        "alike": _alike(pairs),
    }


def _alike(pairs: Sequence[Pair]) -> bool:
    """Check whether both retrievals act at the first difference, or one of them only ranks."""
    first = parted(pairs)
    if first is None or (first.a and first.b):
        return True
    ours, theirs = (
        sum(pair.a is not None for pair in pairs),
        sum(pair.b is not None for pair in pairs),
    )
    return min(ours, theirs) <= 1


def _first_difference_nodes(pairs: Sequence[Pair], cast: Cast) -> list[str]:
    """Return the node where the two first differ, and the nodes that only one selected there."""
    first = parted(pairs)
    if first is None:
        return []
    ours, theirs = (act.nodes if act else () for act in (first.a, first.b))
    taken = [name for name in (*ours, *theirs) if (name in ours) != (name in theirs)]
    return [name for name in (first.one.at, *taken) if name in cast.number]


def _course(side: Side) -> tuple[Sequence[Step], Sequence[Label], Sequence[str]]:
    return side.trace.steps, side.played.names, side.played.phases


def _gold_owner(lost: tuple[bool, bool], *, reached: bool) -> GoldWhose:
    """Return which retrieval has a piece of gold that is lost, or not, in A and in B.

    `reached`: whether gold that both lost was reached by one of them.
    """
    match lost:
        case False, False:
            return "both"
        case False, True:
            return "a"
        case True, False:
            return "b"
    return "missed" if reached else "neither"


def _legend(
    plot: Plot,
    nodes: Mapping[str, NodeWhose],
    edges: Sequence[EdgeData],
    gold: Sequence[GoldData],
    terms: Sequence[LegendData],
) -> list[LegendData]:
    """Return the `terms` that occur in the drawing."""
    marked = plot.cast.gold.values()
    drawn: Mapping[str, AbstractSet[str]] = {
        "node": {nodes[name] for name in plot.columns.of},
        "gold": {one["whose"] for one in gold} | {"gold" for _ in marked} | {*marked} & {"hand"},
        "edge": {edge["whose"] for edge in edges},
    }
    return [term for term in terms if term["name"] in drawn[term["of"]]]
