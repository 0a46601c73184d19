"""Jobs and commands that ask a scripted model."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.errors import BudgetReached, InputError
from core.jobs import JOURNAL, Job, resume, run, state
from core.models.kept.replies import Replies
from core.models.money.budget import Budget
from core.progress import Progress
from core.settings import settings
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.llm.configured import configured
from tests.llm.replies import questions
from tests.llm.server import ChatServer

KEY = "sk-very-secret"
TOKENS = (700, 150)


@pytest.fixture
def server(words: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A model called `scripted`, configured as a user would."""
    with configured(
        lambda request: replace(questions(request), tokens=TOKENS), monkeypatch, HOPRAG_LLM_KEY=KEY
    ) as running:
        yield running


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "five"


def test_a_build_by_a_model_says_what_it_paid_for(
    server: ChatServer, files: Path, index: Path
) -> None:
    seen: list[Progress] = []
    run(Job("build", index, (files,), maker="scripted"), seen.append)
    assert Index.open(index).meta.maker == "scripted"
    told = [each.spending for each in seen if each.stage == "questions"]
    assert str(told[-1]) == "5 calls, 4,250 tokens"
    assert all(each.spending is None for each in seen if each.stage != "questions")
    now = state(index)
    assert now is not None
    assert now.spending == told[-1]
    assert not now.out_of_budget


def test_neither_key_nor_address_is_written_anywhere(
    server: ChatServer, files: Path, index: Path
) -> None:
    run(Job("build", index, (files,), maker="scripted", budget=Budget(tokens=10_000)))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for path in index.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert KEY.encode() not in content
        assert server.url.encode() not in content
    raw = json.loads((index / JOURNAL).read_text().splitlines()[0])["job"]
    assert (raw["maker"], raw["budget"]) == ("scripted", {"money": None, "tokens": 10_000})


def test_a_budget_stops_a_job_and_more_of_it_finishes(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BudgetReached, match=r"spent 2,550 of 7,000 tokens in 3 calls"):
        run(Job("build", index, (files,), maker="scripted", budget=Budget(tokens=7000)))
    now = state(index)
    assert now is not None
    assert (now.status, now.out_of_budget, now.resumable) == ("cancelled", True, True)
    assert "resume" in now.message
    assert now.job is not None
    assert now.job.budget == Budget(tokens=7000)
    assert len(server.requests) == 3

    monkeypatch.setattr("core.jobs.process.start", run)
    resume(index, Budget(tokens=9000))
    now = state(index)
    assert now is not None
    assert (now.status, now.out_of_budget) == ("finished", False)
    assert len(server.requests) == 5
    assert Replies(index).spent().calls == 5


def test_a_journal_of_an_older_version_is_a_job_by_rules(index: Path) -> None:
    raw = Job("build", index).to_dict()
    del raw["maker"], raw["budget"]
    assert Job.from_dict(raw, index) == Job("build", index, embedder=raw["embedder"])


@pytest.mark.parametrize("model", ["", "other"])
def test_without_its_model_an_index_is_not_changed(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    run(Job("build", index, (files,), maker="scripted"))
    monkeypatch.setenv("HOPRAG_LLM", model)
    settings.cache_clear()
    for job in (
        Job("build", index, (files,), maker="scripted"),
        Job("add", index, (files,)),
        Job("remove", index, documents=("club",)),
    ):
        with pytest.raises(InputError, match=r"five needs the model scripted.*HOPRAG"):
            run(job)
    assert len(Index.open(index).passages) == 5


def test_adding_asks_about_what_is_new(
    server: ChatServer, files: Path, index: Path, tmp_path: Path
) -> None:
    run(Job("build", index, (files,), maker="scripted"))
    more = tmp_path / "more.txt"
    more.write_text("Port Ellen is a village on Islay, an island of whisky.")
    run(Job("add", index, (more,)))
    assert len(server.requests) == 6
    run(Job("remove", index, documents=("club",)))
    assert len(server.requests) == 6
    assert {query.maker for query in Index.open(index).graph.all_pseudo_queries} == {"scripted"}


def cli(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_builds_with_a_model_within_a_budget(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = ("build", files, "--index", index, "--maker", "model")
    code, _, told = cli(*build, "--budget-tokens", 7000)
    assert code == 3
    assert "spent 2,550 of 7,000 tokens in 3 calls" in " ".join(told.split())
    code, _, told = cli(*build, "--budget", 1)  # it may be a gateway that bills
    assert code == 2
    assert "in = 0 and out = 0 for your own server" in " ".join(told.split())
    prices = files.parent / "prices.toml"
    prices.write_text("[scripted]\nin = 0\nout = 0\n")
    monkeypatch.setenv("HOPRAG_PRICES", str(prices))
    settings.cache_clear()
    code, said, _ = cli(*build, "--budget", 1, "--json")
    assert code == 0
    assert json.loads(said)["spending"]["calls"] == 2
    assert len(server.requests) == 5
    assert "scripted" in cli("info", "--index", index)[1]


def test_the_pilot_says_what_the_rest_will_take(
    server: ChatServer, files: Path, index: Path
) -> None:
    rows = [{"id": f"x{n}", "text": f"Place {n} lies by the River Ash."} for n in range(20)]
    files.write_text("\n".join(map(json.dumps, rows)))
    code, said, told = cli("build", files, "--index", index, "--pilot")
    assert code == 0
    assert len(server.requests) == 5
    [(low, high)] = re.findall(r"Tokens out\D+([\d,]+)\D+([\d,]+)", said)
    assert int(low.replace(",", "")) < 15 * 150 < int(high.replace(",", ""))
    assert "5 kept" in said
    assert "5 calls, 4,250 tokens. The build reuses its replies" in " ".join(told.split())
    assert not (index / JOURNAL).exists()
    cli("build", files, "--index", index, "--maker", "model")
    assert len(server.requests) == 20


def test_a_pilot_keeps_to_a_budget(server: ChatServer, files: Path, index: Path) -> None:
    code, _, told = cli("build", files, "--index", index, "--pilot", "--budget-tokens", 100)
    assert code == 3
    assert "Budget reached: this run has spent 0 of 100 tokens in 0 calls" in " ".join(told.split())
    assert server.requests == []


def test_what_cannot_be_asked_for(
    files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    for wish in (["--maker", "model"], ["--pilot"]):
        code, _, told = cli("build", files, "--index", index, *wish)
        assert code == 2
        assert "No language model is configured. Set HOPRAG_LLM" in told
    code, _, told = cli("build", files, "--index", index, "--budget", 0)
    assert code == 2
    assert "greater than zero" in told
    assert not index.exists()


def test_money_needs_a_price(
    server: ChatServer, files: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_LLM_URL", "https://far.example/v1")
    settings.cache_clear()
    code, _, told = cli("build", files, "--index", index, "--maker", "model", "--budget", 1)
    assert code == 2
    assert "This model has no known price" in told
