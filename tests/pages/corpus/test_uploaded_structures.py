"""Vectors, pseudo-queries and graphs made elsewhere, on the Corpus and Build pages."""

import json
import pickle
from pathlib import Path

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.store.extraction_table import stored_extraction
from core.store.index import Index
from core.store.schema import passage_text
from tests.core.fakes import WordEmbedder
from tests.pages.corpus.test_corpus import CORPUS, jsonl, upload
from tests.pages.journeys import checked, opened, words

ASKED = [
    {"passage": "p1", "in": ["Where does the Ash meet the sea?"], "out": ["When was Selby built?"]},
    {"passage": "Selby", "in": ["When was Selby built?"]},
]
EDGES = """source,target,question,weight
Ash,Selby,When was Selby founded?,0.7
Selby,p1,,
X,Ash,,
"""


def said(app: AppTest) -> str:
    """Captions, errors and warnings without Markdown's escapes."""
    found = [each.value for kind in (app.caption, app.error, app.warning) for each in kind]
    return "\n".join(found).replace("\\", "")


def with_maker(kind: str, name: str, content: bytes) -> AppTest:
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    app.radio(key="corpus_maker").set_value(kind).run()
    assert app.button(key="corpus_build").disabled
    given = (name, content, "application/octet-stream")
    app.file_uploader(key=f"corpus_made_{kind.rstrip(':')}").set_value(given)
    return checked(app.run())


def built(app: AppTest, started: list[jobs.Job]) -> Index:
    checked(app.button(key="corpus_build").click().run())
    return Index.open(started[-1].index)


def edges_of(index: Index) -> list[tuple[str, str, str]]:
    return [
        (edge.source, edge.target, edge.question)
        for name in index.ids
        for edge in index.graph.out_edges(name)
    ]


def test_a_graph_is_previewed_and_built(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    app = with_maker("graph:", "../my edges.csv", EDGES.encode())
    shown = said(app)
    assert "2 edges, from 2 of 2 passages" in shown
    assert "Nodes that do not match exactly one passage by id or title: 1 ('X')" in shown
    assert "Edges without a question, for which the target's title is embedded: 1" in shown
    assert any(
        "no question" in frame.value.get("Question", []).tolist()
        for frame in app.dataframe
        if "Question" in frame.value
    )
    index = built(app, inline_jobs)
    assert edges_of(index) == [
        ("p1", "p2", "When was Selby founded?"),
        ("p2", "p1", "No question; leads to 'Ash'"),
    ]
    assert index.meta.maker == "graph:../my edges.csv"
    assert "edges from ../my edges.csv" in words(opened("build", index=index.name))
    (path,) = (tiny_home / "uploads").rglob("made-*")
    assert path in jobs.recorded_files(index.path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("asked.jsonl", jsonl(ASKED)),
        (
            "node2questiondict.pkl",
            pickle.dumps(
                {
                    (n, f"{row['title']}.txt"): (
                        {"text": row["text"]},
                        {
                            "answerable": [(q, set(), []) for q in asked["in"]],
                            "pending": [(q, set(), []) for q in asked.get("out", [])],
                        },
                    )
                    for n, (row, asked) in enumerate(zip(CORPUS, ASKED, strict=True))
                }
            ),
        ),
    ],
)
def test_pseudo_queries_of_a_file_are_previewed_and_built(
    tiny_home: Path, inline_jobs: list[jobs.Job], name: str, content: bytes
) -> None:
    app = with_maker("file:", name, content)
    assert "The file has pseudo-queries for 2 of 2 passages: 2 in-questions and 1" in said(app)
    index = built(app, inline_jobs)
    assert edges_of(index) == [("p1", "p2", "When was Selby built?")]
    assert f"pseudo-queries from {name}" in words(opened("build", index=index.name))


def test_a_file_that_cannot_be_read_is_told_and_nothing_is_built(tiny_home: Path) -> None:
    app = with_maker("graph:", "a.graphml", b"<graphml")
    assert "it is not readable GraphML" in said(app)
    assert app.button(key="corpus_build").disabled
    app = checked(app.button(key="corpus_made_graph_remove").click().run())
    assert not app.error
    empty = nx.DiGraph()
    empty.add_node("a")
    app = with_maker("graph:", "a.graphml", "".join(nx.generate_graphml(empty)).encode())
    assert "it has no edges" in said(app)


def test_documents_with_vectors_stay_whole(tiny_home: Path, inline_jobs: list[jobs.Job]) -> None:
    texts = [passage_text(str(row["title"]), str(row["text"])) for row in CORPUS]
    vectors = WordEmbedder().encode(texts)
    rows = [{**row, "vector": one.tolist()} for row, one in zip(CORPUS, vectors, strict=True)]
    app = upload(opened("corpus"), ("own.jsonl", jsonl(rows)))
    assert "2 documents have a vector of 16 dimensions" in said(app)
    assert "corpus_kind" not in app.session_state
    index = built(app, inline_jobs)
    assert index.meta.chunking == "as-is"
    shown = said(opened("build", index=index.name))
    assert "Supplied vectors for 2 passages, from own.jsonl" in shown
    assert "the mean cosine is 1.00" in shown


def test_a_bad_vector_is_told_with_its_record(tiny_home: Path) -> None:
    rows = [{**row, "vector": [0.0, 0.0]} for row in CORPUS]
    app = upload(opened("corpus"), ("own.jsonl", json.dumps(rows[0]).encode()))
    assert "record 1: its vector is zero" in words(app)


def test_entities_and_triples_are_previewed_and_kept(
    tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    rows = [{"passage": "Ash", "entities": ["Selby"], "triples": [["Ash", "ends at", "Selby"]]}]
    app = upload(opened("corpus"), ("corpus.jsonl", jsonl(CORPUS)))
    given = ("found.jsonl", jsonl(rows), "application/octet-stream")
    app.file_uploader(key="corpus_made_openie").set_value(given)
    app = checked(app.run())
    assert "found.jsonl: entities or triples for 1 of 2 passages" in said(app)
    index = built(app, inline_jobs)
    assert stored_extraction(index)["p1"].triples == (("Ash", "ends at", "Selby"),)
    shown = said(opened("build", index=index.name))
    assert "Entities or triples from found.jsonl for 1 of 2 passages" in shown
