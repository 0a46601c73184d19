"""A run whose results a model answers from: EM and F1, and gold that was kept and not used."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.artefacts.workbench import Workbench
from core.errors import BudgetReached, InputError
from core.evaluation.measures import Judging
from core.jobs.maker import metered
from core.models.leave import Leave
from core.models.money.budget import Budget
from core.retrievers import Spec, make
from core.retrievers.cost_forecast import forecast_all
from core.runs import Run, Runs
from core.runs.analysis.leaderboard import leaderboard_rows
from core.runs.analysis.slices import slices
from core.runs.answers import AnsweringRetriever, is_answered_by
from core.runs.configuration import configuration
from core.runs.evaluation_report import report_of
from core.runs.measuring import begin, evaluate, measure
from core.types import Query
from tests.core.five import QUESTION
from tests.llm.replies import answered
from tests.llm.server import Answer, ChatServer, Request, endpoint

SPECS = [Spec.parse(text) for text in ("bm25", "dense", "bm25(top_k=1)")]
TOKENS = 120
ASKED = [
    QUESTION,
    Query("q2", "Who bought Harbour Rovers?", ("Mara Quist",), ("club",)),
    Query("q3", "Where does it lie?", gold=("town",)),
]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(lambda request: Answer(json.dumps(answered(request.data)))) as running:
        yield running


def with_model(workbench: Workbench, server: ChatServer, budget: Budget) -> Workbench:
    oracle, _ = metered(workbench.index.path, endpoint(server), Leave("a test"), budget)
    return workbench.with_oracle(oracle)


@pytest.fixture
def bench(workbench: Workbench, server: ChatServer) -> Workbench:
    return with_model(workbench, server, Budget())


def begun(bench: Workbench) -> Run:
    return begin(bench, ASKED, SPECS, name="Read", question_set="file", answers=True)


def test_each_result_is_answered_from_and_scored(bench: Workbench, server: ChatServer):
    run = begun(bench)
    measure(run, bench)
    runs = Runs(bench.index.path)
    row = runs.row(run.id, "bm25", "q1")
    assert row
    assert (row.em, row.f1) == (1, 1)
    # It cites the club and the owner; the town, which is gold too, it names and does not cite.
    assert {fate.gold: fate.stage for fate in row.fates} == {
        "owner": "kept",
        "town": "unused",
    }
    assert runs.stages(run.id, "bm25")["unused"] >= 1
    assert (row.calls, row.tokens) == (1, TOKENS)
    other = runs.row(run.id, "bm25", "q2")
    assert other
    assert other.em == 0  # nobody was born
    nobody = runs.row(run.id, "bm25", "q3")
    assert nobody
    assert (nobody.em, nobody.f1, nobody.calls) == (None, None, 0)
    board = leaderboard_rows(runs, run)
    assert board[0].em == board[0].f1 == 100 * (1 + 0) / 2
    report = report_of(runs, run)
    assert report.measures("bm25").em == 50
    assert report.measures("bm25").n_answers == 2


def test_to_abstain_is_right_where_nothing_answers(workbench: Workbench):
    nothing = {"reasoning": "", "citations": [], "found": False, "answer": ""}
    asked = [
        Query("n", "Who painted it?", ("Insufficient information.",)),
        Query("s", "Who sank it?", details={"answerable": ("no",)}),
        Query("w", "Who bought Harbour Rovers?", ("Mara Quist",)),
    ]
    with ChatServer(lambda _: Answer(json.dumps(nothing))) as server:
        bench = with_model(workbench, server, Budget())
        run = begin(bench, asked, SPECS[:1], name="N", question_set="file", answers=True)
        measure(run, bench)
    rows = [Runs(bench.index.path).row(run.id, "bm25", each.id) for each in asked]
    assert [row and row.em for row in rows] == [1, 1, 0]


def test_a_judge_says_what_em_does_not(workbench: Workbench):
    """EM, string accuracy and judge of three answers; what is no answer needs no judge."""
    answers = {"a": "the town of Port Selby", "b": "Selby", "c": "", "d": "Port Selby"}

    def script(request: Request) -> Answer:
        data = request.data
        if "references" in data:
            return Answer(json.dumps({"reason": "Same.", "correct": "Selby" in data["answer"]}))
        said = answers[data["question"][0].lower()]
        rests = {"reasoning": "", "citations": []}
        return Answer(json.dumps({**rests, "found": bool(said), "answer": said}))

    with ChatServer(script) as server:
        bench = with_model(workbench, server, Budget())
        right = ("Port Selby",)
        asked = [Query(id_, f"{id_.upper()} was born where?", right, type=id_) for id_ in "abc"]
        asked.append(Query("d", "D was born where?", details={"answerable": ("no",)}, type="d"))
        report = evaluate(asked, bench, SPECS[:1], answers=True, judge=True)
        prompts = [r.data for r in server.requests if "references" in r.data]
        run = begin(bench, asked, SPECS[:1], name="J", answers=True, judge=True)
        measure(run, bench)
    assert {one["answer"] for one in prompts} == {answers["a"], answers["b"]}
    assert len(prompts) == 2
    assert all(one["references"] == [*right] for one in prompts)
    assert [row.score.em if row.score else None for row in report.rows] == [0, 0, 0, 0]
    assert [row.accuracy for row in report.rows] == [1, 0, 0, 0]
    assert [row.judge for row in report.rows] == [1, 1, 0, 0]
    assert report.answering
    assert report.answering.judging == Judging("scripted", 2, 0, 200, 40, 0)
    told = report.named("bm25")
    assert (told["EM"], told["Accuracy"], told["Judge"], told["Agreement"]) == (0, 25, 50, 50)
    of_b = {"n_answers": 1, "EM": 0, "F1": pytest.approx(200 / 3), "Accuracy": 0}
    by = report.to_json()["answers_by"]
    assert by["type"]["b"] == {"bm25": {**of_b, "Judge": 100, "Agreement": 0}}
    assert list(by) == ["type"]  # none has gold, which would tell the hops
    runs = Runs(bench.index.path)
    (board,) = leaderboard_rows(runs, run)
    assert board.answers == {"EM": 0, "F1": pytest.approx(100 * (2 / 3 + 2 / 3) / 4)} | {
        name: told[name] for name in ("Accuracy", "Judge", "Agreement")
    }
    by_type = {one.value: one.by["bm25"].mean for one in slices(runs, run, "type", "judge")}
    assert by_type == {"a": 100, "b": 100, "c": 0, "d": 0}
    assert runs.answers(run.id, "bm25")["b"].text == "Selby"
    runs.delete(run.id)
    assert runs.answers(run.id, "bm25") == {}


def test_runs_of_before_have_no_answers_of_their_own(bench: Workbench):
    run = begun(bench)
    measure(run, bench)
    runs = Runs(bench.index.path)
    with sqlite3.connect(runs.path) as file:
        file.execute("DROP TABLE answers")
    (first, *_) = leaderboard_rows(runs, run)
    assert first.answers == {"EM": 50, "F1": 50} | dict.fromkeys(("Accuracy", "Judge", "Agreement"))
    assert "Judge" not in report_of(runs, run).named("bm25")


def test_another_model_reads(workbench: Workbench):
    """The traversal model plans, the reader answers; each is asked, kept and paid for by name."""

    def script(request: Request) -> Answer:
        data = request.data
        if "passages" in data:
            assert request.body["model"] == "reader"
            return Answer(json.dumps(answered(data)))
        assert request.body["model"] == "scripted"
        planned = {"questions": [data.get("question")]}
        known = {"memory": "", "enough": True, "next": None, "answers": [""]}
        return Answer(json.dumps(planned if "most" in data else known))

    spec = Spec.parse("logicrag(over=bm25)")
    with ChatServer(script) as server:
        one = endpoint(server)
        two = replace(one, reader=replace(one, model="reader"))
        oracle, meter = metered(workbench.index.path, two, Leave("a test"), Budget())
        bench = workbench.with_oracle(oracle)
        texts = frozenset([QUESTION.text])
        retriever = AnsweringRetriever(make(spec, bench), bench, texts)
        assert forecast_all([retriever], [QUESTION.text]).calls == 3
        assert forecast_all([make(spec, bench)], [QUESTION.text]).calls == 2
        assert server.requests == []
        run = begin(bench, ASKED[:1], [spec], name="Two", answers=True)
        measure(run, bench)
        assert meter.spending.calls == len(server.requests) == 3
    assert (run.settings["model"], run.settings["reader"]) == ("scripted", "reader")
    row = Runs(bench.index.path).row(run.id, str(spec), "q1")
    assert row
    assert (row.em, row.calls) == (1, 3)
    alone = with_model(workbench, server, Budget())
    assert not is_answered_by(run, alone.oracle)
    with pytest.raises(InputError, match="has changed since"):
        measure(run, alone)
    assert configuration(alone, spec) == run.configuration(str(spec))


def test_what_a_retriever_answers_itself_is_scored_and_not_asked_for(workbench: Workbench):
    known = Answer(json.dumps({"reasoning": "", "answer": "Port Selby"}))
    with ChatServer(lambda _: known) as server:
        bench = with_model(workbench, server, Budget())
        spec = Spec("zero-shot")
        run = begin(bench, ASKED[:2], [spec], name="Known", question_set="file", answers=True)
        measure(run, bench)
        rows = [Runs(bench.index.path).row(run.id, "zero-shot", id_) for id_ in ("q1", "q2")]
    assert [row and row.em for row in rows] == [1, 0]
    assert len(server.requests) == 2


def test_a_reader_gets_what_the_retriever_found_out(workbench: Workbench):
    """LogicRAG's memory has the answer, which no passage holds."""
    remembered = {"memory": "It is church clocks.", "enough": True, "next": None, "answers": [""]}

    def script(request: Request) -> Answer:
        data = request.data
        if "passages" not in data:
            said = {"questions": [data["question"]]} if "most" in data else remembered
            return Answer(json.dumps(said))
        told = " ".join(data.get("findings", []))
        knows = {"found": True, "answer": "church clocks"} if "church clocks" in told else {}
        nothing = {"reasoning": "", "citations": [], "found": False, "answer": ""}
        return Answer(json.dumps({**nothing, **knows}))

    with ChatServer(script) as server:
        bench = with_model(workbench, server, Budget())
        asked = [Query("c", "What did Ilo Venn mend?", ("church clocks",))]
        specs = [Spec.parse("logicrag(over=bm25)"), Spec.parse("bm25")]
        run = begin(bench, asked, specs, name="M", question_set="file", answers=True)
        measure(run, bench)
    rows = [Runs(bench.index.path).row(run.id, str(each), "c") for each in specs]
    assert [row and row.em for row in rows] == [1, 0]


def test_what_two_retrievers_find_alike_is_asked_once(bench: Workbench, server: ChatServer):
    run = begun(bench)
    measure(run, bench)
    bodies = [json.dumps(request.body, sort_keys=True) for request in server.requests]
    assert len(bodies) == len(set(bodies))
    rows = [row for each in SPECS for row in Runs(bench.index.path).rows(run.id, str(each))]
    assert sum(row.calls - row.kept for row in rows) == len(bodies)
    assert sum(row.calls for row in rows) == 2 * len(SPECS)


def test_a_budget_stops_it_and_nothing_is_paid_for_twice(workbench: Workbench, server: ChatServer):
    bench = with_model(workbench, server, Budget())
    run = begun(bench)
    poor = with_model(workbench, server, Budget(tokens=1))
    with pytest.raises(BudgetReached):
        measure(run, poor)
    runs = Runs(workbench.index.path)
    assert runs.get(run.id).state == "stopped"
    assert server.requests == []
    measure(run, bench)
    made = len(server.requests)
    assert runs.get(run.id).state == "finished"
    again = begin(bench, ASKED, SPECS, name="Again", question_set="file", answers=True)
    measure(again, bench)
    assert len(server.requests) == made
    for mine, theirs in zip(
        leaderboard_rows(runs, again), leaderboard_rows(runs, run), strict=True
    ):
        assert (mine.em, mine.f1, mine.calls) == (theirs.em, theirs.f1, theirs.calls)


def test_a_reply_that_cannot_be_used_is_wrong_and_rests_on_nothing(
    bench: Workbench, server: ChatServer
):
    server.answer = lambda request: Answer("I do not know.")
    run = begin(bench, ASKED[:1], SPECS[:1], name="Read", question_set="file", answers=True)
    measure(run, bench)
    row = Runs(bench.index.path).row(run.id, "bm25", "q1")
    assert row
    assert (row.em, row.f1) == (0, 0)
    assert {fate.stage for fate in row.fates} == {"unused"}


def test_answers_need_a_model_and_something_to_compare_with(workbench: Workbench, bench: Workbench):
    with pytest.raises(InputError, match="need a language model"):
        begun(workbench)
    with pytest.raises(InputError, match="No question has an 'answer'"):
        begin(bench, ASKED[2:], SPECS, name="None", answers=True)


def test_another_model_does_not_answer_the_rest(workbench: Workbench, bench: Workbench):
    run = begun(bench)
    with pytest.raises(InputError, match="has changed since"):
        measure(run, workbench)
