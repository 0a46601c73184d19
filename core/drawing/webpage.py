"""A graph as one HTML file that needs nothing else: no server, no network, no library.

PyVis makes the drawing. What it would take from a content delivery network is cut out, and it is
given no text that it would turn into HTML: titles and texts travel as JSON in a script block and
reach the page by `textContent` only (`assets/graph/standalone.js`).
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from pyvis.network import Network

from core.drawing.layout import Place, around
from core.drawing.rows import edge_row, inside
from core.settings import ASSETS
from core.types import Edge, Passage

CAP = 1000
"""Passages that a browser still draws at once; beyond, it is a hairball anyway."""
BOOTSTRAP = re.compile(
    r'<link\s+href="https://cdn\.jsdelivr\.net/npm/bootstrap[^>]*/>'
    r'|<script\s+src="https://cdn\.jsdelivr\.net/npm/bootstrap[^>]*></script>',
    re.DOTALL,
)
REMOTE = re.compile(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""")
# Should a text ever become markup after all, the browser still loads and sends nothing.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
# What the application's own drawing is made of draws the page too, so that both look the same.
SCRIPTS = ("shapes.js", "looks.js", "labels.js", "network.js", "standalone.js")


def to_html(
    nodes: Sequence[Passage],
    edges: Sequence[Edge],
    positions: Mapping[str, Place] | None = None,
    *,
    title: str = "HopRAG graph",
    total: int | None = None,
    centres: Collection[str] = (),
    gold: Collection[str] = (),
    raised: Mapping[str, str] | None = None,
) -> bytes:
    """A page with the drawing, a legend, and a panel for what is clicked; UTF-8.

    Parameters
    ----------
    nodes : the first `CAP` are drawn and the page says how many there are.
    positions : places in pixels; laid out here when one of the drawn passages has none.
    total : how many passages there are in all, when that is more than `nodes`.
    centres : passages picked out in amber.
    gold : passages drawn as stars.
    raised : texts of out-coming questions by id, shown with the edges that they made.
    """
    shown = nodes[:CAP]
    kept = inside(shown, edges)
    ids = [node.id for node in shown]
    if positions is None or any(id_ not in positions for id_ in ids):
        links = [(edge.source, edge.target) for edge in kept]
        positions = around([*islice(centres, 1), *ids[:1]], ids, links)
    number = {id_: i for i, id_ in enumerate(ids)}
    data = {
        "title": title,
        "total": max(total or 0, len(nodes)),
        "nodes": [_node(node, positions[node.id], centres, gold) for node in shown],
        "edges": [
            {
                **edge_row(edge, raised or {}),
                "source": number[edge.source],
                "target": number[edge.target],
            }
            for edge in kept
        ],
    }
    page = _drawing(shown, kept, positions, number)
    page = page.replace("<head>", "<head>\n" + _policy(), 1).replace(
        "</head>", _style() + "</head>", 1
    )
    end = page.rindex("</body>")
    return (page[:end] + _script(data) + page[end:]).encode("utf-8", "replace")


def _drawing(
    nodes: Sequence[Passage],
    edges: Sequence[Edge],
    positions: Mapping[str, Place],
    number: Mapping[str, int],
) -> str:
    network = Network(height="100%", directed=True, cdn_resources="in_line", bgcolor="transparent")
    for node in nodes:
        x, y = positions[node.id]
        # PyVis writes the id where a label is empty; ours are written by the page's script.
        network.add_node(number[node.id], label=" ", x=float(x), y=float(y))
    for i, edge in enumerate(edges):
        network.add_edge(number[edge.source], number[edge.target], id=i)
    network.toggle_physics(False)
    page = BOOTSTRAP.sub("", network.generate_html())
    _require_offline(page)
    return "<!DOCTYPE html>\n" + page


def _require_offline(page: str) -> None:
    # The markup only: the library's own text and the labels' JSON may well name an address.
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    if found := REMOTE.search(markup):
        raise ValueError(f"PyVis refers to another host: {markup[found.start() :][:80]}")


def _node(
    node: Passage, place: Place, centres: Collection[str], gold: Collection[str]
) -> dict[str, Any]:
    return {
        "id": node.id,
        "title": node.title,
        "text": node.text,
        "role": "current" if node.id in centres else "visited",
        "gold": node.id in gold,
        "x": float(place[0]),
        "y": float(place[1]),
    }


def _policy() -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'


def _style() -> str:
    width = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f"{width}\n<style>{_asset('standalone.css')}</style>\n"


def _script(data: Mapping[str, Any]) -> str:
    # A text cannot end the script block that carries it.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    code = "\n".join(_asset(name) for name in SCRIPTS)
    # In a block of its own: PyVis has global names too.
    return (
        f'<script type="application/json" id="graph-data">{text}</script>\n'
        f"<script>(() => {{\n{code}\n}})();</script>\n"
    )


@cache
def _asset(name: str) -> str:
    return (ASSETS / "graph" / name).read_text(encoding="utf-8")
