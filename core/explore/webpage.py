"""A graph as one HTML file that needs nothing else: no server, no network, no library.

It is drawn by the script that draws it on the screen. Titles and texts travel as JSON in a script
block and reach the page by `textContent` only.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from core.bundles import bundle, style
from core.drawing.offline import page
from core.explore.columns import edge_data, passage_data
from core.explore.contract import GraphData, NeighbourhoodData
from core.text.display.plurals import number
from core.types import Edge, Passage
from core.walkthroughs.assets import WEBPAGE

CAP = 1000
"""Passages of a page, whose texts it holds all."""
BODY = """<header><h1 dir="auto"></h1><p class="note"></p></header>
<main><div class="panes explore"></div><aside class="panes panel" aria-live="polite"></aside></main>
"""


def to_html(data: NeighbourhoodData | GraphData) -> bytes:
    """Return a page with the drawing, its legend, and a panel for what is selected, in UTF-8."""
    title = f"{data['title']} · HopRAG graph"
    return page(title, BODY, data, script=bundle(WEBPAGE), style=style(WEBPAGE))


def graph_to_html(
    passages: Sequence[Passage], edges: Sequence[Edge], raised: Mapping[str, str], title: str
) -> bytes:
    """Return the page of a whole graph, which opens at the passage with most edges.

    Of more than `CAP` passages it has those with most edges. `raised` has the texts of out-coming
    questions by id.
    """
    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    kept = sorted(passages, key=lambda passage: -degree[passage.id])[:CAP]
    names = {passage.id for passage in kept}
    most = f" Limited to the {CAP:,} with the most edges." if len(kept) < len(passages) else ""
    return to_html(
        GraphData(
            title=title,
            note=f"{len(kept):,} of {number(len(passages), 'passage')}.{most}",
            start=kept[0].id if kept else "",
            passages=[passage_data(passage, "", "neighbour", 0) for passage in kept],
            edges=[
                edge_data(edge, raised.get(edge.out_query_id, ""), "tree", 0)
                for edge in edges
                if {edge.source, edge.target} <= names
            ],
        )
    )
