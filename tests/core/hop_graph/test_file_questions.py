"""Pseudo-queries made elsewhere: taken as they are, merged by the real code, or reported."""

import json
from pathlib import Path

import pytest

from core.building import build
from core.corpus.types import Corpus
from core.errors import InputError
from core.hop_graph.file_questions import read_pseudo_queries
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
        ("", "contains no pseudo-queries"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(tmp_path: Path, line: object, said: str):
    with pytest.raises(InputError, match=said):
        read_pseudo_queries(written(tmp_path, line))
