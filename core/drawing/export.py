"""A graph as a file: GraphML, CSV, JSON. `core.explore.webpage` makes a web page of one.

Every export leaves out edges that have an end outside the given passages. Numbers are plain
floats, so that nothing of numpy reaches a file. `raised` has the texts of out-coming questions by
id, which an edge only names.
"""

import codecs
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import networkx as nx

from core.drawing.rows import EDGE_COLUMNS, NODE_COLUMNS, Cell, edge_row, inside, node_row
from core.types import Edge, Passage

NONE: Mapping[str, str] = MappingProxyType({})

# https://www.w3.org/TR/xml/#charsets
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_graphml(
    nodes: Sequence[Passage], edges: Sequence[Edge], raised: Mapping[str, str] = NONE
) -> bytes:
    """Return a directed GraphML document. Characters that XML cannot carry are dropped from
    texts.
    """
    graph = nx.MultiDiGraph()
    for node in nodes:
        graph.add_node(_xml_id(node.id), **_xml_safe_attributes(node_row(node)))
    for edge in inside(nodes, edges):
        ends = _xml_id(edge.source), _xml_id(edge.target)
        graph.add_edge(*ends, key=_xml_id(edge.id), **_xml_safe_attributes(edge_row(edge, raised)))
    out = io.BytesIO()
    nx.write_graphml(graph, out)
    return out.getvalue()


def to_csv(
    nodes: Sequence[Passage],
    edges: Sequence[Edge],
    raised: Mapping[str, str] = NONE,
    *,
    excel: bool = False,
) -> bytes:
    """Return a zip of `nodes.csv` and `edges.csv`, as `nodes_csv` and `edges_csv` make them.

    Parameters
    ----------
    excel : whether they are for Excel (`for_excel`).
    """
    tables = {"nodes.csv": nodes_csv(nodes), "edges.csv": edges_csv(nodes, edges, raised)}
    if excel:
        tables = {name: for_excel(table) for name, table in tables.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in tables.items():
            # A fixed date: the same graph gives the same bytes.
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, table)
    return out.getvalue()


def nodes_csv(nodes: Sequence[Passage]) -> bytes:
    """Return a table of passages, UTF-8 with a heading.

    A text that a spreadsheet would run as a formula is given an apostrophe in front.
    """
    return written_csv(NODE_COLUMNS, map(node_row, nodes))


def edges_csv(
    nodes: Sequence[Passage], edges: Sequence[Edge], raised: Mapping[str, str] = NONE
) -> bytes:
    """Return a table of the edges between `nodes`, made like `nodes_csv`."""
    return written_csv(EDGE_COLUMNS, (edge_row(edge, raised) for edge in inside(nodes, edges)))


def to_json(
    nodes: Sequence[Passage], edges: Sequence[Edge], raised: Mapping[str, str] = NONE
) -> bytes:
    """`{"nodes": [...], "edges": [...]}`, UTF-8; an edge's keywords are a list."""
    content = {
        "nodes": [node_row(node) for node in nodes],
        "edges": [
            {**edge_row(edge, raised), "keywords": list(edge.keywords)}
            for edge in inside(nodes, edges)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _xml_safe_attributes(row: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return the row without characters that XML forbids and without `id`, which GraphML stores
    as the key of the node or edge.
    """
    return {
        name: NOT_XML.sub("", value) if isinstance(value, str) else value
        for name, value in row.items()
        if name != "id"
    }


def _xml_id(id_: str) -> str:
    """Escape characters that XML forbids. Dropping them could make two ids equal."""
    return NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", id_)


def written_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> bytes:
    """Return a table in which no cell can begin a formula."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _harmless(value) for name, value in row.items()})
    return out.getvalue().encode("utf-8", "replace")


def for_excel(table: bytes) -> bytes:
    """Return a table of `written_csv` with a byte order mark,
    without which Excel misreads UTF-8.
    """
    return codecs.BOM_UTF8 + table


def _harmless(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
