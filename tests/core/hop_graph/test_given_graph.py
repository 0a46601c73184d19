"""A graph made elsewhere: read, matched to passages, and walked like any other."""

import gzip
import json
from pathlib import Path

import networkx as nx
import pytest

from core.corpus.types import Corpus
from core.errors import FileRejected, InputError
from core.hop_graph.given_graph import GivenGraph, matched
from core.hop_graph.graph_files import Link, read_graph
from core.indexing.updates import add, build
from core.jobs.made_elsewhere import stored_made
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, silent

IDS = [made.id for made in DOCUMENTS]
ROWS = [
    {"source": IDS[0], "target": DOCUMENTS[1].title, "question": "Who built it?", "weight": 0.5},
    {"source": IDS[1], "target": IDS[2], "question": "", "weight": 0.25},
    {"source": "nobody", "target": IDS[2]},
    {"source": IDS[2], "target": IDS[2]},
    {"source": IDS[0], "target": IDS[1], "question": "A weaker one?", "weight": 0.1},
]


def written(folder: Path, content: str | bytes, name: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def jsonl(*rows: object) -> str:
    return "\n".join(map(json.dumps, rows))


def table(rows, separator: str) -> str:
    columns = ("source", "target", "question", "weight")
    lines = [separator.join(str(row.get(name, "")) for name in columns) for row in rows]
    return "\n".join([separator.join(columns), *lines])


def graphml(rows, kind=nx.MultiDiGraph) -> bytes:
    graph = kind()
    for row in rows:
        values = {key: value for key, value in row.items() if key in ("question", "weight")}
        graph.add_edge(row["source"], row["target"], **values)
    return "\n".join(nx.generate_graphml(graph)).encode()


def graph_of(folder: Path, content: str | bytes = "", name: str = "edges.jsonl") -> GivenGraph:
    path = written(folder, content or jsonl(*ROWS), name)
    return GivenGraph(f"graph:{name}", read_graph(path, name))


def indexed(folder: Path, maker: GivenGraph) -> Index:
    build(folder / "i", Corpus(DOCUMENTS, ()), WordEmbedder(), silent, maker=maker)
    return Index.open(folder / "i")


def edges_of(index: Index) -> list[tuple[str, str, str, float]]:
    return sorted(
        (edge.source, edge.target, edge.question, edge.similarity)
        for name in index.ids
        for edge in index.graph.out_edges(name)
    )


NO_QUESTION = f"No question; leads to '{DOCUMENTS[2].title}'"
EXPECTED = sorted([(IDS[0], IDS[1], "Who built it?", 0.5), (IDS[1], IDS[2], NO_QUESTION, 0.25)])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("edges.jsonl", jsonl(*ROWS)),
        ("edges.json", json.dumps(ROWS)),
        ("edges.csv", table(ROWS, ",")),
        ("edges.tsv", table(ROWS, "\t")),
        ("edges.jsonl.gz", gzip.compress(jsonl(*ROWS).encode())),
        ("graph.graphml", graphml(ROWS)),
    ],
)
def test_edges_of_a_file_are_the_edges_of_the_index(tmp_path: Path, name, content) -> None:
    told: list[str] = []
    graph = read_graph(written(tmp_path, content, name), name)
    index = indexed(tmp_path, GivenGraph(f"graph:{name}", graph, told.extend))
    assert edges_of(index) == EXPECTED
    assert index.meta.maker == f"graph:{name}"
    assert index.meta.counts.fallbacks == 0
    assert told == [
        "2 edges, from 3 of 5 passages",
        "Nodes that do not match exactly one passage by id or title: 1 ('nobody'), so 1 of "
        "the file's edges are left out",
        "Edges from a passage to itself, left out: 1",
        "Weaker edges between the same passages, left out: 1",
        "Edges without a question, for which the target's title is embedded: 1",
    ]


def test_an_undirected_graph_has_edges_both_ways(tmp_path: Path) -> None:
    graph = read_graph(written(tmp_path, graphml(ROWS[:1], nx.Graph), "g.graphml"), "g.graphml")
    assert [(link.source, link.target) for link in graph.links] == [
        (IDS[0], DOCUMENTS[1].title),
        (DOCUMENTS[1].title, IDS[0]),
    ]


def test_nodes_of_graphml_match_by_their_titles(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    for number, made in enumerate(DOCUMENTS[:2]):
        graph.add_node(number, label=made.title)
    graph.add_edge(0, 1)
    data = "\n".join(nx.generate_graphml(graph))
    index = indexed(tmp_path, graph_of(tmp_path, data, "g.graphml"))
    assert [edge[:2] for edge in edges_of(index)] == [(IDS[0], IDS[1])]


def test_weights_above_one_are_scaled(tmp_path: Path) -> None:
    rows = [
        {"source": IDS[0], "target": IDS[1], "weight": 4},
        {"source": IDS[1], "target": IDS[2], "weight": "1"},
    ]
    index = indexed(tmp_path, graph_of(tmp_path, jsonl(*rows)))
    assert sorted(edge[3] for edge in edges_of(index)) == [1 / 4, 4 / 4]


def test_a_title_of_several_passages_matches_none(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, jsonl({"source": "Two", "target": IDS[0]}))
    twice = [Document("a", "Two", "One.", "f"), Document("b", "Two", "Another.", "f")]
    with pytest.raises(InputError, match="joins two passages: its nodes"):
        build(tmp_path / "i", Corpus((*DOCUMENTS, *twice), ()), WordEmbedder(), silent, maker=graph)


def test_adding_documents_keeps_the_graph(tmp_path: Path) -> None:
    index = indexed(tmp_path, graph_of(tmp_path))
    (tmp_path / "edges.jsonl").unlink()
    maker = stored_made(index.meta.maker, tmp_path / "i")
    new = Document("brewery", "Ash Brewery", "Ash Brewery belongs to Mara Quist.", "b.txt")
    add(tmp_path / "i", Corpus((new,), ()), WordEmbedder(), silent, maker=maker)
    index = Index.open(tmp_path / "i")
    assert len(index.ids) == len(DOCUMENTS) + 1
    assert edges_of(index) == EXPECTED


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", jsonl({"source": "a"}), "record 1 has no target; name its columns"),
        ("a.jsonl", jsonl({"source": [1], "target": "b"}), "record 1 has no source"),
        ("a.jsonl", jsonl({"source": "a", "target": "b", "weight": -1}), "record 1: its weight"),
        ("a.jsonl", '{"source": "a", "target": "b", "weight": NaN}', ""),
        ("a.jsonl", jsonl({"source": "a", "target": "b", "weight": 10**400}), "record 1: its w"),
        ("a.jsonl", jsonl({"source": "a", "target": "b", "question": 7}), "record 1: its quest"),
        ("a.jsonl", "{", "invalid JSON"),
        ("a.csv", "from,to\na,b\n", "record 1 has no source"),
        ("a.csv", b"\xff\xfe\x00\xd8", ""),
        ("a.jsonl", "", "it is empty"),
        ("a.txt", "a b", "a graph is GraphML, or a table"),
        ("a.graphml", "<graphml", "it is not readable GraphML"),
        ("a.graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "it declares entities"),
        ("a.graphml", graphml([]), "it has no edges"),
        ("a.jsonl.gz", gzip.compress(b"x", mtime=0)[:-4], "the gzip file is incomplete"),
    ],
)
def test_files_that_are_no_graphs(tmp_path: Path, name: str, content, reason: str) -> None:
    if reason:
        with pytest.raises(FileRejected) as error:
            read_graph(written(tmp_path, content, name), name)
        assert error.value.reason.startswith(reason)
        assert "\n" not in str(error.value)
        return
    try:
        found = read_graph(written(tmp_path, content, name), name)
    except FileRejected:
        return
    assert found.links == (Link("a", "b"),)  # null is no weight


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path, Path("a\0b.csv")):
        with pytest.raises(FileRejected, match="could not be opened"):
            read_graph(path, "none.csv")


def test_ids_go_before_titles() -> None:
    from core.hop_graph.graph_files import GraphFile
    from core.types import Passage

    passages = [Passage("a", "a", 0, "b", "One."), Passage("b", "b", 0, "c", "Two.")]
    assert matched(GraphFile((Link("b", "a"),)), passages).links == (Link("b", "a"),)
    assert matched(GraphFile((Link("c", "a"),)), passages).links == (Link("b", "a"),)
