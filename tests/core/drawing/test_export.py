import csv
import io
import json
import zipfile
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

from core.drawing.export import to_csv, to_graphml, to_json
from core.types import Edge, Passage

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "</script><a href='https://example.org/'>href</a>",
    "back\\slash \\u003c {{7*7}}",
    "שלום",
    "\x00\x0b\ud800",
    "=1+1",
]
NODES = [Passage(f"p{i}", f"d{i}", i, title, f"Text: {title}") for i, title in enumerate(HOSTILE)]


def edge(id_: str, source: str, target: str, question: str = "Who?") -> Edge:
    score = np.float32(0.25)
    return Edge(id_, source, target, f"o{id_}", f"i{id_}", question, ("a", "b"), score, -score, 0.0)


EDGES = [edge("e0", "p0", "p1", HOSTILE[0]), edge("e1", "p1", "p0", "@me"), edge("e2", "p0", "x")]


def test_graphml_is_read_back() -> None:
    content = to_graphml(NODES, EDGES)
    graph = nx.read_graphml(io.BytesIO(content), force_multigraph=True)
    assert graph.is_directed()
    assert graph.nodes["p0"]["title"] == HOSTILE[0]
    assert graph.nodes["p5"]["title"] == ""
    assert set(graph.edges(keys=True)) == {("p0", "p1", "e0"), ("p1", "p0", "e1")}
    assert graph.edges["p0", "p1", "e0"]["jaccard"] == 0.25
    assert graph.edges["p0", "p1", "e0"]["keywords"] == "a; b"


def test_two_ids_that_xml_cannot_carry_stay_two() -> None:
    nodes = [Passage(id_, "d", 0, "T", "t") for id_ in ("p", "p\x00", "p\x01")]
    root = ElementTree.fromstring(to_graphml(nodes, []))
    ids = [node.get("id") for node in root.iter("{http://graphml.graphdrawing.org/xmlns}node")]
    assert ids == ["p", "p\\u0000", "p\\u0001"]


def read_csv(content: bytes, name: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def test_csv_is_two_tables_without_formulas() -> None:
    content = to_csv(NODES, EDGES)
    nodes, edges = read_csv(content, "nodes.csv"), read_csv(content, "edges.csv")
    assert [row["id"] for row in nodes] == [node.id for node in NODES]
    assert nodes[0]["title"] == HOSTILE[0]
    assert nodes[6]["title"] == "'=1+1"
    assert [row["id"] for row in edges] == ["e0", "e1"]
    assert edges[1]["question"] == "'@me"
    assert float(edges[0]["cosine"]) == -0.25


def test_csv_for_excel_begins_with_a_byte_order_mark() -> None:
    plain, marked = to_csv(NODES, EDGES), to_csv(NODES, EDGES, excel=True)
    for name in ("nodes.csv", "edges.csv"):
        with (
            zipfile.ZipFile(io.BytesIO(plain)) as one,
            zipfile.ZipFile(io.BytesIO(marked)) as other,
        ):
            assert other.read(name) == b"\xef\xbb\xbf" + one.read(name)


def test_the_same_graph_gives_the_same_bytes() -> None:
    assert to_csv(NODES, EDGES) == to_csv(NODES, EDGES)


def test_json_is_plain() -> None:
    content = json.loads(to_json(NODES, EDGES))
    assert [node["id"] for node in content["nodes"]] == [node.id for node in NODES]
    assert content["edges"][0]["keywords"] == ["a", "b"]
    assert content["edges"][0]["jaccard"] == 0.25
    assert len(content["edges"]) == 2


@pytest.mark.parametrize("export", [to_graphml, to_csv, to_json])
def test_an_empty_graph_is_a_file_too(export: object) -> None:
    assert callable(export)
    assert export([], [])
