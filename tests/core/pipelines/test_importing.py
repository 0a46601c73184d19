"""Results of another pipeline as a column of a run, measured by evidence whatever the chunking."""

import json
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.pipelines import import_results, read_results
from core.retrievers import Spec
from core.runs import Row, Run, Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.store.index import Index
from core.types import Document, Evidence, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

FERRY = "The ferry Osprey was rebuilt by the Tamsin yard. It crosses the Ule twice a day."
YARD = "The Tamsin yard lies at Selby. It was founded by Iris Colm in 1902. It builds barges."
TERN = "The tern nests on shingle below the lighthouse, where few people walk."
FOUNDED = "It was founded by Iris Colm in 1902."
REBUILT = "The ferry Osprey was rebuilt by the Tamsin yard."
ASKED = Query(
    "q1",
    "Who founded the yard that rebuilt the Osprey?",
    answers=("Iris Colm",),
    gold=("ferry", "yard"),
    evidence=(
        Evidence(REBUILT, document="ferry", hop=1),
        Evidence(FOUNDED, document="yard", hop=2),
    ),
)


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    embedder = WordEmbedder()
    texts = (("ferry", FERRY), ("yard", YARD), ("tern", TERN))
    documents = tuple(Document(id_, id_.title(), text, "a.jsonl") for id_, text in texts)
    build(tmp_path / "index", Corpus(documents, (ASKED,)), embedder, silent)
    return Workbench(Index.open(tmp_path / "index", embedder.info), embedder)


@pytest.fixture
def run(workbench: Workbench) -> Run:
    made = begin(workbench, own_questions(workbench.index), [Spec("bm25")], name="Ferry")
    measure(made, workbench)
    return made


def imported(workbench: Workbench, run: Run, folder: Path, *contexts: object, **more: str) -> Row:
    path = folder / "pipeline.json"
    path.write_text(json.dumps([{"question": ASKED.text, "contexts": contexts, **more}]))
    runs = Runs(workbench.index.path)
    found = read_results(path, runs.questions(run.id), workbench.index)
    column = import_results(runs, run, found, workbench.index)
    row = runs.row(run.id, column.retriever, "q1")
    assert row
    return row


def ranks(row: Row) -> list[int | None]:
    return [row.ranks[f"q1:e{number}"] for number in (1, 2)]


@pytest.mark.parametrize(
    ("contexts", "expected"),
    [
        ([TERN, YARD, FERRY], [3, 2]),
        # Smaller chunks: the sentence with the evidence, another one of the same passage.
        (["It builds barges.", FOUNDED, REBUILT], [3, 2]),
        (["The Tamsin yard lies at Selby.", "It builds barges."], [None, None]),
        # Larger chunks, and overlapping windows: the first that holds the evidence counts.
        ([f"{TERN} {FERRY} {YARD}"], [1, 1]),
        ([f"Selby. {FOUNDED}", f"{FOUNDED} It builds"], [None, 1]),
        ([{"id": "yard"}, {"id": "ferry"}], [2, 1]),
    ],
)
def test_evidence_has_the_rank_of_the_context_that_holds_it(
    workbench: Workbench, run: Run, tmp_path: Path, contexts: list[object], expected: list[int]
):
    assert ranks(imported(workbench, run, tmp_path, *contexts)) == expected


def test_texts_that_are_no_passages_are_kept_with_the_run(
    workbench: Workbench, run: Run, tmp_path: Path
):
    other = "A ferry crosses twice a day from the north pier to the island of Tresk."
    row = imported(workbench, run, tmp_path, FERRY, {"text": other, "id": "c9"}, FOUNDED)
    assert row.hits == ("ferry", "c9 (context 2)", "yard")
    kept = Runs(workbench.index.path).contexts(run.id, "pipeline", "q1")
    assert {hit: (one.text, one.step) for hit, one in kept.items()} == {
        "c9 (context 2)": (other, "none"),
        "yard": (FOUNDED, "contained"),
    }
    Runs(workbench.index.path).remove_column(run.id, "pipeline")
    assert Runs(workbench.index.path).contexts(run.id, "pipeline", "q1") == {}


@pytest.mark.parametrize(("answer", "em"), [("Iris Colm.", 1.0), ("Noah Finch", 0.0)])
def test_answers_are_scored(workbench: Workbench, run: Run, tmp_path: Path, answer: str, em: float):
    assert imported(workbench, run, tmp_path, FERRY, answer=answer).em == em
    (kept,) = Runs(workbench.index.path).answers(run.id, "pipeline").values()
    assert (kept.text, kept.accuracy, kept.judge) == (answer, em, None)


def test_what_was_found_how_is_said(workbench: Workbench, run: Run, tmp_path: Path):
    path = tmp_path / "mine.json"
    path.write_text(
        json.dumps([{"question": ASKED.text, "contexts": [FERRY, FOUNDED, "Nothing of the sort"]}])
    )
    found = read_results(path, Runs(workbench.index.path).questions(run.id), workbench.index)
    assert str(found) == (
        "mine has results for 1 of 1 question; 3 different texts: 1 matched by their text, "
        "1 matched as part of a passage, or containing one, 1 not in the index."
    )
    assert [one.text for one in found.unmatched] == ["Nothing of the sort"]
