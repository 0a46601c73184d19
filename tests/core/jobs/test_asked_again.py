"""What rules did in place of a model is named, and asked for again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.jobs import state
from core.store.index import Index
from core.store.tables import read_meta
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS
from tests.llm.configured import configured
from tests.llm.refusing import no_sense
from tests.llm.replies import questions
from tests.llm.server import Answer, ChatServer, Request

BAD = "Mara Quist"


def stumbling(request: Request) -> Answer:
    return (no_sense if request.data["title"] == BAD else questions)(request)


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(stumbling, monkeypatch) as running:
        yield running


def cli(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_build_names_what_rules_did_and_adding_asks_again(
    server: ChatServer, files: Path, tmp_path: Path
) -> None:
    index = tmp_path / "five"
    build = ("build", files, "--index", index, "--maker", "model")
    done = cli(*build)
    assert done.exit_code == 0, done.output
    assert "Rule-based pseudo-queries: owner: " in done.stderr
    now = state(index)
    assert now is not None
    assert list(now.missed) == ["owner"]
    assert now.missed["owner"]
    assert read_meta(index).counts.fallbacks == 1

    server.answer = questions
    made = len(server.requests)
    assert cli("add", "--index", index).exit_code == 2
    assert cli(*build).exit_code == 0
    assert len(server.requests) == made  # what is kept and unusable stands until it is asked again
    done = cli("add", "--index", index, "--ask-again")
    assert done.exit_code == 0, done.output
    assert len(server.requests) == made + 1
    assert read_meta(index).counts.fallbacks == 0
    assert len(Index.open(index).documents) == len(TEXTS)
    assert "By rules" not in done.stderr
