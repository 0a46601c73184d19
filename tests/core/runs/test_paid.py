"""A run that asks a model: foreseen, within a budget, and paid for once however it goes on."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.jobs import Job, evaluation_place, run, state
from core.runs import Runs
from core.runs.analysis.leaderboard import leaderboard_rows
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.llm.configured import configured
from tests.llm.replies import answered, choice
from tests.llm.server import Answer, ChatServer, Request

WALK = "hoprag-llm(n_hop=2)"
ASKED = (
    QUESTION.text,
    "Who toured with the Low Tide Band?",
    "On which river is the town of the Lantern Ground?",
)
TOKENS = 1500  # of a call, as the server counts them
Evaluate = Callable[..., Result]


def replied(request: Request) -> Answer:
    """To a walk, and to who answers from what it found."""
    reads = "passages" in request.data
    reply = json.dumps(answered(request.data) if reads else choice(request))
    return Answer(reply, tokens=(TOKENS - 200, 200))


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(replied, monkeypatch) as running:
        yield running


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    path = tmp_path / "asked.jsonl"
    rows = [
        {"id": f"q{number}", "question": text, "gold": ["town"], "answer": "Port Selby"}
        for number, text in enumerate(ASKED)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))

    def call(index: Path, *more: object) -> Result:
        line = ["evaluate", path, "--index", index, "--run", "First", "--retrievers"]
        return CliRunner().invoke(app, [str(each) for each in (*line, f"bm25,{WALK}", *more)])

    return call


@pytest.fixture
def free(built: Path, evaluate: Evaluate, server: ChatServer) -> Runs:
    """The whole run, without a budget, on a copy of the index."""
    copy = built.with_name("copy")
    shutil.copytree(built, copy)
    done = evaluate(copy)
    assert done.exit_code == 0, done.output
    return Runs(copy)


def bodies(server: ChatServer) -> list[str]:
    return [json.dumps(request.body, sort_keys=True) for request in server.requests]


def test_what_it_takes_is_said_before_and_stands_on_the_board(
    free: Runs, built: Path, evaluate: Evaluate, server: ChatServer
):
    made = len(server.requests)
    words, walk = leaderboard_rows(free, free.get("First"))
    assert (words.calls, words.tokens) == (0, 0)
    assert walk.calls * len(ASKED) == made
    assert walk.tokens * len(ASKED) == TOKENS * made
    done = evaluate(built, "--budget-tokens", 1)
    assert done.exit_code == 3
    assert len(server.requests) == made
    told = " ".join(done.stderr.split())
    (most,) = re.findall(r"by scripted for 3 questions: about \d+ calls? \(at most (\d+)\)", told)
    assert 0 < made <= int(most)
    assert Runs(built).get("First").state == "stopped"


def test_a_budget_stops_it_and_what_was_paid_is_not_paid_again(
    free: Runs, built: Path, evaluate: Evaluate, server: ChatServer
):
    whole = bodies(server)
    (most,) = re.findall(
        r"take up to ([\d,]+) tokens", evaluate(built, "--budget-tokens", 1).stderr
    )
    server.requests.clear()
    done = evaluate(built, "--budget-tokens", int(most.replace(",", "")) + 2 * TOKENS)
    assert done.exit_code == 3
    assert 0 < len(server.requests) < len(whole)
    runs = Runs(built)
    stopped = runs.get("First")
    assert stopped.state == "stopped"
    assert "budget" in stopped.message
    assert runs.count(stopped.id, "bm25") == len(ASKED)
    assert runs.count(stopped.id, WALK) < len(ASKED)

    run(Job("evaluate", built, run=stopped.id))
    now = state(evaluation_place(built))
    assert now is not None
    assert (now.status, now.done, now.total) == ("finished", 6, 6)
    assert sorted(bodies(server)) == sorted(whole)
    assert len(set(whole)) == len(whole)
    ended, other = runs.get("First"), free.get("First")
    assert ended.state == "finished"
    for mine, theirs in zip(
        leaderboard_rows(runs, ended), leaderboard_rows(free, other), strict=True
    ):
        assert (mine.calls, mine.tokens) == (theirs.calls, theirs.tokens)
        assert mine.measures == theirs.measures


def test_a_second_run_of_it_is_free_and_says_what_it_would_take(
    free: Runs, evaluate: Evaluate, server: ChatServer
):
    made = len(server.requests)
    again = evaluate(free.path.parent, "--run", "Second")
    assert again.exit_code == 0
    assert f"{WALK} by scripted for 3 questions: no calls: all replies are cached." in again.stderr
    assert len(server.requests) == made
    _, walk = leaderboard_rows(free, free.get("Second"))
    assert walk.calls * len(ASKED) == walk.kept == made
    assert walk.tokens * len(ASKED) == TOKENS * made


def test_answers_are_foreseen_too_and_kept_with_the_run(
    free: Runs, built: Path, evaluate: Evaluate, server: ChatServer
):
    made = len(server.requests)
    answered = evaluate(free.path.parent, "--run", "Read", "--answers")
    assert answered.exit_code == 0, answered.output
    read = len(server.requests) - made
    told = " ".join(answered.stderr.split())
    (expected,) = re.findall(r"bm25 and its answers by scripted for 3 questions: about (\d+)", told)
    assert int(expected) == len(ASKED) <= read <= 2 * len(ASKED)
    assert "EM" in answered.stdout
    words, walk = leaderboard_rows(free, free.get("Read"))
    assert words.em is not None
    assert words.calls == 1
    assert walk.calls * len(ASKED) == made + len(ASKED)
    other = evaluate(free.path.parent, "--run", "Read")
    assert other.exit_code == 2
