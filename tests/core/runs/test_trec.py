"""TREC files of a run whose ids hold white space, and of a part of its questions."""

from pathlib import Path

import ir_measures
import pytest
from ir_measures import nDCG

from core.artefacts.workbench import Workbench
from core.build import build
from core.corpus.types import Corpus
from core.measures import MEASURES
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.board import standings
from core.runs.measuring import begin, measure
from core.runs.trec import import_trec, read_trec
from core.runs.trec_export import write_trec
from core.store.index import Index
from core.types import Document, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

DOCUMENTS = (
    Document("the mill", "Orrin Mill", "Ada Finch built the mill at Orrin.", "a.jsonl"),
    Document("the_mill", "Selby", "Selby lies on the river Ule.", "a.jsonl"),
    Document("the%20mill", "Tern", "The tern nests on shingle.", "a.jsonl"),
    Document("50% wool", "Wool", "Wool was spun at the harbour.", "a.jsonl"),
)
ASKED = [
    Query("q 1", "Who built the mill?", gold=("the mill",), grades={"the mill": 2}),
    Query("q_1", "Where does the tern nest?", gold=("the%20mill", "the mill")),
    Query("q3", "What was spun at the harbour?", gold=("50% wool",)),
    Query("q4", "Which river is Selby on?", gold=("the_mill",)),
]


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    embedder = WordEmbedder()
    build(tmp_path / "index", Corpus(DOCUMENTS, ()), embedder, silent)
    return Workbench(Index.open(tmp_path / "index", embedder.info), embedder)


@pytest.fixture
def measured(workbench: Workbench) -> Run:
    run = begin(workbench, ASKED, [Spec("bm25")], name="Spaces")
    measure(run, workbench)
    return run


def test_own_files_come_back_as_they_went(workbench: Workbench, measured: Run, tmp_path: Path):
    runs = Runs(workbench.index.path)
    _, written = write_trec(runs, measured, tmp_path / "trec", workbench.index)
    assert all(len(line.split()) == 6 for line in written.read_text().splitlines())
    found = read_trec(runs, measured, written, workbench.index, "again")
    assert (len(found.ranked), found.unknown_questions, found.unknown_passages) == (4, (), ())
    import_trec(runs, measured, found, workbench.index)
    ours, theirs = standings(runs, runs.get(measured.id))
    assert theirs.measures["R@20"].mean == 100
    assert {name: theirs.measures[name] for name in MEASURES} == dict(ours.measures)


def test_files_of_earlier_versions_come_back_where_they_mean_one_id(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    path = tmp_path / "old.run"
    path.write_text("q3 Q0 50%_wool 1 1 bm25\nq_1 Q0 the_mill 1 1 bm25\n")
    runs = Runs(workbench.index.path)
    found = read_trec(runs, measured, path, workbench.index)
    import_trec(runs, measured, found, workbench.index)
    rows = {row.question.id: row for row in runs.rows(measured.id, "old")}
    assert rows["q3"].ranks == {"50% wool": 1}
    assert rows["q_1"].hits == ("the_mill",)


def test_grades_are_in_the_qrels_and_count_in_ndcg(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    runs = Runs(workbench.index.path)
    assert runs.questions(measured.id)[0].grades == {"the mill": 2}
    qrels, written = write_trec(runs, measured, tmp_path / "trec", workbench.index)
    assert qrels.read_text().splitlines()[0] == "q%201 0 the%20mill 2"
    (ours,) = standings(runs, measured)
    judged = list(ir_measures.read_trec_qrels(str(qrels)))
    theirs = list(ir_measures.read_trec_run(str(written)))
    expected = ir_measures.calc_aggregate([nDCG @ 10], judged, theirs)[nDCG @ 10]
    assert ours.measures["nDCG@10"].mean == pytest.approx(100 * expected)


def test_a_run_of_some_questions_says_so(workbench: Workbench, measured: Run, tmp_path: Path):
    path = tmp_path / "part.run"
    path.write_text("q3 Q0 50%25%20wool 1 2 x\nq3 Q0 nowhere 2 1 x\nq9 Q0 the_mill 1 1 x\n")
    found = read_trec(Runs(workbench.index.path), measured, path, workbench.index)
    assert str(found) == (
        "part ranks 1 of 4 questions; its measures are means over these only; 1 of 2 question ids "
        "is not in the run: q9; 1 of 3 passage ids is not in the index: nowhere."
    )
