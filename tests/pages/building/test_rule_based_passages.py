"""The Build page names the passages that rules did instead of the model, and asks again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import jobs
from tests.llm.configured import configured
from tests.llm.refusing import no_sense
from tests.llm.replies import extraction, questions
from tests.llm.server import Answer, ChatServer, Request
from tests.pages.journeys import checked, frames, opened

ROWS = [{"id": f"p{n}", "title": f"Place {n}", "text": f"It lies by River {n}."} for n in range(4)]


def stumbling(request: Request) -> Answer:
    return (no_sense if request.data["title"] == "Place 2" else questions)(request)


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(stumbling, monkeypatch) as running:
        yield running


def test_they_are_named_and_asked_for_again(
    server: ChatServer, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    given = tiny_home / "four.jsonl"
    given.write_text("\n".join(map(json.dumps, ROWS)))
    index = tiny_home / "indexes" / "four"
    jobs.run(jobs.Job("build", index, (given,), maker="scripted"))
    app = opened("build", index="four")
    warned = app.warning[0].value.replace("\\", "")
    assert "1 passage of 4 have rule-based pseudo-queries" in warned
    table = next(f for f in frames(app) if "Reason" in f.columns)
    assert table["Passage"].tolist() == ["Place 2"]
    assert table["Reason"].tolist()[0]
    server.answer = questions
    made = len(server.requests)
    checked(app.button(key="build_again").click().run())
    assert inline_jobs[-1].again
    assert len(server.requests) == made + 1
    app = opened("build", index="four")
    assert not app.warning


def test_entities_without_a_usable_reply_are_asked_for_again(
    server: ChatServer, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    server.answer = lambda request: (
        no_sense(request) if request.data["title"] == "Place 2" else extraction(request)
    )
    given = tiny_home / "four.jsonl"
    given.write_text("\n".join(map(json.dumps, ROWS)))
    jobs.run(jobs.Job("build", tiny_home / "indexes" / "four", (given,), extractor="scripted"))
    app = opened("build", index="four")
    assert any("Rules extract those of 1 passage without" in each.value for each in app.caption)
    server.answer = extraction
    made = len(server.requests)
    checked(app.button(key="build_extract_again").click().run())
    assert inline_jobs[-1].again
    assert [one.data["title"] for one in server.requests[made:]] == ["Place 2"]
    app = opened("build", index="four")
    assert any("extracted by scripted for 4 of 4 passages" in each.value for each in app.caption)
    assert "build_extract_again" not in [each.key for each in app.button]
