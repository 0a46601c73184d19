"""A story plays anywhere: from a file, with no network, and shows what `frame` says."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.playback import frame
from core.traces import Trace, dump
from core.walkthroughs.making import make_walkthrough
from core.walkthroughs.story import Framing, story
from tests.core.examples import NAMES, NESTED
from tests.core.worlds import EDGES, ONE_SHOT, PASSAGES, QUERY, TITLES, WALK

STEPS = {"a walk": WALK, "one shot": ONE_SHOT, "nested": NESTED}
PLAYER = "globalThis.__hopWalkthrough"
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"


def written(trace: Trace, folder: Path) -> Path:
    """The story of `trace`, exported by the command line."""
    file, out = folder / "trace.jsonl", folder / "story.html"
    file.write_bytes(dump(trace))
    wanted = ["export", str(out), "--format", "story", "--trace", str(file)]
    done = CliRunner().invoke(app, wanted)
    assert done.exit_code == 0, done.output
    return out


@pytest.mark.parametrize("name", STEPS)
def test_each_headline_and_ranking_is_that_of_the_steps(
    browser: Any, tmp_path: Path, name: str
) -> None:
    steps, names = STEPS[name], {**TITLES, **NAMES}
    page_file = written(
        Trace(QUERY, "any", "five", "g", steps, PASSAGES, EDGES, ("town", "owner"), "2026-01-01"),
        tmp_path,
    )
    assert page_file.stat().st_size < 1_000_000
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page = context.new_page()
    asked: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(f"{page_file.as_uri()}#step=1&every=1")
    page.wait_for_function(f"{PLAYER}?.data")
    made = page.evaluate(f"{PLAYER}.data")
    for number in made["every"]:
        stop, now = made["stops"][number], frame(steps, made["stops"][number]["t"])
        page.evaluate(PAINTED)
        assert stop["headline"] in page.locator(".walkthrough").inner_text()
        shown = [
            made["nodes"][r["node"]]["title"] for r in made["rankings"][stop["ranking"]]["rows"]
        ]
        assert shown == [names[row.hit.passage_id] for row in now.ranking_rows]
        page.keyboard.press("ArrowRight")
    context.close()
    assert [url.partition("#")[0] for url in asked] == [page_file.as_uri()]
    assert troubles == []


HOSTILE = "<img src=x onerror=alert(1)> </script>"


def test_what_was_written_is_shown_first_and_last_as_text(browser: Any, tmp_path: Path) -> None:
    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, ("town",), "2026-01-01")
    file = tmp_path / "story.html"
    long = "Many words. " * 160
    framing = Framing(HOSTILE, f"{HOSTILE}\n\n{long}", f"The end {HOSTILE}")
    file.write_bytes(story(make_walkthrough(trace), framing))
    context = browser.new_context(viewport={"width": 1024, "height": 768}, offline=True)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(file.as_uri())
    slide = page.locator(".slide")
    slide.wait_for()
    assert slide.locator("h3").inner_text() == HOSTILE
    assert slide.locator("p").first.inner_text() == HOSTILE
    assert page.title() == HOSTILE
    assert page.evaluate(
        "() => { const [s, p] = ['.slide', '.stage'].map((q) => document.querySelector(q)"
        ".getBoundingClientRect()); return s.bottom <= p.bottom + 1 && s.top >= p.top - 1 }"
    )
    page.keyboard.press("End")
    assert slide.locator("p").all_inner_texts() == [f"The end {HOSTILE}"]
    page.keyboard.press("ArrowLeft")
    page.locator(".chain").wait_for()
    assert page.locator("img").count() == 0
    context.close()
    assert troubles == []
