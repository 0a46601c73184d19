"""A run measured: what stands in a row, and what is left to do when it is stopped."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.errors import Cancelled, IndexLocked, InputError
from core.evaluation import asked
from core.evaluation.kept import KeptRankings
from core.indexing.updates import add, build
from core.jobs import Job, cancel, evaluation_place, run, state
from core.library.catalogue import rename
from core.marks.marking import set_gold
from core.models.oracle import Oracle
from core.progress import Progress
from core.ranking_comparison import gold_ranks
from core.retrievers import MODEL_FREE, Spec, make
from core.runs import Run, Runs, Where, configuration
from core.runs.measuring import begin, measure, unasked
from core.runs.question_sets import own_questions, questions_in
from core.steps import result
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.traces import record
from core.types import Query
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, corpus, silent

SPECS = [Spec.parse(text) for text in ("bm25", "hoprag-similarity(top_k=2)")]
ASKED = [
    QUESTION,
    Query("q2", "Who toured with the Low Tide Band?", gold=("singer",), dataset="five"),
    Query("q3", "Who is the keeper?", gold=("nowhere",)),
]


def begun(workbench: Workbench, questions: list[Query] | None = None, **more: str) -> Run:
    return begin(workbench, questions or ASKED, SPECS, name="First", question_set="file", **more)


@pytest.fixture
def done(workbench: Workbench) -> Run:
    run = begun(workbench)
    measure(run, workbench)
    return run


def test_every_question_by_every_retriever(workbench: Workbench, done: Run):
    runs = Runs(workbench.index.path)
    assert runs.get("First").state == "finished"
    for spec in SPECS:
        rows = {row.question.id: row for row in runs.rows(done.id, str(spec))}
        assert set(rows) == {"q1", "q2", "q3"}
        assert rows["q3"].absent == ("nowhere",)
        assert rows["q3"].outcome == "not in the index"
        assert [fate.stage for fate in rows["q3"].fates] == ["absent"]


def test_a_row_says_what_the_retriever_says_alone(workbench: Workbench, done: Run):
    runs = Runs(workbench.index.path)
    for spec in SPECS:
        for question in ASKED:
            alone, _ = asked(question, make(spec, workbench), workbench.index)
            row = runs.row(done.id, str(spec), question.id)
            assert row
            assert (row.hits, row.ranks) == (alone.hits, alone.ranks)
            assert row.judgements == alone.judgements


@pytest.mark.parametrize("key", MODEL_FREE)
def test_what_compare_shows_is_what_was_counted(workbench: Workbench, key: str):
    spec = Spec.parse(key)
    run = begin(workbench, own_questions(workbench.index), [spec], name="Own")
    measure(run, workbench)
    row = Runs(workbench.index.path).row(run.id, key, QUESTION.id)
    shown = record(make(spec, workbench), QUESTION.text, workbench.index)
    ranking = [hit.passage_id for hit in result(shown.steps).hits]
    assert row
    assert list(row.hits) == ranking
    assert row.ranks == gold_ranks(ranking, QUESTION.gold, workbench.index.document_passages)
    assert run.configuration(key) == configuration(workbench, spec)


def test_found_after_each_round_never_falls_and_ends_at_what_was_reached(
    workbench: Workbench, done: Run
):
    row = Runs(workbench.index.path).row(done.id, str(SPECS[1]), "q1")
    assert row
    assert list(row.found) == sorted(row.found)
    reached = [fate for fate in row.fates if fate.stage in ("cut", "kept")]
    assert row.found[-1] == len(reached)


def test_a_run_that_was_stopped_goes_on_where_it_was(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
):
    run = begun(workbench)

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        measure(run, workbench, stop)
    runs = Runs(workbench.index.path)
    assert (runs.get(run.id).state, runs.get(run.id).message) == ("stopped", "Enough.")
    assert {key: len(left) for key, left in unasked(runs, run).items()} == {
        "bm25": 1,
        str(SPECS[1]): 3,
    }
    asked: list[str] = []
    from core.runs import measuring

    real = measuring.asked
    monkeypatch.setattr(
        measuring, "asked", lambda *given: asked.append(given[0].id) or real(*given)
    )
    told: list[tuple[int, int]] = []
    measure(run, workbench, lambda done, total: told.append((done, total)))
    assert asked == ["q3", "q1", "q2", "q3"]
    assert (told[0], told[-1]) == ((2, 6), (6, 6))
    assert runs.get(run.id).state == "finished"


def test_marks_count_in_a_run_of_the_index(workbench: Workbench):
    singer = workbench.index.document_passages["singer"][0]
    set_gold(workbench.index, QUESTION.text, singer, gold=True)
    run = begin(workbench, own_questions(workbench.index), SPECS[:1], name="Marked")
    measure(run, workbench)
    row = Runs(workbench.index.path).row(run.id, "bm25", "q1")
    assert row
    assert set(row.ranks) == {"owner", "town", singer}
    held = KeptRankings.of(workbench).ranking(SPECS[0], QUESTION.text)
    assert held == row.hits


def test_an_index_that_changed_ends_the_run(workbench: Workbench):
    run = begun(workbench)
    workbench.__dict__["content"] = "another"
    with pytest.raises(InputError, match="has changed since"):
        measure(run, workbench)


def test_a_configuration_is_of_all_that_decides(workbench: Workbench, oracle: Oracle):
    free, asking = Spec.parse("bm25"), Spec.parse("hoprag-llm")
    other = workbench.with_oracle(oracle)
    assert configuration(workbench, free) == configuration(other, free)
    assert configuration(workbench, asking) != configuration(other, asking)
    assert configuration(workbench, free) != configuration(workbench, Spec.parse("bm25(top_k=3)"))
    assert configuration(workbench, free) == configuration(workbench, Spec.parse("bm25(top_k=20)"))


def test_nothing_to_ask_is_said(workbench: Workbench):
    with pytest.raises(InputError, match="no question"):
        begin(workbench, [], SPECS, name="None")
    with pytest.raises(InputError, match="No retriever"):
        begin(workbench, ASKED, [], name="None")


def test_questions_of_a_file_find_their_gold_by_text(workbench: Workbench, tmp_path: Path):
    title, text = TEXTS["owner"]
    other = {"question": "Where was she born?", "paragraphs": []}
    other["paragraphs"] = [
        {"idx": 0, "title": title, "paragraph_text": text, "is_supporting": True},
        {"idx": 1, "title": "More", "paragraph_text": "Nothing.", "is_supporting": False},
    ]
    path = tmp_path / "musique.jsonl"
    path.write_text(json.dumps({"id": "2hop__1", "answer": "Port Selby", **other}))
    (whole,) = questions_in(path, workbench.index, level="document").questions
    assert whole.gold == ("owner",)
    (asked,) = questions_in(path, workbench.index).questions
    assert [(each.document, each.parts) for each in asked.evidence] == [("owner", (("owner",),))]


def test_questions_of_plain_lines_keep_what_else_is_said(workbench: Workbench, tmp_path: Path):
    path = tmp_path / "asked.jsonl"
    path.write_text(json.dumps({"question": "Who?", "gold": ["owner"], "level": "hard", "n": 3}))
    (query,) = questions_in(path, workbench.index).questions
    assert (query.gold, query.fields) == (("owner",), {"level": "hard", "n": "3"})
    run = begin(workbench, [query], SPECS[:1], name="Fields", question_set=path.name)
    measure(run, workbench)
    assert Runs(workbench.index.path).count(run.id, "bm25", Where(fields=(("level", "hard"),))) == 1


@pytest.fixture
def jobs_here(monkeypatch: pytest.MonkeyPatch, embedder: WordEmbedder) -> None:
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)


def test_as_a_job_it_is_told_beside_the_last_change(workbench: Workbench, jobs_here: None):
    index = workbench.index.path
    begun_run = begun(workbench)
    told: list[Progress] = []
    run(Job("evaluate", index, run=begun_run.id), told.append)
    now = state(evaluation_place(index))
    assert now
    assert now.job == Job("evaluate", index, run=begun_run.id, embedder=now.job.embedder)
    assert (now.status, now.done, now.total) == ("finished", 6, 6)
    assert state(index) is None
    assert Runs(index).get(begun_run.id).state == "finished"


def test_a_cancelled_job_is_resumed(workbench: Workbench, jobs_here: None):
    index = workbench.index.path
    one = begun(workbench)
    place = evaluation_place(index)

    def stop(progress: Progress) -> None:
        if progress.stage == "ask" and progress.done == 2:
            cancel(place)

    with pytest.raises(Cancelled, match="measured so far is kept"):
        run(Job("evaluate", index, run=one.id), stop)
    now = state(place)
    assert now
    assert now.resumable
    assert Runs(index).get(one.id).state == "stopped"
    assert now.job
    run(now.job)
    assert Runs(index).get(one.id).state == "finished"


def test_an_index_is_not_renamed_while_it_is_measured(workbench: Workbench):
    index = workbench.index.path
    with (
        writer_lock(evaluation_place(index), "an evaluation"),
        pytest.raises(IndexLocked, match="being evaluated"),
    ):
        rename(index.parent, index.name, "other")


def test_of_two_questions_with_one_text_each_has_its_own_gold(tmp_path: Path):
    embedder = WordEmbedder()
    same = replace(QUESTION, id="other", gold=("stadium",))
    build(tmp_path / "five", corpus(queries=(QUESTION, same)), embedder, silent)
    bench = Workbench(Index.open(tmp_path / "five", embedder.info), embedder)
    run = begin(bench, own_questions(bench.index), SPECS[:1], name="Own")
    measure(run, bench)
    for row in Runs(bench.index.path).rows(run.id, str(SPECS[0])):
        kept = {gold for gold, rank in row.ranks.items() if rank}
        assert {fate.gold for fate in row.fates} == set(row.question.gold)
        assert {fate.gold for fate in row.fates if fate.stage == "kept"} == kept


def test_grades_that_were_changed_are_taken_over(tmp_path: Path):
    embedder, folder = WordEmbedder(), tmp_path / "five"
    build(folder, corpus(), embedder, silent)
    graded = replace(QUESTION, grades={QUESTION.gold[0]: 3})
    add(folder, corpus(queries=(graded,)), embedder, silent)
    assert [query.grades for query in Index.open(folder).questions] == [graded.grades]


def test_runs_of_a_study_are_trials_also_without_the_run_they_repeat(workbench: Workbench):
    own = begun(workbench)
    of_study = begin(workbench, ASKED, SPECS, name="Sweep", more={"study": "fc02703f45"})
    assert (own.is_trial, of_study.is_trial) == (False, True)


def test_the_warm_up_is_told_before_the_first_question(workbench: Workbench):
    told: list[object] = []
    run = begun(workbench)
    measure(
        run,
        workbench,
        lambda done, total: told.append((done, total)),
        warming=lambda: told.append("warm-up"),
    )
    assert told[:2] == ["warm-up", (0, 6)]
