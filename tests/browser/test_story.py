"""A story plays anywhere: from a file, with no network, and shows what `frame` says."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.playback import frame, stops
from core.store.index import Index
from core.traces import Trace, dump
from tests.core.examples import NAMES, NESTED, THINGS
from tests.core.film.decoding import ENDING, said_at
from tests.core.worlds import EDGES, ONE_SHOT, PASSAGES, QUERY, TITLES, WALK

STEPS = {"a walk": WALK, "one shot": ONE_SHOT, "nested": NESTED}
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
def test_each_caption_and_ranking_is_that_of_the_steps(
    browser: Any, tmp_path: Path, name: str
) -> None:
    steps, names = STEPS[name], {**TITLES, **NAMES}
    titles = {one.casefold() for one in TITLES.values()}
    names |= {  # what is called as a passage is says its kind
        one.id: f"{one.label} ({one.kind})"
        for one in THINGS.values()
        if one.label.casefold() in titles and one.kind != "query"
    }
    gold = ("town", "owner")
    story = written(
        Trace(QUERY, "any", "five", "g", steps, PASSAGES, EDGES, gold, "2026-01-01"), tmp_path
    )
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page = context.new_page()
    asked: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(f"{story.as_uri()}#t=1&grain=event")
    page.locator(".film .caption:not(:empty)").wait_for()
    all_stops = stops(steps, "event")

    def title(node: str) -> str:
        return names.get(node, node)

    for number, t in enumerate(all_stops, start=1):
        now = frame(steps, t)
        place = page.locator(".film .place").inner_text()
        assert place == f"stop {number} of {len(all_stops)}"
        told = said_at(steps, all_stops[number - 2] if number > 1 else 0, t, title, gold)
        shown = page.locator(".film .caption").inner_text()
        assert shown == told or (now.ended and ENDING.fullmatch(shown))
        ranked = page.locator(".ranking .row .title").all_inner_texts()
        assert ranked == [names[row.hit.passage_id] for row in now.standings]
        page.keyboard.press("ArrowRight")
        page.evaluate(PAINTED)
    context.close()
    assert asked == [story.as_uri()] or asked == [f"{story.as_uri()}#t=1&grain=event"]
    assert troubles == []


STRUCK = """() => {
  const {drawing} = globalThis.__hopFilm, struck = [];
  const seen = [...drawing.nodes.values()].filter(({role, label}) =>
    role && !label.classList.contains("off"));
  const lines = [...drawing.lines.values()].filter(({role}) => role === "chosen");
  for (const {text, data} of seen) {
    const {x, y, width, height} = text.getBBox();
    for (const {stroke, data: of} of lines) {
      for (let at = 0; at < stroke.getTotalLength(); at += 4) {
        const p = stroke.getPointAtLength(at);
        const across = p.x > x + 1 && p.x < x + width - 1;
        if (!across || p.y < y + 3 || p.y > y + height - 3) continue;
        struck.push(`${data.label} by ${of.label}`);
        break;
      }
    }
  }
  return struck;
}"""


GOLD_FIRST = """() => {
  const {drawing} = globalThis.__hopFilm, box = (of) => of.getBoundingClientRect();
  const drawn = [...drawing.nodes.values()].filter(({role}) => role), found = [];
  const lines = [...drawing.lines.values()].filter(({role}) => role);
  for (const {i, label, text, body, data} of drawn.filter(({data}) => data.gold)) {
    const words = [...text.children].map((line) => line.textContent).join(" ");
    const name = box(text), star = box(body);
    const dx = Math.max(0, name.left - star.right, star.left - name.right);
    const dy = Math.max(0, name.top - star.bottom, star.top - name.bottom);
    const seen = words === data.label && !label.classList.contains("off");
    if (!seen || Math.hypot(dx, dy) > 8) found.push(`${data.label} as ${words}`);
    for (const other of drawn.filter((one) => one.i !== i)) {
      const {left, right, top, bottom} = box(other.body);
      const apart = left > name.right - 1 || right < name.left + 1;
      if (!apart && top < name.bottom - 1 && bottom > name.top + 1) found.push(`over ${words}`);
    }
    for (const {stroke} of lines) {
      const {x, y, width, height} = text.getBBox();
      for (let at = 0; at < stroke.getTotalLength(); at += 4) {
        const p = stroke.getPointAtLength(at);
        const across = p.x > x + 1 && p.x < x + width - 1;
        if (across && p.y > y + 4 && p.y < y + height - 4) found.push(`through ${words}`);
      }
    }
  }
  return found;
}"""


def test_no_name_lies_under_a_line_that_is_followed(
    browser: Any, tmp_path: Path, five: tuple[Index, dict[str, Trace]]
) -> None:
    page = browser.new_page()
    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
    page.goto(f"{written(trace, tmp_path).as_uri()}#t=1&grain=round")
    for _ in stops(WALK, "round"):
        assert page.evaluate(STRUCK) == []
        page.keyboard.press("ArrowRight")
        page.evaluate(PAINTED)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.emulate_media(reduced_motion="reduce")  # a star that grows is no measure
    for key in ("hipporag2", "ircot"):  # in front of an audience that of gold comes first
        page.goto("about:blank")
        page.goto(f"{written(five[1][key], tmp_path).as_uri()}#t=1&grain=event")
        page.keyboard.press("p")
        for _ in stops(five[1][key].steps, "event"):
            page.evaluate(PAINTED)
            assert page.evaluate(GOLD_FIRST) == []
            page.keyboard.press("ArrowRight")
    page.close()


def test_one_that_opens_at_its_end_begins_with_the_arrow_that_leads_on(
    browser: Any, tmp_path: Path
) -> None:
    page = browser.new_page()
    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
    page.goto(f"{written(trace, tmp_path).as_uri()}#t={len(WALK)}&grain=event")
    place = page.locator(".film .place")
    last = len(stops(WALK, "event"))
    for key, number in (("ArrowRight", 1), ("End", last), ("ArrowRight", last)):
        page.keyboard.press(key)
        page.evaluate(PAINTED)
        assert place.inner_text() == f"stop {number} of {last}"
    page.close()


def test_it_plays_by_itself_to_its_end(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    trace = Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, (), "2026-01-01")
    page.goto(f"{written(trace, tmp_path).as_uri()}#t=1&grain=whole")
    last = len(stops(WALK, "event"))  # it is no whole of others
    page.keyboard.press("s")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".film .place", has_text=f"stop {last} of {last}").wait_for(timeout=60_000)
    page.get_by_role("button", name="Play from the start").wait_for()
    assert page.url.endswith("#t=1&grain=whole") or f"#stop={last}" in page.url
    page.close()
