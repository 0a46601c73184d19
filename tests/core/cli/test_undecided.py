"""A model that decides nothing, or not all, is never passed off by `ask` and `evaluate`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.playback.decided import decided
from core.settings import settings
from core.traces import load
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.core.wrappers import register
from tests.llm.configured import configured
from tests.llm.refusing import no_sense, wrong_key
from tests.llm.replies import choose
from tests.llm.server import ChatServer

Cli = Callable[..., Result]
ASKS = ["hoprag-llm", "hipporag2", "ircot", "rerank(over=hoprag-llm)", "named(times=2)"]
THREE = [QUESTION.text, "Who married Ilo Venn?", "Where is the Lantern Ground?"]


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    register(monkeypatch)
    with configured(wrong_key, monkeypatch) as server:
        yield server


@pytest.fixture
def cli(server: ChatServer) -> Cli:
    return lambda *arguments: CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    rows = [{"id": str(i), "question": text, "gold": ["town"]} for i, text in enumerate(THREE)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.mark.parametrize("retriever", ASKS)
def test_a_result_without_its_model_is_called_so_and_is_an_error(
    cli: Cli, built: Path, retriever: str
) -> None:
    done = cli("ask", QUESTION.text, "--index", built, "--retriever", retriever)
    assert done.exit_code == 1, done.output
    assert f"{retriever} (no model)" in done.stdout
    assert "The model's reply was used in 0 of" in done.stdout
    assert "rejected the key" in done.stdout
    assert f"Error: This is not a result of {retriever}:" in done.stderr
    assert "--ask-again" in done.stderr


@pytest.mark.parametrize("retriever", ASKS)
def test_as_json_too(cli: Cli, built: Path, retriever: str, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    asked = ("ask", QUESTION.text, "--index", built, "--retriever", retriever)
    done = cli(*asked, "--json", "--trace", trace)
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert said["retriever"].endswith("(no model)")
    model = said["model"]
    assert (model["decided"], model["turned_to"]) == (0, model["fallbacks"])
    assert sum(model["why"].values()) == model["fallbacks"] > 0
    assert all("rejected the key" in why for why in model["why"])
    assert json.loads(trace.read_text().splitlines()[0])["model"] == model
    assert decided(load(trace.read_bytes()).steps).to_json() == model


def test_what_it_decided_is_counted(cli: Cli, server: ChatServer, built: Path) -> None:
    server.answer = lambda request: (choose if request.number % 2 else no_sense)(request)
    asked = ("ask", QUESTION.text, "--index", built, "--retriever", "hoprag-llm")
    done = cli(*asked, "--json")
    assert done.exit_code == 0, done.output
    model = json.loads(done.stdout)["model"]
    assert model["decided"] + model["fallbacks"] == model["turned_to"]
    assert json.loads(done.stdout)["retriever"] == "hoprag-llm"
    told = f"The model's reply was used in {model['decided']} of {model['turned_to']} steps."
    assert told in cli(*asked).stdout


def test_who_asks_no_model_has_none(cli: Cli, built: Path) -> None:
    done = cli("ask", QUESTION.text, "--index", built, "--retriever", "bm25", "--json")
    assert json.loads(done.stdout)["model"] is None
    assert "The model" not in cli("ask", QUESTION.text, "--index", built).stdout


def test_where_there_is_no_model_what_stands_in_is_said(
    cli: Cli, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM")
    settings.cache_clear()
    done = cli("ask", QUESTION.text, "--index", built, "--retriever", "rerank(over=ircot)")
    assert done.exit_code == 0
    assert "it uses rules. Without a model, each thought is a retrieved sentence" in done.stderr


def test_an_evaluation_names_the_row_and_stops(
    cli: Cli, server: ChatServer, built: Path, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    wanted = "hoprag-similarity,hoprag-llm,bm25"
    done = cli("evaluate", questions, "--index", built, "--retrievers", wanted, "--json", out)
    assert done.exit_code == 1
    assert "rejected the key" in done.stderr
    assert "hoprag-llm (no model)" in done.stdout
    assert "hoprag-llm: The model's reply was used in 0 of" in done.stdout
    written = json.loads(out.read_text())
    assert list(written["retrievers"]) == ["hoprag-similarity", "hoprag-llm (no model)"]
    assert "rejected the key" in written["stopped"]
    row = written["retrievers"]["hoprag-llm (no model)"]
    assert row["all"]["decided"] == 0 < row["all"]["turned_to"]
    assert row["by_question"][0]["model"]["decided"] == 0
    assert row["model"]["turned_to"] == sum(
        one["model"]["turned_to"] for one in row["by_question"] if one["model"]
    )
    assert written["retrievers"]["hoprag-similarity"]["model"] is None


def test_a_model_that_talks_nonsense_ends_the_evaluation_after_three_replies(
    cli: Cli, server: ChatServer, built: Path, questions: Path
) -> None:
    server.answer = no_sense
    done = cli("evaluate", questions, "--index", built, "--retrievers", "hoprag-llm,bm25")
    assert done.exit_code == 1
    assert len(server.requests) == 3
    assert "first 3 replies were not in the requested form" in " ".join(done.output.split())


def test_an_evaluation_that_went_well(
    cli: Cli, server: ChatServer, built: Path, questions: Path, tmp_path: Path
) -> None:
    server.answer = choose
    out = tmp_path / "out.json"
    done = cli(
        "evaluate", questions, "--index", built, "--retrievers", "hoprag-llm,bm25", "--json", out
    )
    assert done.exit_code == 0, done.output
    written = json.loads(out.read_text())
    assert list(written["retrievers"]) == ["hoprag-llm", "bm25"]
    assert "stopped" not in written
    found = written["retrievers"]["hoprag-llm"]["all"]
    assert found["decided"] == found["turned_to"] > 0
    assert "Cost: " in done.stderr


@pytest.mark.parametrize("option", ["--trace", "--json"])
def test_places_to_write_are_looked_at_before_anything_is_asked(
    cli: Cli, server: ChatServer, built: Path, questions: Path, tmp_path: Path, option: str
) -> None:
    server.answer = choose
    command = {
        "--trace": ("ask", QUESTION.text, "--retriever", "hoprag-llm"),
        "--json": ("evaluate", questions, "--retrievers", "hoprag-llm"),
    }[option]
    for place in (tmp_path / "none" / "out", tmp_path, "/dev/full/x"):
        done = cli(*command, "--index", built, option, place)
        assert done.exit_code == 2, done.output
        assert "Could not write" in done.stderr
    assert server.requests == []
    kept = tmp_path / "kept"
    kept.write_text("precious")
    assert cli(*command, "--index", tmp_path / "no index", option, kept).exit_code == 1
    assert kept.read_text() == "precious"
    assert cli(*command, "--index", tmp_path / "no index", option, tmp_path / "new").exit_code == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("form", ["json", "csv", "graphml", "html"])
def test_an_export_too(cli: Cli, tmp_path: Path, form: str) -> None:
    for place in ("/", tmp_path / "none" / "out"):
        done = cli("export", place, "--index", tmp_path / "no index", "--format", form)
        assert done.exit_code == 2, done.output
        assert "Could not write" in done.stderr
