"""The drawing data of a view, and its export files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.drawing.export import to_csv, to_graphml, to_json
from core.explore.between import Way, edges_between, shortest_way
from core.explore.columns import neighbourhood_data
from core.explore.contract import NeighbourhoodData
from core.explore.focus import Focus, select_focus
from core.explore.neighbourhood import NO_LIMIT, Neighbourhood
from core.explore.view import View, explore
from core.explore.webpage import to_html
from core.marks import NO_GOLD
from core.marks.gold_signs import Marked
from core.store.index import Index
from core.text.display.plurals import number
from core.types import Edge
from pages.components.explore.graph_component import save_picture
from pages.components.explore.state import Picked
from pages.components.passages.gold import GoldMarks
from pages.components.shell.formatting import cropped

_NAMED = 60  # passages of which a picture has room for all names


@dataclass(frozen=True, slots=True)
class Pair:
    """Two compared passages; `way` is a path between them, None if there is none."""

    held: str
    picked: str
    edges: tuple[Edge, ...]
    way: Way | None


@dataclass(frozen=True, slots=True)
class Shown:
    """The data of the page: `found` is the neighbourhood, `seen` the part of it that is drawn."""

    view: View
    found: Neighbourhood
    seen: Focus
    gold: Mapping[str, Marked]
    data: NeighbourhoodData


def neighbours(index: Index, view: View) -> Neighbourhood:
    """Return the passages and edges of `view`, computed once for all sessions."""
    return _neighbours(index, f"{index.path} {index.meta.finished_at}", view)


@st.cache_resource(max_entries=100, show_spinner="Looking for neighbours…")
def _neighbours(_index: Index, version: str, view: View) -> Neighbourhood:  # noqa: ARG001
    return explore(view, _index.graph.leaving, _index.graph.arriving)


def pair_of(index: Index, held: str, chosen: Picked | None) -> Pair | None:
    """Return the edges or the path between the held and the selected passage, if there are two."""
    if not held or chosen is None or chosen.kind != "node" or chosen.id == held:
        return None
    edges = tuple(edges_between(index.graph, held, chosen.id))
    way = (
        Way((held, chosen.id), edges)
        if edges
        else shortest_way(index.graph, index.number, held, chosen.id)
    )
    return Pair(held, chosen.id, edges, way)


def view_data(
    index: Index, view: View, marks: GoldMarks | None, held: str, pair: Pair | None
) -> Shown:
    """Return the drawing data of `view`."""
    found = _with_path(neighbours(index, view), pair)
    gold = marks.among(map(index.passage, found.nodes)) if marks else frozenset()
    between = pair.way.passages if pair and pair.way else ()
    wanted = (*sorted(gold), held, *between)
    seen = select_focus(view, found, wanted)
    said = marks.now() if marks else NO_GOLD
    told: dict[str, Marked] = {name: said.author_of(name) for name in gold}
    drawn = neighbourhood_data(
        index.titled,
        view,
        found,
        seen,
        gold=told,
        raised=lambda edge: index.graph.spoken(index.graph.pseudo_query(edge.out_query_id)),
        held=held,
        way=pair.way if pair else None,
        title=f"{_title(index, view.centre, 200)} in {index.name}",
        note=_graph_summary(index, view, found, seen, pair),
    )
    return Shown(view, found, seen, told, drawn)


def _with_path(found: Neighbourhood, pair: Pair | None) -> Neighbourhood:
    """Return `found` with the passages and edges of the path between the compared passages."""
    if pair is None or pair.way is None or not {pair.held, pair.picked} & set(found.nodes):
        return found
    nodes = tuple(dict.fromkeys((*found.nodes, *pair.way.passages)))
    edges = {edge.id: edge for edge in (*found.edges, *pair.way.edges)}
    more = len(nodes) - len(found.nodes)
    return Neighbourhood(nodes, tuple(edges.values()), found.found + more)


def _title(index: Index, passage_id: str, length: int = 80) -> str:
    passage = index.titled(passage_id)
    return cropped(passage.title or passage.id, length)


def _graph_summary(
    index: Index, view: View, found: Neighbourhood, seen: Focus, pair: Pair | None
) -> str:
    """Describe how many of the neighbouring passages the graph shows."""
    if len(found.nodes) == 1:
        return _no_edges_message(index, view)
    opened = sum(name in found.nodes for name in dict.fromkeys(view.opened))
    more = f" or next to {number(opened, 'expanded passage')}" if opened else ""
    between = " or between the two" if pair and pair.way else ""
    there = (
        f"{found.found:,} of {number(len(index.passages), 'passage')} within "
        f"{number(view.hops, 'hop')} of {_title(index, view.centre, 40)}{more}{between}"
    )
    counted = len(found.nodes) - len(seen.drawn)
    left = found.found - len(found.nodes)
    hover = " Hover over a passage for its title." if len(seen.drawn) > _NAMED else ""
    if not counted and not left:
        return f"{there}: all drawn.{hover}"
    told = [
        f"{len(seen.drawn):,} drawn",
        f"{counted:,} behind + boxes" if counted else "",
        f"{left:,} not drawn" if left else "",
    ]
    return f"{there}: {', '.join(filter(None, told))}.{hover}"


def _no_edges_message(index: Index, view: View) -> str:
    """Explain why no edges are shown at the centre, and how to show more."""
    title = _title(index, view.centre, 40)
    if not [*index.graph.out_edges(view.centre), *index.graph.in_edges(view.centre)]:
        return f"{title} has no edges. Choose another passage, or search."
    which = {"both": "", "in": " leads to it", "out": " leaves it"}[view.way]
    least = (
        f" with a similarity of {view.min_similarity:.2f} or more"
        if view.min_similarity > NO_LIMIT
        else ""
    )
    mend = "lower the minimum similarity" if least else "choose Both"
    return f"{title}: no edge{which}{least}. To see more, {mend}."


def exports(index: Index, now: Shown) -> None:
    """Draw the buttons that export the view; a file is written only when it is requested."""
    nodes = [index.titled(passage_id) for passage_id in now.seen.drawn]

    def raised() -> dict[str, str]:
        made = (query for node in nodes for query in index.graph.pseudo_queries(node.id))
        return {query.id: index.graph.spoken(query) for query in made if query.direction == "out"}

    def table(make: Callable[..., bytes]) -> bytes:
        return make(nodes, now.found.edges, raised())

    files: Sequence[tuple[str, str, str, Callable[[], bytes]]] = (
        ("Web page (.html)", "html", "text/html", lambda: to_html(now.data)),
        ("GraphML", "graphml", "application/xml", partial(table, to_graphml)),
        ("JSON", "json", "application/json", partial(table, to_json)),
        ("CSV (two files, zipped)", "csv.zip", "application/zip", partial(table, to_csv)),
        (
            "CSV for Excel (two files, zipped)",
            "excel.csv.zip",
            "application/zip",
            partial(table, partial(to_csv, excel=True)),
        ),
    )
    with st.popover("Export"):
        for label, ending, mime, made in files:
            st.download_button(
                label,
                made,
                file_name=f"{index.name}-graph.{ending}",
                mime=mime,
                key=f"explore_export_{ending.replace('.', '_')}",
                on_click="ignore",
                width="stretch",
            )
        st.button(
            "Picture (.png)", key="explore_export_png", on_click=save_picture, width="stretch"
        )
        st.caption("Every file contains the passages and edges drawn now.")
