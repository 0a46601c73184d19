"""Pseudo-queries made elsewhere: taken as they are, merged by the real code, or reported."""

import json
import pickle
from pathlib import Path

import pytest

from core.corpus.types import Corpus
from core.errors import InputError
from core.hop_graph.file_questions import coverage, read_pseudo_queries
from core.indexing.updates import add, build
from core.jobs.made_elsewhere import stored_made
from core.store.index import Index
from core.types import Document, Passage
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

MILL = "Ada Finch built the mill at Orrin."
FINCH = "Ada Finch was born at Selby. She kept bees."
ROWS = [
    {
        "passage": "mill",
        "in": [{"question": "Who built the mill at Orrin?", "evidence": MILL}],
        "out": [{"question": "Where was Ada Finch born?", "evidence": MILL}],
    },
    {"passage": "finch", "in": ["Where was Ada Finch born?"], "out": []},
]


def written(folder: Path, *rows: object) -> Path:
    path = folder / "asked.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows))
    return path


def test_questions_of_a_file_join_the_passages_that_raise_and_answer_them(tmp_path: Path):
    maker = read_pseudo_queries(written(tmp_path, *ROWS))
    documents = tuple(
        Document(id_, id_.title(), text, "a") for id_, text in (("mill", MILL), ("finch", FINCH))
    )
    embedder = WordEmbedder()
    build(tmp_path / "index", Corpus(documents, ()), embedder, silent, maker=maker)
    index = Index.open(tmp_path / "index", embedder.info)
    (edge,) = index.graph.out_edges("mill")
    assert (edge.target, edge.question) == ("finch", "Where was Ada Finch born?")
    assert index.meta.maker == "file:asked.jsonl"
    asked = index.graph.pseudo_query(edge.in_query_id)
    assert (asked.maker, asked.evidence) == ("file:asked.jsonl", "Ada Finch was born at Selby.")


def test_a_passage_without_questions_or_with_another_text_is_told_and_asked_by_rules(
    tmp_path: Path,
):
    told: dict[str, str] = {}
    maker = read_pseudo_queries(written(tmp_path, *ROWS))
    object.__setattr__(maker, "missed", lambda passage, why: told.update({passage.id: why}))
    changed = Passage("mill", "mill", 0, "Mill", "Noah Finch built the mill at Orrin.")
    other = Passage("tern", "tern", 0, "Tern", "The tern nests on shingle.")
    makers = {query.maker for queries in maker([changed, other]) for query in queries}
    assert makers == {"rules"}
    assert "no longer in the passage" in told["mill"]
    assert "has no questions for this passage" in told["tern"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{broken", "Line 1 of asked.jsonl is not valid JSON"),
        ({"in": []}, "Line 1 of asked.jsonl has no passage id"),
        ({"passage": "a", "in": "Who?"}, "'in' must be a list"),
        ({"passage": "a", "out": [7]}, "each of 'out' must be a question"),
        ({"passage": "a", "out": ["?" * 501]}, "more than 500 characters"),
        ("", "it is empty"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(tmp_path: Path, line: object, said: str):
    with pytest.raises(InputError, match=said):
        read_pseudo_queries(written(tmp_path, line))


PASSAGES = [
    Passage("mill", "mill", 0, "Mill", MILL),
    Passage("finch", "finch", 0, "A/Finch", FINCH),
    Passage("tern", "tern", 0, "Tern", "The tern nests on shingle."),
]


def with_current_gold(maker) -> dict[str, list[str]]:
    found = zip(PASSAGES, maker(PASSAGES), strict=True)
    return {one.id: [q.text for q in asked if q.maker == maker.name] for one, asked in found}


def test_lines_match_by_title_and_by_text(tmp_path: Path):
    rows = [
        {"passage": "Mill", "in": ["Who built the mill?"]},
        {"text": FINCH.replace(" ", "\n"), "out": ["What are bees?"]},
        {"passage": "nobody", "in": ["Who?"]},
    ]
    maker = read_pseudo_queries(written(tmp_path, *rows))
    expected = {"mill": ["Who built the mill?"], "finch": ["What are bees?"], "tern": []}
    assert with_current_gold(maker) == expected
    found = coverage(maker, PASSAGES)
    assert (found.matched, found.missing, found.asked) == (2, ("Tern",), {"in": 1, "out": 1})
    assert "The file has pseudo-queries for 2 of 3 passages" in found.told()


def cache(folder: Path, content: object) -> Path:
    path = folder / "node2questiondict.pkl"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content))
    return path


def node(text: str, *, answerable: str, pending: str) -> object:
    vector = [0.1] * 8
    asked = {
        "answerable": [(answerable, {"ada"}, vector)],
        "pending": [(pending, {"ada"}, vector)],
    }
    return {"text": text, "keywords": ["ada"], "embed": vector}, asked


def test_the_cache_of_the_official_code(tmp_path: Path):
    content = {
        (1, "q1_0.txt"): node(MILL, answerable="Who built it?", pending="Who is Ada?"),
        (51, "A_Finch.txt"): node("She kept bees.", answerable="Who kept?", pending="Bees?"),
        (52, "A_Finch.txt"): node("Not there.", answerable="Nowhere?", pending="Never?"),
    }
    maker = read_pseudo_queries(cache(tmp_path, content))
    assert with_current_gold(maker) == {
        "mill": ["Who built it?", "Who is Ada?"],
        "finch": ["Who kept?", "Bees?"],
        "tern": [],
    }


class Runs:
    def __reduce__(self):
        return Path.touch, (Path("/tmp/pickle-ran"),)


@pytest.mark.parametrize(
    "content",
    [
        {(1, "a.txt"): node(MILL, answerable="Who?", pending="Who?"), (2, "b"): Runs()},
        [1, 2],
        {"a": 1},
        b"no pickle",
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        {(1, "a.txt"): {"answerable": [], "pending": []}},
    ],
)
def test_another_pickle_is_refused_and_runs_nothing(tmp_path: Path, content: object):
    with pytest.raises(InputError, match="offline"):
        read_pseudo_queries(cache(tmp_path, content))
    assert not Path("/tmp/pickle-ran").exists()


def test_what_an_index_took_from_a_file_stays_when_documents_are_added(tmp_path: Path):
    maker = read_pseudo_queries(written(tmp_path, *ROWS))
    documents = tuple(
        Document(id_, id_.title(), text, "a") for id_, text in (("mill", MILL), ("finch", FINCH))
    )
    build(tmp_path / "i", Corpus(documents, ()), WordEmbedder(), silent, maker=maker)
    before = {q.text for q in Index.open(tmp_path / "i").graph.all_pseudo_queries}
    again = stored_made("file:asked.jsonl", tmp_path / "i")
    new = Document("tern", "Tern", "The tern nests on shingle.", "b")
    add(tmp_path / "i", Corpus((new,), ()), WordEmbedder(), silent, maker=again)
    asked = Index.open(tmp_path / "i").graph.all_pseudo_queries
    assert {q.text for q in asked if q.maker == maker.name} == before
    assert {q.passage_id for q in asked if q.maker != maker.name} == {"tern"}
