"""`ask --answer` and `evaluate --answers`, with the scripted model and without one."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.settings import settings
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.llm import faults
from tests.llm.configured import configured
from tests.llm.replies import answered
from tests.llm.server import Answer, ChatServer, Request

Cli = Callable[..., Result]
KEY = "sk-only-for-this-test"


def correct(request: Request) -> Answer:
    return Answer(json.dumps(answered(request.data)))


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: WordEmbedder())
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    yield lambda *arguments: CliRunner().invoke(app, [str(each) for each in arguments])
    settings.cache_clear()


@pytest.fixture
def model(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(correct, monkeypatch, HOPRAG_LLM_KEY=KEY) as server:
        yield server


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    row = {"id": "q1", "question": QUESTION.text, "gold": list(QUESTION.gold), "dataset": "five"}
    path.write_text(json.dumps({**row, "answer": "Port Selby"}))
    return path


def test_an_answer_with_its_citations(cli: Cli, model: ChatServer, built: Path) -> None:
    done = cli("ask", QUESTION.text, "--index", built, "--answer")
    assert done.exit_code == 0
    assert "Answer: Port Selby [club] [owner]" in done.stdout
    assert "From all 5 passages." in done.stdout
    assert "Evidence" not in done.stdout
    said = json.loads(cli("ask", QUESTION.text, "--index", built, "--answer", "--json").stdout)
    assert said["answer"]["text"] == "Port Selby"
    assert said["answer"]["citations"] == ["club", "owner"]
    assert said["answer"]["dropped_citations"] == []
    assert said["evidence"] is None
    assert len(model.requests) == 1


def test_without_a_model_the_evidence(cli: Cli, built: Path) -> None:
    done = cli("ask", QUESTION.text, "--index", built, "--answer")
    assert done.exit_code == 0
    assert "Evidence, not an answer:" in done.stdout
    assert "Harbour Rovers is a football club.  [club]" in done.stdout
    said = json.loads(cli("ask", QUESTION.text, "--index", built, "--answer", "--json").stdout)
    assert said["answer"] is None
    assert {"id": "club", "words": ["harbour", "rovers"]}.items() <= said["evidence"][0].items()
    assert "answer" not in json.loads(cli("ask", "Who?", "--index", built, "--json").stdout)


def test_a_model_that_fails_leaves_the_evidence(cli: Cli, model: ChatServer, built: Path) -> None:
    model.answer = lambda _: faults.refusal()
    done = cli("ask", QUESTION.text, "--index", built, "--answer")
    assert done.exit_code == 1
    assert "Error: The model gave no answer. " in done.stderr
    assert "Evidence, not an answer:" in done.stdout


def test_nothing_of_an_answer_steers_the_terminal(cli: Cli, model: ChatServer, built: Path) -> None:
    reply = {"reasoning": "a\x1b[2J", "citations": ["\x1b[31m"], "found": True, "answer": "\x07b"}
    model.answer = lambda _: Answer(json.dumps(reply))
    done = cli("ask", QUESTION.text, "--index", built, "--answer")
    assert "Answer: b" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "Ignored citations of unknown passages: " in done.stderr


def test_evaluating_answers(
    cli: Cli, model: ChatServer, built: Path, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "measures.json"
    asked = ("evaluate", questions, "--index", built, "--retrievers", "bm25,dense", "--json", out)
    done = cli(*asked, "--answers")
    assert done.exit_code == 0
    calls = len(model.requests)
    written = json.loads(out.read_text())
    assert written["answers"]["calls"] == calls
    assert written["answers"]["model"] == "scripted"
    found = written["retrievers"]["dense"]["by_dataset"]["five"]
    assert (found["n_answers"], found["EM"], found["F1"]) == (1, 100.0, 100.0)
    for name in ("n_answers", "EM", "F1"):
        assert name in done.stdout
    assert done.stderr.count("scripted: about 1 call (at most 2)") == calls
    assert f"Answered by scripted: {calls} calls, {100 * calls} tokens in" in done.stderr
    again = cli(*asked, "--answers")
    assert again.stderr.count("scripted: no calls: all replies are cached.") == 2
    assert f"0 calls, 0 tokens in, 0 out; {calls} replies from the cache" in again.stderr
    assert "EM" not in cli(*asked).stdout
    assert not {"answers", "EM"} & json.loads(out.read_text()).keys()
    for text in (done.stdout, done.stderr, json.dumps(written)):
        assert KEY not in text
        assert model.url not in text


def test_evaluating_answers_without_a_model(cli: Cli, built: Path, questions: Path) -> None:
    done = cli("evaluate", questions, "--index", built, "--retrievers", "bm25", "--answers")
    assert done.exit_code == 2
    assert "Set HOPRAG_LLM" in done.stderr


def test_evaluating_answers_that_nobody_knows(
    cli: Cli, model: ChatServer, built: Path, tmp_path: Path
) -> None:
    unknown = tmp_path / "unknown.jsonl"
    unknown.write_text('{"question": "Who?", "gold": ["club"]}')
    done = cli("evaluate", unknown, "--index", built, "--retrievers", "bm25", "--answers")
    assert done.exit_code == 2
    assert "No question has an 'answer'" in done.stderr
    assert model.requests == []


def test_a_server_that_fails_ends_the_evaluation(
    cli: Cli, model: ChatServer, built: Path, questions: Path
) -> None:
    model.answer = lambda _: Answer("No.", status=401)
    done = cli("evaluate", questions, "--index", built, "--retrievers", "bm25", "--answers")
    assert done.exit_code == 1
    assert "rejected the key" in done.stderr


def test_imported_results_are_answered_from_and_judged(
    cli: Cli, model: ChatServer, built: Path, questions: Path, tmp_path: Path
) -> None:
    """One file has texts and ranks of passages, the other an answer of its own."""

    def script(request: Request) -> Answer:
        if "references" in request.data:
            return Answer(json.dumps({"reason": "", "correct": "Selby" in request.data["answer"]}))
        return correct(request)

    model.answer = script
    club = {"text": "Mara Quist bought it.", "title": "Harbour Rovers", "id": "c1"}
    texts, own = tmp_path / "texts.jsonl", tmp_path / "own.jsonl"
    row = {"question": QUESTION.text, "contexts": [club, {"id": "owner"}]}
    texts.write_text(json.dumps(row))
    own.write_text(json.dumps({**row, "answer": "in Port Selby"}))
    files = ("--import-run", texts, "--import-run", own)
    out = tmp_path / "out.json"
    asked = (*("evaluate", questions, "--index", built, "--retrievers", "bm25"), "--run", "R")
    done = cli(*asked, *files, "--answers", "--judge", "--force", "--json", out)
    assert done.exit_code == 0, done.output
    assert "Answers from imported results without answers of their own" in done.stderr
    found = {name: one["all"] for name, one in json.loads(out.read_text())["retrievers"].items()}
    told = {name: tuple(one[each] for each in _OF_ANSWERS) for name, one in found.items()}
    assert told == {
        "bm25": (1, 100, 100, 100, 100),
        "texts": (1, 100, 100, 100, 100),
        "own": (1, 0, 100, 100, 0),
    }
    read = [r.data["passages"] for r in model.requests if "passages" in r.data]
    assert read[-1][0]["text"] == club["text"]
    took = json.loads(out.read_text())["answers"]
    assert (took["calls"], took["judging"]["calls"]) == (2, 2)


_OF_ANSWERS = ("n_answers", "EM", "Accuracy", "Judge", "Agreement")
