import csv
import io
import json
import re
import zipfile
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

from core.drawing.export import to_csv, to_graphml, to_html, to_json
from core.drawing.webpage import CAP
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


def test_the_same_graph_gives_the_same_bytes() -> None:
    assert to_csv(NODES, EDGES) == to_csv(NODES, EDGES)


def test_json_is_plain() -> None:
    content = json.loads(to_json(NODES, EDGES))
    assert [node["id"] for node in content["nodes"]] == [node.id for node in NODES]
    assert content["edges"][0]["keywords"] == ["a", "b"]
    assert content["edges"][0]["jaccard"] == 0.25
    assert len(content["edges"]) == 2


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="graph-data">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_html_loads_nothing_and_carries_texts_as_data_only() -> None:
    raw = to_html(NODES, EDGES, {node.id: (i * 10.0, 0.0) for i, node in enumerate(NODES)})
    page = raw.decode()
    assert "bootstrap" not in page
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=", re.sub("<!--.*?-->", "", markup, flags=re.DOTALL))
    assert "alert(1)" not in markup
    assert page.count("alert(1)</script>") == 0
    data = data_of(page)
    nodes, edges = data["nodes"], data["edges"]
    assert isinstance(nodes, list)
    assert isinstance(edges, list)
    assert [node["title"] for node in nodes[:5]] == HOSTILE[:5]
    assert [node["x"] for node in nodes] == [i * 10.0 for i in range(len(NODES))]
    assert [(edge["source"], edge["target"]) for edge in edges] == [(0, 1), (1, 0)]


def test_html_shows_the_question_that_was_raised() -> None:
    page = to_html(NODES, EDGES, raised={"oe0": "What <b>is</b> it?"}).decode()
    edges = data_of(page)["edges"]
    assert isinstance(edges, list)
    assert [edge["raised"] for edge in edges] == ["What <b>is</b> it?", ""]


def test_html_of_a_big_graph_is_capped_and_says_of_how_many() -> None:
    many = [Passage(f"p{i}", "d", i, f"T{i}", "t") for i in range(CAP + 5)]
    data = data_of(to_html(many, [], {node.id: (0.0, 0.0) for node in many}, total=5000).decode())
    nodes = data["nodes"]
    assert isinstance(nodes, list)
    assert len(nodes) == CAP
    assert data["total"] == 5000


@pytest.mark.parametrize("export", [to_graphml, to_csv, to_json, to_html])
def test_an_empty_graph_is_a_file_too(export: object) -> None:
    assert callable(export)
    assert export([], [])
