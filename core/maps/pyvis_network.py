"""The first picture of a map as PyVis describes it: nodes at fixed places, edges, and options.

No text of a corpus is given to PyVis: it writes titles, headings and menus as HTML.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from core.maps.map_data import MapData

MOST_NODES = 300
"""Nodes that are drawn at once."""
_MOST_EDGES = 420
_SHRUNK = 0.62  # the dot of a region, of the radius of its disc
OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "nodes": {"shape": "dot", "font": {"size": 0}, "borderWidth": 1.3, "chosen": True},
    "edges": {"smooth": False, "chosen": False, "selectionWidth": 0, "hoverWidth": 0},
    "interaction": {
        "hover": True,
        "tooltipDelay": 10**9,
        "keyboard": {"enabled": False},
        "multiselect": False,
        "selectConnectedEdges": False,
        "hoverConnectedEdges": False,
        "dragNodes": False,
        "zoomSpeed": 0.7,
    },
}


class NetworkData(TypedDict):
    """The input of vis-network."""

    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    options: dict[str, Any]


def network(data: MapData) -> Any:
    """Return a `pyvis.network.Network`: all passages if they are few, or else the regions.

    A passage is called by its vertex number, region r by -r - 1.
    """
    from pyvis.network import Network  # only here, as it imports IPython

    made = Network(
        height="100%", width="100%", directed=False, cdn_resources="in_line", notebook=False
    )
    regions, units = data["regions"], data["units"]
    few = "title" in units and len(units["x"]) <= MOST_NODES
    if few:
        for unit, (x, y, radius) in enumerate(
            zip(units["x"], units["y"], units["radius"], strict=True)
        ):
            made.add_node(unit, label=" ", x=x, y=y, size=radius)
    else:
        for region in _tops(data):
            size = regions["radius"][region] * _SHRUNK
            at = {"x": regions["x"][region], "y": regions["y"][region]}
            made.add_node(-region - 1, label=" ", size=size, **at)
    for (source, target), edges in _connections(data, few):
        made.add_edge(source, target, edges=edges)
    made.set_options(json.dumps(OPTIONS))
    return made


def network_data(data: MapData) -> NetworkData:
    """Return the nodes, edges and options of `network`, as the component mounts them."""
    nodes, edges, _, _, _, options = network(data).get_network_data()
    for node in nodes:
        node.pop("label")
    for number, edge in enumerate(edges):
        edge["id"] = f"first {number}"
    return NetworkData(nodes=nodes, edges=edges, options=json.loads(options))


@cache
def library() -> str:
    """Return the script of vis-network that comes with PyVis."""
    import pyvis

    folder = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2"
    return (folder / "vis-network.min.js").read_text(encoding="utf-8")


def _tops(data: MapData) -> list[int]:
    return [n for n, parent in enumerate(data["regions"]["parent"]) if parent == 0] or [0]


def _connections(data: MapData, few: bool) -> list[tuple[tuple[int, int], int]]:
    """Pairs of nodes with the number of edges between them, most first."""
    edges = data["edges"]
    if few:
        node = list(range(len(data["units"]["x"])))
    else:
        parents, top = data["regions"]["parent"], [0] * len(data["regions"]["parent"])
        for number, parent in enumerate(parents):
            top[number] = number if parent <= 0 else top[parent]
        node = [-top[region] - 1 for region in data["units"]["region"]]
    sums: Counter[tuple[int, int]] = Counter()
    counts = edges.get("count") or [1] * len(edges["source"])
    for source, target, count in zip(edges["source"], edges["target"], counts, strict=True):
        one, other = sorted((node[source], node[target]))
        if one != other:
            sums[one, other] += count
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_EDGES]
