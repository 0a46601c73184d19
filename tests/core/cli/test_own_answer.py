"""`ask` shows the answer that a retriever gave itself, and claims nothing about what it did not
search for."""

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
from tests.llm.configured import configured
from tests.llm.server import Answer, ChatServer, Request

Ask = Callable[..., Result]


def script(request: Request) -> Answer:
    """Zero-shot and logic RAG answer; DualRAG has enough before it has searched for anything."""
    data = request.data
    if set(data) == {"question"}:
        return Answer(json.dumps({"reasoning": "I remember it.", "answer": "Port Selby"}))
    if "most" in data:
        return Answer(json.dumps({"thought": "I know that one.", "enough": True, "names": []}))
    return Answer("{}")


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(script, monkeypatch) as server:
        yield server
    settings.cache_clear()


@pytest.fixture
def ask(server: ChatServer, built: Path) -> Ask:
    def call(retriever: str, *options: str, question: str = QUESTION.text) -> Result:
        line = ["ask", question, "--index", str(built), "--retriever", retriever, *options]
        return CliRunner().invoke(app, line)

    return call


@pytest.mark.parametrize("question", [QUESTION.text, "xyzzy qwertz"], ids=["matching", "not"])
def test_zero_shot_shows_the_answer_that_was_paid_for(ask: Ask, question: str) -> None:
    done = ask("zero-shot", question=question)
    assert done.exit_code == 0, done.output
    assert "Answer by zero-shot itself: Port Selby" in done.stdout
    assert "I remember it." in done.stdout
    assert "No passage was retrieved: nothing is searched for." in done.stderr
    assert "has a word of" not in done.output
    assert "near by chance" not in done.output


def test_with_answers_from_passages_it_claims_nothing_about_passages(ask: Ask) -> None:
    done = ask("zero-shot", "--answer")
    assert done.exit_code == 0, done.output
    assert "Port Selby" in done.stdout
    assert "has a word of" not in done.output


def test_enough_at_once_shows_what_the_model_said(ask: Ask) -> None:
    done = ask("dualrag")
    assert done.exit_code == 0, done.output
    told = "No passage was retrieved: the notes are enough. The reasoner said: I know that one."
    assert told in done.stderr
    assert "has a word of" not in done.output


def test_as_json_it_is_there_too(ask: Ask) -> None:
    assert json.loads(ask("zero-shot", "--json").stdout)["own_answer"] == "Port Selby"
    assert json.loads(ask("dualrag", "--json").stdout)["own_answer"] is None


def test_what_was_searched_for_and_not_found_is_said_to_be(ask: Ask) -> None:
    done = ask("bm25", question="xyzzy qwertz")
    assert done.stderr.count("o passage contains a word of the question") == 1
    assert "Answer by" not in done.output
