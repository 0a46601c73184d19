"""TREC files of a run whose ids hold white space, and of a part of its questions."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import ir_measures
import pytest
from ir_measures import RR, nDCG

from core.artefacts.workbench import Workbench
from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Corpus
from core.errors import InputError
from core.indexing.updates import build
from core.measures import MEASURES
from core.pipelines import ImportedResults, import_results, read_results
from core.retrievers import Spec, make
from core.reviews.losses.gold_outcomes import gold_ends
from core.runs import Column, Row, Run, Runs
from core.runs.analysis.leaderboard import leaderboard_rows
from core.runs.measuring import begin, measure
from core.runs.trec.export import qrels_lines, run_lines, without_scores, write_trec
from core.steps import result
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
    found = read_results(written, runs.questions(measured.id), workbench.index, "again")
    assert (len(found.retrieved), found.unknown_questions, found.unknown_passages) == (4, (), ())
    import_results(runs, measured, found, workbench.index)
    ours, theirs = leaderboard_rows(runs, runs.get(measured.id))
    assert theirs.measures["R@20"].mean == 100
    assert {name: theirs.measures[name] for name in MEASURES} == dict(ours.measures)


def test_files_of_earlier_versions_come_back_where_they_mean_one_id(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    path = tmp_path / "old.run"
    path.write_text("q3 Q0 50%_wool 1 1 bm25\nq_1 Q0 the_mill 1 1 bm25\n")
    runs = Runs(workbench.index.path)
    found = read_results(path, runs.questions(measured.id), workbench.index)
    import_results(runs, measured, found, workbench.index)
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
    (ours,) = leaderboard_rows(runs, measured)
    judged = list(ir_measures.read_trec_qrels(str(qrels)))
    theirs = list(ir_measures.read_trec_run(str(written)))
    expected = ir_measures.calc_aggregate([nDCG @ 10], judged, theirs)[nDCG @ 10]
    assert ours.measures["nDCG@10"].mean == pytest.approx(100 * expected)


def test_a_run_of_some_questions_says_so(workbench: Workbench, measured: Run, tmp_path: Path):
    path = tmp_path / "part.run"
    path.write_text("q3 Q0 50%25%20wool 1 2 x\nq3 Q0 nowhere 2 1 x\nq9 Q0 the_mill 1 1 x\n")
    found = read_results(path, Runs(workbench.index.path).questions(measured.id), workbench.index)
    assert str(found) == (
        "part has results for 1 of 4 questions; its measures average over these only; "
        "1 of 2 questions is not in the run: q9; 1 of 3 passage ids is not in the index: nowhere."
    )


def test_other_tools_read_the_passages_that_were_hit_and_their_scores(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    runs = Runs(workbench.index.path)
    _, written = write_trec(runs, measured, tmp_path / "trec", workbench.index)
    lines = [line.split() for line in written.read_text().splitlines()]
    row = runs.row(measured.id, "bm25", "q3")
    assert row
    steps = tuple(make(Spec("bm25"), workbench).retrieve(row.question.text))
    expected = [(hit.passage_id, hit.score) for hit in result(steps).hits]
    ours = [(unquote(name), float(score)) for q, _, name, _, score, _ in lines if q == "q3"]
    assert ours == expected


def test_equal_scores_keep_their_order_in_other_tools(workbench: Workbench, tmp_path: Path):
    """trec_eval reads 32-bit numbers, and orders equal ones by their ids."""
    query = Query("q", "?", gold=("the_mill",))
    runs = Runs(tmp_path)
    run = runs.begin(Run("r", "Tied", "2024-05-01", "file", 1, (Column("x"),), ""), [query])
    hits = ("the_mill", "the mill", "the%20mill")
    row = Row("x", query, {"the_mill": 1}, hits, scores=(0.5, 0.5, 0.5 - 1e-12))
    runs.append(run.id, [row])
    qrels, written = write_trec(runs, run, tmp_path / "trec", workbench.index)
    assert first(qrels, written) == 1
    scores = [float(line.split()[4]) for line in written.read_text().splitlines()]
    assert scores == pytest.approx([0.5] * 3, abs=1e-6)


def first(qrels: Path, run: Path) -> float:
    """The reciprocal rank of the first gold, by trec_eval."""
    judged = list(ir_measures.read_trec_qrels(str(qrels)))
    found = list(ir_measures.read_trec_run(str(run)))
    return float(ir_measures.calc_aggregate([RR], judged, found)[RR])


def test_a_run_of_before_has_reciprocal_ranks_for_scores(workbench: Workbench, tmp_path: Path):
    query = Query("q", "?", gold=("the_mill",))
    runs = Runs(tmp_path)
    columns = (Column("old"), Column("new"))
    run = runs.begin(Run("r", "Old", "2024-05-01", "file", 1, columns, ""), [query])
    row = Row("old", query, {"the_mill": 2}, ("the mill", "the_mill"))
    runs.append(run.id, [row, replace(row, retriever="new", scores=(3.0, 1.5))])
    assert without_scores(runs, run) == ["old"]
    told = [line.split()[4] for line in run_lines(runs, run, "old", workbench.index)]
    assert told == ["1.0", "0.5"]


PARTS = Corpus(
    (
        Document("harbour", "Harbour", "The mill is old.\n\nThe quay is new.", "a.jsonl"),
        Document("tern", "Tern", "The tern nests on shingle.", "a.jsonl"),
    ),
    (),
)


@pytest.fixture
def parts(tmp_path: Path) -> Workbench:
    embedder = WordEmbedder()
    build(tmp_path / "parts", PARTS, embedder, silent, chunking=Chunking("sentence"))
    return Workbench(Index.open(tmp_path / "parts", embedder.info), embedder)


def test_gold_is_the_passages_that_hold_it_or_their_documents(parts: Workbench, tmp_path: Path):
    asked = [Query("q", "Where is the quay?", gold=("harbour", "gone"), grades={"harbour": 2})]
    run = begin(parts, asked, [Spec("bm25")], name="Parts", question_set="file")
    measure(run, parts)
    runs = Runs(parts.index.path)
    assert list(qrels_lines(runs, run, parts.index)) == [
        *("q 0 harbour#0 2", "q 0 harbour#1 2", "q 0 gone 1")
    ]
    assert list(qrels_lines(runs, run, parts.index, "document")) == ["q 0 harbour 2", "q 0 gone 1"]
    row = runs.row(run.id, "bm25", "q")
    assert row
    assert row.hits[:2] == ("harbour#1", "harbour#0")
    best = runs.scores(run.id, "bm25")["q"][0]
    lines = list(run_lines(runs, run, "bm25", parts.index, "document"))
    assert lines[0] == f"q Q0 harbour 1 {best!r} bm25"
    assert [line.split()[2] for line in lines] == list(
        dict.fromkeys(name.partition("#")[0] for name in row.hits)
    )


def test_what_is_of_another_index_is_refused_unless_forced(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    path = tmp_path / "own_run.trec"
    path.write_text(
        "q3 Q0 unknown-passage-1 1 9.5 mine\nq3 Q0 50%25%20wool 2 8.1 mine\n"
        "q9 Q0 the_mill 1 3.0 mine\n"
    )
    runs = Runs(workbench.index.path)
    found = read_results(path, runs.questions(measured.id), workbench.index)
    assert (found.unknown_questions, found.unknown_passages) == (("q9",), ("unknown-passage-1",))
    assert (found.question_ids, found.passage_ids) == (2, 3)
    with pytest.raises(InputError, match=r"1 of 2 .*q9; 1 of 3 .*unknown-passage-1\. More than 5%"):
        import_results(runs, measured, found, workbench.index)
    assert runs.get(measured.id).retrievers == ("bm25",)
    import_results(runs, measured, found, workbench.index, force=True)
    assert runs.get(measured.id).retrievers == ("bm25", "own_run")


def test_few_unknown_ids_are_said_and_imported(workbench: Workbench, measured: Run, tmp_path: Path):
    """Up to 5 per cent; ten of many are named."""
    few = ImportedResults("few", {}, 20, 20, 400, ("q",), tuple(f"p{n}" for n in range(20)))
    assert not few.is_doubtful
    assert "20 of 400 passage ids are not in the index: p0, p1" in str(few)
    assert "p9 and 10 more." in str(few)
    assert len(few.to_json()["unknown_passages"]) == 20
    assert replace(few, unknown_passages=(*few.unknown_passages, "p20")).is_doubtful
    assert replace(few, unknown_questions=("q", "r")).is_doubtful


def test_what_became_of_gold_is_told_from_ranks_alone(
    workbench: Workbench, measured: Run, tmp_path: Path
):
    path = tmp_path / "made.run"
    more = [f"q3 Q0 other{n} 1 {1000 - n} x" for n in range(30)]
    path.write_text("\n".join([*more, "q3 Q0 50%25%20wool 31 1 x", "q_1 Q0 the%20mill 1 2 x"]))
    runs = Runs(workbench.index.path)
    found = read_results(path, runs.questions(measured.id), workbench.index)
    import_results(runs, measured, found, workbench.index, force=True)
    deep, half = (runs.row(measured.id, "made", name) for name in ("q3", "q_1"))
    assert deep
    assert half
    assert (deep.outcome, deep.recall, deep.ranks) == ("missed", 0, {"50% wool": 31})
    (low,) = gold_ends(deep, workbench.index)
    assert (low.told, low.lost) == ("rank 31 of this run, below the top 20", True)
    assert low.text == "Wool was spun at the harbour."
    lost, kept = gold_ends(half, workbench.index)
    assert (half.outcome, lost.gold, lost.told) == ("partly", "the%20mill", "not in the ranking")
    assert (kept.gold, kept.told, kept.lost) == ("the mill", "rank 1 of this run", False)
    assert runs.stages(measured.id, "made") == {"cut": 1, "unranked": 1, "kept": 1}
