"""Ids of passages beside ids of documents that look like them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from core.artefacts.workbench import Workbench
from core.cli import app
from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.ids.passage_ids import separators, unique_ids
from core.corpus.types import Corpus
from core.indexing.updates import add, build
from core.runs.measuring import evaluate
from core.store.index import Index
from core.store.verification import verify
from core.types import Document
from tests.core.corpus.files import lines, read
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

LOG = "The keeper lit the lamp. The keeper wrote the hour. The keeper closed the book."
FILES = {
    "c.jsonl": lines(
        {"id": "log", "title": "Log", "text": LOG},
        {"id": "log#1", "title": "Appendix", "text": "The appendix names the engineer Ada Finch."},
    ),
    "q.jsonl": lines(
        {"id": "q", "question": "Which engineer does the appendix name?", "gold": ["log#1"]},
        {"id": "r", "question": "What did the keeper close?", "gold": ["log#2"]},
    ),
}


def test_a_document_called_as_a_passage_keeps_its_id_and_the_build_says_so(tmp_path: Path) -> None:
    corpus = read(tmp_path / "files", FILES)
    assert corpus.notes == (
        "'log#1' is the id of a document, so the passages of 'log', if it is split, are called "
        "'log#~0' and so on",
    )
    assert [query.gold for query in corpus.queries] == [("log#1",), ("log#~2",)]
    folder = tmp_path / "index"
    build(folder, corpus, WordEmbedder(), silent, chunking=Chunking.parse("sentence"))
    index = Index.open(folder)
    assert sorted(index.ids) == ["log#1#0", "log#~0", "log#~1", "log#~2"]
    rows = evaluate(corpus.queries, Workbench(index, WordEmbedder()), ["bm25"]).rows
    assert rows[0].ranks == {"log#1": 1}
    assert rows[1].ranks["log#~2"] is not None


def test_gold_that_named_a_passage_still_does_when_a_document_of_that_name_comes(
    tmp_path: Path,
) -> None:
    document = {"id": "log", "title": "Log", "text": LOG}
    asked = {"id": "q", "question": "Who wrote?", "gold": ["log#1"]}
    first = read(tmp_path / "a", {"c.jsonl": lines(document), "q.jsonl": lines(asked)})
    folder = tmp_path / "index"
    build(folder, first, WordEmbedder(), silent, chunking=Chunking.parse("sentence"))
    assert "The keeper wrote the hour." in Index.open(folder).passage("log#1").text
    told: list[Corpus] = []
    other = read(tmp_path / "b", {"d.jsonl": lines({"id": "log#1", "text": "An appendix."})})
    add(folder, other, WordEmbedder(), silent, account=told.append)
    index = Index.open(folder)
    (question,) = index.questions
    assert "The keeper wrote the hour." in index.passage(question.gold[0]).text
    assert "'log#1' is the id of a document" in told[0].notes[0]


NAMES = st.text("a#~1", min_size=1, max_size=5)


@given(st.sets(NAMES, max_size=8), st.sampled_from(["sentence", "fit", "as-is"]))
def test_no_passage_has_the_id_of_another_or_of_another_document(
    names: set[str], form: str
) -> None:
    documents = [Document(name, "", f"One {name}. Two {name}.") for name in sorted(names)]
    passages = chunk(documents, Chunking.parse(form))
    assert len({passage.id for passage in passages}) == len(passages)
    for passage in passages:
        assert passage.id == passage.document_id or passage.id not in names
    apart = separators(names)
    half = len(documents) // 2
    in_parts = [
        passage
        for part in (documents[:half], documents[half:])
        for passage in chunk(part, Chunking.parse(form), apart)
    ]
    assert in_parts == passages


@pytest.mark.parametrize("large", [False, True])
def test_an_index_in_which_passages_share_an_id_opens_and_adding_mends_it(
    large: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    large_from: Callable[[int], None],
) -> None:
    """Earlier versions made such indexes. Only `info --verify` names the id."""
    if large:
        large_from(2)
    corpus = read(tmp_path / "files", FILES)
    folder = tmp_path / "index"
    with monkeypatch.context() as patch:
        patch.setattr("core.corpus.chunking.chunker.separators", lambda _: {})
        patch.setattr(
            "core.corpus.chunking.chunker.passage_id",
            lambda name, n, _: f"{name.partition('#')[0]}#{n}",
        )
        build(folder, corpus, WordEmbedder(), silent, chunking=Chunking.parse("sentence"))
    index = Index.open(folder)
    assert index.large == large
    assert index.repeated_id == "log#0"
    assert index.ids == ("log#~0", "log#1", "log#2", "log#0")
    assert [passage.id for passage in index.passages] == list(index.ids)
    assert index.document_passages["log"] == ("log#~0", "log#1", "log#2")
    assert index.passage("log#~0").text == "The keeper lit the lamp."
    assert "Ada Finch" in index.passage("log#0").text
    workbench = Workbench(index, WordEmbedder(), making=silent)
    assert len(evaluate(corpus.queries, workbench, ["bm25", "hoprag-coverage"]).rows) == 4
    found = CliRunner().invoke(app, ["info", "--index", str(folder), "--verify"])
    assert found.exit_code == 0
    assert "Two passages of index have the id 'log#0'" in found.stderr
    add(folder, corpus, WordEmbedder(), silent)
    assert Index.open(folder).repeated_id is None
    assert verify(folder).note() == ""


def test_a_document_that_is_one_passage_keeps_an_id_that_a_part_of_another_has_too() -> None:
    ids, documents = ["log#0", "log#0", "log#0"], ["log#0", "log", "log"]
    assert unique_ids(ids, documents, [0, 0, 0]) == {1: "log#~0", 2: "log#~~0"}
    assert unique_ids(["a#0", "a#0"], ["a", "a#~0"], [0, 1]) == {0: "a#~~0"}
    assert unique_ids(["a", "b"], ["a", "b"], [0, 0]) == {}


def test_no_document_has_the_id_of_a_node_that_is_no_passage(tmp_path: Path) -> None:
    """Retrievers call facts, entities and questions by such ids; these failed with them."""
    texts = (
        "Ada Finch was born in Selby.",
        "Selby lies on the River Ule.",
        "Ada Finch built Orrin Mill.",
        "Orrin Mill stands in Selby.",
        "Iris Holm married Ada Finch.",
    )
    ids = ("fact:0", "fact:1", "entity:ada finch", "#", "query:fact:0")
    rows = [{"id": name, "text": text} for name, text in zip(ids, texts, strict=True)]
    asked = {"question": "Where was the builder of Orrin Mill born?", "gold": ["#", "fact:0"]}
    corpus = read(tmp_path / "files", {"c.jsonl": lines(*rows), "q.jsonl": lines(asked)})
    assert "c.jsonl: 5 new ids, because the old id was taken" in corpus.notes[0]
    assert corpus.queries[0].gold == ("~#", "~fact:0")
    build(tmp_path / "index", corpus, WordEmbedder(), silent)
    index = Index.open(tmp_path / "index")
    assert sorted(index.ids) == sorted(f"~{name}" for name in ids)
    workbench = Workbench(index, WordEmbedder(), making=silent)
    keys = ["treehop", "g-retriever", "proprag", "graphrag-local", "hirag", "sirerag"]
    assert len(evaluate(corpus.queries, workbench, keys).rows) == len(keys)
