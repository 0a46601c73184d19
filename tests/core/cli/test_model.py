"""`ask --retriever hoprag-llm`: what it says before it asks, what it writes, what it keeps."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.settings import settings
from core.traces import load
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import ChatServer

Ask = Callable[..., Result]


@pytest.fixture
def ask(built: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)

    def call(*options: object) -> Result:
        line = ["ask", QUESTION.text, "--index", built, "--retriever", "hoprag-llm", *options]
        return CliRunner().invoke(app, [str(each) for each in line])

    settings.cache_clear()
    yield call
    settings.cache_clear()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(choose, monkeypatch) as server:
        yield server


def test_what_it_will_take_is_said_first(ask: Ask, server: ChatServer, tmp_path: Path) -> None:
    done = ask("--trace", tmp_path / "t.jsonl", "--json")
    assert done.exit_code == 0, done.output
    told = re.search(
        r"scripted: about (\d+) calls? \(at most (\d+)\), .* tokens \(at most .*\), "
        r"free of charge if the server is your own\.",
        done.stderr,
    )
    assert told
    assert int(told[1]) <= len(server.requests) <= int(told[2])
    assert json.loads(done.stdout)["retriever"] == "hoprag-llm"
    written = (tmp_path / "t.jsonl").read_bytes()
    asked = [s for s in load(written).steps if s.told.exchange]
    assert len(asked) == len(server.requests)
    assert server.url.split("/")[2].encode() not in written


def test_again_it_takes_no_call(ask: Ask, server: ChatServer) -> None:
    first = ask("--json")
    made = len(server.requests)
    again = ask("--json", "--hops", "2")
    assert "scripted: no calls: all replies are cached." in again.stderr
    assert len(server.requests) == made
    assert first.exit_code == again.exit_code == 0


def test_without_a_model_it_says_how_to_get_one(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    done = ask()
    assert done.exit_code == 2
    assert "set HOPRAG_LLM to its name" in done.output
