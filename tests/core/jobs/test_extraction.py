"""Jobs and commands whose entities and triples a scripted model extracts."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import core as hoprag
from core.cli import app
from core.errors import BudgetReached, InputError
from core.jobs import Job, run, state
from core.models.money.budget import Budget
from core.progress import Progress
from core.settings import settings
from core.store.extraction_table import stored_extraction
from core.store.index import Index
from core.store.tables import read_meta
from tests.core.fakes import WordEmbedder
from tests.llm.configured import configured
from tests.llm.replies import extraction, questions
from tests.llm.server import Answer, ChatServer, Request

TOKENS = (700, 150)


def both(request: Request) -> Answer:
    """To both prompts of a build."""
    asked = request.body["response_format"]["json_schema"]["name"]
    return replace((extraction if asked == "extract" else questions)(request), tokens=TOKENS)


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(both, monkeypatch) as running:
        yield running


def cli(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_build_says_what_the_extraction_cost(
    server: ChatServer, files: Path, index: Path
) -> None:
    seen: list[Progress] = []
    run(Job("build", index, (files,), maker="scripted", extractor="scripted"), seen.append)
    told = [each.spending for each in seen if each.stage == "extract"]
    assert str(told[-1]) == "10 calls, 8,500 tokens"
    assert len(stored_extraction(Index.open(index))) == 5
    now = state(index)
    assert now is not None
    assert now.spending == told[-1]
    assert now.job == replace(Job("build", index, (files,), maker="scripted"), extractor="scripted",
                              embedder=now.job.embedder if now.job else "")  # fmt: skip


def test_a_budget_stops_the_job_and_resuming_pays_for_the_rest(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BudgetReached, match=r"spent 2,550 of 7,000 tokens in 3 calls"):
        run(Job("build", index, (files,), extractor="scripted", budget=Budget(tokens=7000)))
    now = state(index)
    assert now is not None
    assert (now.stage, now.out_of_budget, now.resumable) == ("extract", True, True)
    assert now.job is not None
    run(now.job)
    run(now.job)
    assert len(server.requests) == 5


def test_the_command_extracts_and_adding_goes_on(
    server: ChatServer, files: Path, index: Path, tmp_path: Path
) -> None:
    build = ("build", files, "--index", index, "--extract")
    done = cli(*build, "--pilot", "--json")
    assert done.exit_code == 0, done.output
    assert (json.loads(done.stdout)["kept"], json.loads(done.stdout)["unusable"]) == (5, 0)
    assert len(server.requests) == 5
    done = cli(*build)
    assert done.exit_code == 0, done.output
    assert len(server.requests) == 5
    assert "extracted by scripted for 5 of 5 passages" in " ".join(done.stderr.split())
    assert "extracted by scripted" in cli("info", "--index", index).stdout
    told = json.loads(cli("info", "--index", index, "--json").stdout)["extraction"]
    assert (told["source"], told["by_model"], told["passages"]) == ("scripted", True, 5)

    new = tmp_path / "new.jsonl"
    new.write_text('{"title": "Ash Brewery", "text": "Ash Brewery belongs to Mara Quist."}')
    done = cli("add", new, "--index", index)
    assert done.exit_code == 0, done.output
    assert server.requests[-1].data["title"] == "Ash Brewery"
    assert len(server.requests) == 6
    found = read_meta(index).extraction
    assert found is not None
    assert found.passages == 6


def test_unusable_replies_are_counted_and_asked_for_again(
    server: ChatServer, files: Path, index: Path
) -> None:
    server.answer = lambda request: (
        Answer("no") if request.data["title"] == "Ilo Venn" else both(request)
    )
    done = cli("build", files, "--index", index, "--extract")
    assert done.exit_code == 0, done.output
    assert "Rules extract the entities of 1 passage" in " ".join(done.stderr.split())
    server.answer = both
    made = len(server.requests)
    done = cli("add", "--index", index, "--ask-again")
    assert done.exit_code == 0, done.output
    assert len(server.requests) == made + 1
    assert len(stored_extraction(Index.open(index))) == 5


def test_mistakes_are_said_before_anything_is_asked(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = cli("build", files, "--index", index, "--extract", "--openie", files)
    assert done.exit_code == 2
    assert "Use either --openie FILE or --extract." in done.stderr
    with pytest.raises(InputError, match="five texts needs the model other for its entities and"):
        run(Job("build", index, (files,), extractor="other"))
    with pytest.raises(InputError, match="either openie or extract"):
        hoprag.build(files, index, openie=files, extract=1.0)
    monkeypatch.delenv("HOPRAG_LLM")
    settings.cache_clear()
    assert (
        "No language model is configured"
        in cli("build", files, "--index", index, "--extract").stderr
    )
    with pytest.raises(InputError, match="No language model is configured"):
        hoprag.build(files, index, extract=1.0)
    assert not server.requests


def test_a_notebook_extracts_within_its_budget(
    server: ChatServer, files: Path, index: Path
) -> None:
    with pytest.raises(BudgetReached):
        hoprag.build(files, index, extract=Budget(tokens=7000))
    opened = hoprag.build(files, index, extract=Budget(tokens=70_000))
    assert len(stored_extraction(opened.index)) == 5
    assert len(server.requests) == 5
