"""`make` of what a model has a part in: its price is told, paid on a command of its own, once."""

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
from tests.llm.faults import refusal
from tests.llm.replies import choose
from tests.llm.server import ChatServer

Run = Callable[..., Result]


@pytest.fixture
def run(built: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    yield lambda *line: CliRunner().invoke(app, [*map(str, line), "--index", str(built)])
    settings.cache_clear()


@pytest.fixture
def server(run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(choose, monkeypatch) as server:
        yield server


def test_with_a_model_it_is_foreseen_and_made_by_a_command_of_its_own(
    run: Run, server: ChatServer
) -> None:
    asking = ("ask", QUESTION.text, "--retriever", "raptor", "--json")
    refused = run(*asking)
    assert refused.exit_code != 0
    assert "core make" in refused.stderr
    assert server.requests == []

    made = run("make", "tree")
    assert made.exit_code == 0, made.output
    assert "scripted: about 1 call (at most 2), " in made.stderr
    assert ", free of charge if the server is your own." in made.stderr
    assert len(server.requests) == 1
    row = next(r for r in json.loads(run("shelf", "--json").stdout) if r["name"] == "tree")
    assert (row["maker"], row["spending"]["calls"]) == ("scripted", 1)

    assert run(*asking).exit_code == 0
    assert "up to date" in run("make", "tree").stderr
    assert len(server.requests) == 1


def test_without_a_model_a_question_builds_it_and_nothing_is_foreseen(run: Run) -> None:
    done = run("ask", QUESTION.text, "--retriever", "raptor", "--json")
    assert done.exit_code == 0, done.output
    assert "tree" in done.stderr
    assert "about" not in done.stderr


def test_what_the_model_wrote_is_said_at_the_end_and_in_every_list(
    run: Run, server: ChatServer
) -> None:
    made = run("make", "tree")
    assert "tree: 1 of 1 summaries by scripted" in made.stderr
    row = next(r for r in json.loads(run("shelf", "--json").stdout) if r["name"] == "tree")
    counted = {"model": "scripted", "by_model": 1, "by_rules": 0, "why": ""}
    assert row["authorship"] == counted
    assert "1 of 1 summaries by scripted" in run("shelf").stdout
    assert "1 of 1 summaries by scripted" in run("info").stdout
    known = json.loads(run("info", "--json").stdout)["artefacts"]
    assert next(r for r in known if r["name"] == "tree")["authorship"] == counted


def test_a_model_that_writes_nothing_ends_the_command_and_is_asked_anew_on_wish(
    run: Run, server: ChatServer
) -> None:
    working, server.answer = server.answer, lambda _: refusal()
    made = run("make", "tree")
    assert made.exit_code != 0
    assert "tree was not built: scripted gave no usable reply (0 of 1 summaries)." in " ".join(
        made.stderr.split()
    )
    assert "The model declined to answer." in " ".join(made.stderr.split())
    assert "tree" not in {row["name"] for row in json.loads(run("shelf", "--json").stdout)}
    server.answer = working
    assert run("make", "tree", "--ask-again").exit_code == 0
