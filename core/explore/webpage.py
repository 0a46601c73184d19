"""A scene as one HTML file that needs nothing else: no server, no network, no library.

It is drawn by the scripts that draw it on the screen. Titles and texts travel as JSON in a script
block and reach the page by `textContent` only.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from core.drawing.offline import page
from core.explore.assets import PAGE, script, style
from core.explore.scene import SceneData, overview
from core.types import Edge, Passage

CAP = 1000
"""Passages that a browser still draws at once; beyond, it is a hairball anyway."""
BODY = """<header><h1 dir="auto"></h1><p class="note"></p></header>
<main><div class="explore"></div><aside class="panel" aria-live="polite"></aside></main>"""


def to_html(scene: SceneData) -> bytes:
    """A page with the drawing, its legend, and a panel for what is clicked; UTF-8."""
    title = f"{scene['title']} · HopRAG graph"
    return page(title, BODY, scene, script=script(PAGE), style=style("page"))


def graph_to_html(
    passages: Sequence[Passage], edges: Sequence[Edge], raised: Mapping[str, str], title: str
) -> bytes:
    """The page of a whole graph; of more than `CAP` passages those with most edges.

    `raised` has the texts of out-coming questions by id.
    """
    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    shown = sorted(passages, key=lambda passage: -degree[passage.id])[:CAP]
    most = f" The {CAP:,} with most edges are drawn." if len(shown) < len(passages) else ""
    note = f"{len(shown):,} of {len(passages):,} passages.{most}"
    return to_html(
        overview(shown, edges, lambda e: raised.get(e.out_query_id, ""), title=title, note=note)
    )
