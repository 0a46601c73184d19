"""A command's own call is leave to ask a model, and what that takes is said first."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.cli.common import open_workbench
from core.errors import LeaveMissing
from core.retrievers import make
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.core.wrappers import register
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request

Cli = Callable[..., Result]
NAMED = ["named", "named(times=2)", "named(over=named(times=2))"]
CALLS = r"about (\d+) calls? \(at most (\d+)\), "


def first(request: Request) -> Answer:
    """Follows the most similar edge, as is guessed."""
    return Answer(json.dumps({"reason": "", "verdict": "indirectly relevant", "follow": 1}))


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    register(monkeypatch)
    with configured(first, monkeypatch) as server:
        yield server


@pytest.fixture
def cli(server: ChatServer) -> Cli:
    return lambda *arguments: CliRunner().invoke(app, [str(each) for each in arguments])


def told(pattern: str, done: Result) -> tuple[int, int]:
    """The expected number of calls and its bound, as printed on standard error."""
    assert done.exit_code == 0, done.output
    found = re.search(pattern, done.stderr)
    assert found, done.stderr
    assert "free of charge if the server is your own" in done.stderr
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("wrapped", NAMED)
def test_an_open_index_gives_no_leave(server: ChatServer, built: Path, wrapped: str) -> None:
    retriever = make(wrapped, open_workbench(str(built)))
    with pytest.raises(LeaveMissing):
        list(retriever.retrieve(QUESTION.text))
    assert server.requests == []


@pytest.mark.parametrize("wrapped", NAMED)
def test_asking_what_wraps_another(cli: Cli, server: ChatServer, built: Path, wrapped: str) -> None:
    ask = ("ask", QUESTION.text, "--index", built, "--retriever", wrapped)
    expected, most = told(rf"scripted: {CALLS}", cli(*ask))
    made = len(server.requests)
    assert 0 < expected == made < most
    assert "scripted: no calls: all replies are cached." in cli(*ask).stderr
    assert len(server.requests) == made


def test_who_asks_no_model_says_nothing_of_one(cli: Cli, server: ChatServer, built: Path) -> None:
    for retriever in ("bm25", "named(over=dense,times=2)"):
        done = cli("ask", QUESTION.text, "--index", built, "--retriever", retriever)
        assert done.exit_code == 0, done.output
        assert "scripted" not in done.stderr
    assert server.requests == []


def test_evaluating_says_what_as_many_will_take(
    cli: Cli, server: ChatServer, built: Path, tmp_path: Path
) -> None:
    server.answer = choose
    questions = tmp_path / "questions.jsonl"
    asked = [QUESTION.text, "Who married Ilo Venn?", "Where is the Lantern Ground?"]
    rows = [{"id": str(i), "question": text, "gold": ["town"]} for i, text in enumerate(asked)]
    questions.write_text("\n".join(map(json.dumps, rows)))
    evaluate = ("evaluate", questions, "--index", built, "--retrievers", "bm25,named(times=2)")
    done = cli(*evaluate)
    expected, most = told(rf"named\(times=2\) by scripted for 3 questions: {CALLS}", done)
    assert "bm25 by" not in done.stderr
    made = len(server.requests)
    assert 0 < made <= most
    assert expected < most
    again = cli(*evaluate).stderr
    assert "named(times=2) by scripted for 3 questions: no calls: all replies are cached." in again
    assert len(server.requests) == made
