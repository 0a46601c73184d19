"""The edges of a difference: which retrieval follows each, and which lead to a passage."""

from core.difference.contract import EdgeData, EdgeWhose, Whose
from core.difference.rank_columns import led_by
from core.difference.shared_layout import shared
from core.difference.side import Side
from core.playback import DrawnLine
from core.text.display.cropping import LABEL, cropped
from core.trace_analysis.node_columns import Plot
from core.trace_analysis.node_names import Cast


def edges_of(plot: Plot, a: Side, b: Side) -> list[EdgeData]:
    """Return every edge of `plot`, the layout of both retrievals."""
    whose, leading = _edge_owners(plot.cast, a, b), _leading(plot, a, b)
    return [
        _edge(plot.cast, line, whose[line.id], leads=number in leading)
        for number, line in enumerate(plot.cast.lines)
    ]


def _edge(cast: Cast, line: DrawnLine, whose: EdgeWhose, *, leads: bool) -> EdgeData:
    """Return an edge as drawn: node numbers, cropped question, and scores if it is of the graph.

    `leads` says whether it leads to a passage of the result.
    """
    edge = cast.edges.get(line.id)
    return EdgeData(
        id=line.id,
        source=cast.number[line.source],
        target=cast.number[line.target],
        question=cropped(line.label, LABEL),
        scores=f"SIM {edge.similarity:.3f} · Jaccard {edge.jaccard:.3f} · cosine {edge.cosine:.3f}"
        if edge
        else "",
        directed=line.of_graph or line.taken is not None,
        whose=whose,
        leads=leads,
    )


def _edge_owners(cast: Cast, a: Side, b: Side) -> dict[str, EdgeWhose]:
    """Return, for each edge id, which retrieval follows or refuses it."""
    refused: dict[Whose, EdgeWhose] = {"a": "refused_a", "b": "refused_b", "both": "refused"}
    whose: dict[str, EdgeWhose] = {
        name: refused[owner] for name, owner in shared(a.refused, b.refused).items()
    }
    whose |= shared(a.followed, b.followed)
    whose |= shared(a.led, b.led) if led_by(a, b) else {}
    whose |= dict.fromkeys(a.followed.keys() & b.declined, "not_b")
    whose |= dict.fromkeys(b.followed.keys() & a.declined, "not_a")
    return {line.id: whose[line.id] for line in cast.lines}


def _leading(plot: Plot, a: Side, b: Side) -> set[int]:
    """Return the lines to draw, without those that lead back to an earlier column."""
    if ways := led_by(a, b):
        return {number for number, line in enumerate(plot.cast.lines) if line.id in ways}
    led, gold = a.first_paths | b.first_paths, {*a.refused, *b.refused, *a.declined, *b.declined}
    of, walked = plot.columns.of, not plot.spreads

    def leads_back(line: DrawnLine) -> bool:
        two = of.get(line.source, 0), of.get(line.target, 0)
        return walked and (two[0] < two[1] if line.backwards else two[0] > two[1])

    return {
        number
        for number, line in enumerate(plot.cast.lines)
        if line.id in gold or (line.id in led and not leads_back(line))
    }
