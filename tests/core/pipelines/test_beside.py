"""Imported results as traces beside those of our retrievers, with the ranks that their run has."""

import json
from pathlib import Path

import pytest

from core.corpus.types import Corpus
from core.difference import make_difference
from core.indexing.updates import build
from core.marks import gold_of
from core.pipelines import (
    begin_imported_run,
    beside,
    import_results,
    imported_columns,
    imported_of,
    read_results,
)
from core.pipelines.beside import Beside
from core.playback import check
from core.ranking_comparison import gold_ranks
from core.runs import Runs
from core.runs.question_sets import own_questions
from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample
from core.steps import result
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.core.pipelines.test_importing import ASKED, FERRY, FOUNDED, REBUILT, TERN, YARD
from tests.core.spans.recorded import recorded


@pytest.fixture
def index(tmp_path: Path) -> Index:
    texts = (("ferry", FERRY), ("yard", YARD), ("tern", TERN))
    documents = tuple(Document(id_, id_.title(), text, "a.jsonl") for id_, text in texts)
    build(tmp_path / "index", Corpus(documents, (ASKED,)), WordEmbedder(), silent)
    return Index.open(tmp_path / "index")


def imported(index: Index, folder: Path, *contexts: object, top_k: int = 20) -> Beside:
    path = folder / "mine.json"
    path.write_text(json.dumps([{"question": ASKED.text, "contexts": contexts}]))
    queries = own_questions(index)
    run = begin_imported_run(index, queries, "mine")
    import_results(Runs(index.path), run, read_results(path, queries, index), index)
    found = imported_of(Runs(index.path), run.id, "mine", ASKED.text, index)
    assert found
    assert not found.has_steps
    return beside(found.trace, index, ASKED.text, top_k)


def ranks(found: Beside, index: Index) -> list[int | None]:
    gold = gold_of(index, ASKED.text).ids
    return list(gold_ranks(found.trace.ranking, gold, found.passages_by_gold).values())


@pytest.mark.parametrize(
    ("contexts", "ranking", "expected"),
    [
        ([TERN, YARD, FERRY], ["tern", "yard", "ferry"], [3, 2]),
        # A larger chunk that begins with other text stands for a passage whose evidence it holds.
        ([f"{TERN} {YARD}", REBUILT], ["yard", "ferry"], [2, 1]),
        # One that holds both has one place, which counts for both.
        ([f"{TERN} {FERRY} {YARD}"], ["ferry"], [1, 1]),
        # Of text that is no passage, what holds evidence has the id of a passage that holds it.
        ([f"Of old, some say. {FOUNDED} So it goes, at the river."], ["yard"], [None, 1]),
    ],
)
def test_a_text_stands_for_the_passage_whose_evidence_it_holds(
    index: Index, tmp_path: Path, contexts: list[str], ranking: list[str], expected: list[int]
):
    found = imported(index, tmp_path, *contexts)
    check(found.trace.steps)
    assert list(found.trace.ranking) == ranking
    assert ranks(found, index) == expected
    assert all(found.trace.passages[name] == index.passage(name) for name in ranking)


def test_ranks_below_top_k_are_cut_off(index: Index, tmp_path: Path):
    end = result(imported(index, tmp_path, TERN, YARD, FERRY, top_k=2).trace.steps)
    assert [hit.passage_id for hit in end.hits] == ["tern", "yard"]
    assert [hit.passage_id for hit in end.pruned] == ["ferry"]


def test_other_texts_and_unknown_scores_stay(index: Index, tmp_path: Path):
    other = "A ferry crosses twice a day from the north pier to the island of Tresk."
    trace = imported(index, tmp_path, other, YARD).trace
    assert trace.passages[trace.ranking[0]].text == other
    assert {hit.score for hit in result(trace.steps).hits} == {0.0}


def test_a_question_without_a_result_has_none(index: Index, tmp_path: Path):
    imported(index, tmp_path, FERRY)
    [(run, column)] = imported_columns(Runs(index.path))
    assert column == "mine"
    assert imported_of(Runs(index.path), run.id, column, "Who else?", index) is None


@pytest.fixture(scope="module")
def sample_index_here(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("sample")
    assert sample.install(folder, BUNDLED_EMBEDDER)
    return Index.open(folder / sample.NAME)


@pytest.mark.parametrize("kind", ["spans", "log"])
@pytest.mark.parametrize("name", ["llamaindex", "langchain-agent"])
def test_recorded_pipelines_have_the_ranks_of_their_run(
    name: str, kind: str, sample_index_here: Index, tmp_path: Path
):
    index = sample_index_here
    path = tmp_path / f"{name}-{kind}.jsonl"
    path.write_bytes(recorded(name, kind))
    queries = own_questions(index)
    run = begin_imported_run(index, queries, f"{name} {kind}")
    runs = Runs(index.path)
    column = import_results(runs, run, read_results(path, queries, index), index)
    traces = []
    for row in runs.every(run.id, column.retriever):
        asked = row.question.text
        found = imported_of(runs, run.id, column.retriever, asked, index)
        assert found
        assert found.has_steps == (kind == "spans")
        told = beside(found.trace, index, asked, 20)
        gold = gold_of(index, asked).ids
        kept = [hit.passage_id for hit in result(told.trace.steps).hits]
        assert gold_ranks(kept, gold, told.passages_by_gold) == row.ranks
        traces.append(told.trace)
    made = make_difference(traces[0], traces[0], index=index)
    assert made["parting"]["same"]
