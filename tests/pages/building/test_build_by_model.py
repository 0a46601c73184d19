"""The Corpus and Build pages with a scripted model."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.models.money.budget import Budget
from core.settings import settings
from core.store.extraction_table import stored_extraction
from core.store.index import Index
from tests.llm.configured import configured
from tests.llm.replies import extraction, questions
from tests.llm.server import ChatServer
from tests.pages.journeys import checked, labels, opened, words

ROWS = [{"id": f"p{n}", "title": f"Place {n}", "text": f"It lies by River {n}."} for n in range(10)]
TOKENS = (700, 150)


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(
        lambda request: replace(questions(request), tokens=TOKENS), monkeypatch
    ) as running:
        yield running


def given() -> AppTest:
    """The Corpus page with a file of ten passages."""
    app = opened("corpus")
    content = "\n".join(map(json.dumps, ROWS)).encode()
    app.file_uploader[0].set_value([("ten.jsonl", content, "application/octet-stream")])
    return checked(app.run())


def test_without_a_model_one_line_says_how_to_get_it(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM", raising=False)
    settings.cache_clear()
    app = given()
    assert any(
        "language model" in each.value and "see Settings" in each.value for each in app.caption
    )
    assert [each for each in app.radio(key="corpus_maker").options if "model" in each] == []


def test_nothing_is_asked_without_a_click(server: ChatServer) -> None:
    app = given()
    assert app.radio(key="corpus_maker").value == "rules"
    app.radio(key="corpus_maker").set_value("scripted").run()
    assert "Pilot: ask about 5 passages" in labels(checked(app), "button")
    assert "Token budget" in labels(app, "number_input")  # a local model has no price
    assert not server.requests


def test_the_pilot_shows_ranges_and_its_replies_are_kept(
    server: ChatServer, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = given()
    app.radio(key="corpus_maker").set_value("scripted").run()
    app.button(key="corpus_pilot").click().run()
    shown = words(checked(app))
    assert "Calls 5 to 7 5 passages already cached" in shown
    least, most = re.search(r"Tokens out (\d+) to ([\d,]+)", shown).groups()
    assert int(least) <= 750 <= int(most.replace(",", ""))
    # A server near by may be the user's own, or a gateway that bills.
    assert "Price unknown" in shown
    assert len(server.requests) == 5
    # What it kept makes no index of the name.
    assert "Replace the index" not in " ".join(labels(app, "checkbox"))
    app.button(key="corpus_build").click().run()
    assert len(server.requests) == 10
    assert inline_jobs[0].maker == "scripted"
    index = Index.open(tiny_home / "indexes" / inline_jobs[0].index.name)
    assert index.meta.maker == "scripted"


def test_another_cut_needs_another_pilot(server: ChatServer) -> None:
    app = given()
    app.radio(key="corpus_maker").set_value("scripted").run()
    app.button(key="corpus_pilot").click().run()
    assert "Tokens out" in words(app)
    app.segmented_control[0].set_value("sentence").run()
    assert "Tokens out" not in words(checked(app))


def test_a_model_that_cannot_be_asked_is_said(server: ChatServer, tiny_home: Path) -> None:
    app = given()
    app.radio(key="corpus_maker").set_value("scripted").run()
    server.answer = lambda request: replace(questions(request), status=401)
    app.button(key="corpus_pilot").click().run()
    assert "key" in checked(app).error[0].value


def test_a_budget_ends_a_build_and_more_of_it_resumes(
    server: ChatServer, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    app = given()
    app.radio(key="corpus_maker").set_value("scripted").run()
    app.number_input(key="corpus_budget_tokens").set_value(8000).run()
    app.button(key="corpus_build").click().run()
    assert inline_jobs[0].budget == Budget(tokens=8000)
    name = inline_jobs[0].index.name
    app = opened("build", index=name)
    assert f"{name} was stopped" in words(app)
    assert "spent 3,400 of 8,000 tokens in 4 calls" in app.info[0].value
    # 3,400 and the largest that one more may take, in and out and thinking, are above 8,000.
    assert any("4 calls, 3,400 tokens" in each.value.replace("\\", "") for each in app.caption)
    assert labels(app, "button").count("Resume") == 0
    app.number_input(key="build_more_tokens").set_value(50_000).run()
    app.button(key="build_resume").click().run()
    checked(app)
    assert inline_jobs[1].budget == Budget(tokens=50_000)
    assert len(server.requests) == 10
    assert "pseudo-queries by scripted" in words(opened("build", index=name))


def test_the_model_extracts_entities_after_a_pilot(
    server: ChatServer, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    server.answer = lambda request: replace(extraction(request), tokens=TOKENS)
    app = given()
    app.checkbox(key="corpus_extract").set_value(True).run()
    assert not server.requests
    assert labels(app, "number_input").count("Token budget") == 1
    app.button(key="corpus_extract_pilot").click().run()
    assert "Calls 5 to 7 5 passages already cached" in words(checked(app))
    app.number_input(key="corpus_budget_tokens").set_value(50_000).run()
    app.button(key="corpus_build").click().run()
    checked(app)
    job = inline_jobs[0]
    assert (job.maker, job.extractor, job.budget) == ("rules", "scripted", Budget(tokens=50_000))
    assert len(server.requests) == 10
    assert len(stored_extraction(Index.open(job.index))) == 10
    app = opened("build", index=job.index.name)
    shown = [each.value for each in app.caption]
    assert any("extracted by scripted for 10 of 10 passages" in each for each in shown)


def test_both_parts_of_a_model_share_one_budget(server: ChatServer) -> None:
    app = given()
    app.radio(key="corpus_maker").set_value("scripted").run()
    app.checkbox(key="corpus_extract").set_value(True).run()
    assert labels(checked(app), "number_input").count("Token budget") == 1
