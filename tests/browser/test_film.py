"""The film in a real browser: it shows what `frame` says, keeps up with keys, and asks nobody."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.cli.common import open_workbench
from core.playback import frame
from core.retrievers import make
from core.traces import record
from tests.browser.films import OUTSIDE, QUESTION, SIZES, drawn, opened, shown, texts_of, walked
from tests.browser.serving import Server, idle
from tests.browser.stage_probes import NAMELESS
from tests.core.film.decoding import ENDING, said_at

COUNT_MESSAGES = """() => {
  const send = WebSocket.prototype.send;
  globalThis.sent = 0;
  WebSocket.prototype.send = function (...all) {
    globalThis.sent += 1;
    return send.apply(this, all);
  };
}"""
COVERED = """() => {
  const film = globalThis.__hopFilm, {drawing, now} = film, covered = [];
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const seen = [...drawing.nodes.values()].filter(({i}) => now.nodes[i]);
  for (const {i, body, data} of seen) {
    if (!data.gold && now.nodes[i] !== "current") continue;
    for (const other of seen) {
      if (other.i === i || other.label.classList.contains("off")) continue;
      const under = meet(box(body), box(other.text));
      if (under) covered.push(`${data.label} by ${other.data.label} at ${now.t}`);
    }
  }
  return covered;
}"""
WAITING = ".queue .row:not(.went) .title"
TWINS = """() => {
  const drawn = [...globalThis.__hopFilm.drawing.lines.values()].filter(({role}) => role);
  return drawn.length - new Set(drawn.map(({pair}) => pair)).size;
}"""
HERE = "() => globalThis.__hopFilm.root.querySelector('.rounds .here').innerText"
LAID_OVER = """() => {
  const found = [], rounds = [...globalThis.__hopFilm.timeline.rounds.children];
  const words = (of) => {
    const range = document.createRange();
    range.selectNodeContents(of);
    return range.getBoundingClientRect();
  };
  for (const of of rounds) {
    const [number] = /\\d+$/.exec(of.dataset.label) ?? [""], own = words(of);
    const box = of.getBoundingClientRect();
    if (number && !of.textContent.endsWith(number)) found.push(`${of.dataset.label} has no number`);
    const cut = of.textContent && (own.left < box.left - 1 || own.right > box.right + 1);
    if (cut) found.push(`${of.textContent} is cut`);
    for (const other of rounds.filter((one) => one !== of && of.textContent && one.textContent)) {
      const on = other.classList.contains("here") ? other.getBoundingClientRect() : words(other);
      const apart = own.right <= on.left || own.left >= on.right;
      if (!apart && own.top < on.bottom && on.top < own.bottom)
        found.push(`${of.textContent} on ${other.textContent}`);
    }
  }
  return found;
}"""


def test_each_frame_of_the_screen_is_the_frame_of_the_steps(
    page: Any, server: Server, sample: Path
) -> None:
    workbench = open_workbench(str(sample))
    trace = record(make("hoprag-coverage", workbench), QUESTION, workbench.index)
    titles = {passage.id: passage.title for passage in trace.passages.values()}
    opened(page, server, retriever="hoprag-coverage", t="1", grain="event")
    stops = page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)")
    nodes = page.evaluate("globalThis.__hopFilm.film.nodes.map(({id, gold}) => [id, gold])")
    gold = [name for name, mark in nodes if mark]
    probes = [texts_of(of) for of in (".caption", ".ranking .row .title", WAITING)]
    said = walked(page, *probes)
    for (before, t), ((caption,), ranked, waiting) in zip(pairwise([0, *stops]), said, strict=True):
        now = frame(trace.steps, t)
        told = said_at(trace.steps, before, t, lambda name: titles.get(name, name), gold)
        assert caption == told or (now.ended and ENDING.fullmatch(caption))
        assert ranked == [titles[row.hit.passage_id] for row in now.standings]
        assert waiting == [titles[name] for name in now.queue]


def test_fifteen_presses_are_fifteen_steps_and_no_request(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, retriever="hoprag-similarity", t="1", grain="event")
    asked: list[str] = []
    # A browser asks for the icon again by itself when the address changes, as it may at a rest.
    icon = page.evaluate("document.querySelector(\"link[rel~='icon']\").href")
    page.on("request", lambda request: request.url == icon or asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.evaluate(COUNT_MESSAGES)
    stops = page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)")
    for _ in range(15):
        page.keyboard.press("ArrowRight", delay=0)
        page.wait_for_timeout(50)
    assert shown(page) == stops[15]
    assert asked == []
    page.keyboard.press("Home")
    page.keyboard.press("s")  # twice as fast
    page.keyboard.press("Space")
    page.wait_for_function("globalThis.__hopFilm.now.t > 3")
    assert asked == []
    page.keyboard.press("Space")
    page.keyboard.press("End")
    drawn(page)
    assert shown(page) == stops[-1]
    page.wait_for_url(re.compile(rf"[?&]stop={len(stops)}(&|$)"))
    assert asked == []
    assert page.evaluate("globalThis.sent") == 0


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_that_matters_is_covered_or_out_of_sight(
    page: Any, server: Server, sample: Path, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    opened(page, server, retriever="hoprag-similarity", t="1", grain="event")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for wrong in walked(page, COVERED, OUTSIDE):
            assert wrong == [[], []]


def test_places_stay_while_it_plays(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, t="1", grain="event")
    places = "[...globalThis.__hopFilm.drawing.nodes.values()].map(({i, x, y}) => [i, x, y]).join()"
    names = (
        "[...globalThis.__hopFilm.drawing.nodes.values()]"
        ".map(({text}) => text.getAttribute('x') + ' ' + text.getAttribute('y')).join()"
    )
    before = page.evaluate(places), page.evaluate(names)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        drawn(page)
    assert (page.evaluate(places), page.evaluate(names)) == before


def test_what_changes_nothing_is_told_together_while_it_plays(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, t="1", grain="event", present="1")
    film = "globalThis.__hopFilm"
    together = page.evaluate(f"{film}.film.timeline.together")
    t = int(next(t for t, one in together.items() if "caption" in one))
    stops = page.evaluate(f"{film}.stops.map(({{t}}) => t)")
    still = page.evaluate(f"{film}.film.timeline.still")
    seen = [one for one in stops[: stops.index(t)] if one not in still]
    page.evaluate(f"{film}.go({seen[-1]})")
    caption = page.locator(".story .caption")
    page.keyboard.press("Space")
    page.wait_for_function(f"{film}.root.dataset.t === '{t}'")
    page.keyboard.press("Space")
    assert caption.inner_text() == together[str(t)]["caption"]
    place = page.locator(".story .place")
    tells = [one for one in stops if one not in still or one == stops[-1]]
    assert place.inner_text() == f"{tells.index(t) + 1} of {len(tells)}"
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function(f"{film}.root.dataset.t === '{stops[stops.index(t) - 1]}'")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function(f"{film}.root.dataset.t === '{t}'")
    assert (
        caption.inner_text() == page.evaluate(f"{film}.now.caption") != together[str(t)]["caption"]
    )
    assert place.inner_text() == f"stop {stops.index(t) + 1} of {len(stops)}"


def test_nothing_is_drawn_before_it_happens(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, retriever="hoprag-similarity", t="1", grain="event")
    there = "globalThis.__hopFilm.root.querySelectorAll('.drawing g.node:not(.off)').length"
    assert page.evaluate(there) == 0
    ends = page.locator(".hop-arrival td:last-child").first
    assert ends.is_hidden()
    page.keyboard.press("ArrowRight")
    drawn(page)
    seeds = page.evaluate(there)
    page.keyboard.press("End")
    drawn(page)
    assert 0 < seeds < page.evaluate(there) <= 25
    assert ends.is_visible()


def test_a_node_tells_its_passage_and_is_marked(page: Any, server: Server, sample: Path) -> None:
    opened(page, server)
    row = page.locator(".ranking .row:not(.gold)").first
    title = row.locator(".title").inner_text()
    row.click()
    assert page.locator(".details h3").inner_text().endswith(title)
    page.get_by_role("button", name="Mark as gold").click()
    page.locator(".gold-chip", has_text=title).wait_for()
    assert "by hand" in page.locator(".gold-chip", has_text=title).inner_text()
    assert title in page.locator(".details h3").inner_text()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    page.locator(".gold-chip", has_text=title).wait_for(state="detached")


def test_marks_that_are_made_at_once_are_all_kept(page: Any, server: Server, sample: Path) -> None:
    burst = """async () => {
      const film = globalThis.__hopFilm, plain = ({kind, gold}) => kind === "passage" && !gold;
      const ids = globalThis.burst ??= film.film.nodes.filter(plain).slice(0, 4).map(({id}) => id);
      for (const id of ids) {
        film.acts.mark(id);
        await new Promise((done) => setTimeout(done, 40));
      }
    }"""
    opened(page, server, retriever="bm25")
    by_hand = page.locator(".gold-chip", has_text="by hand")
    for count in (4, 0):
        page.evaluate(burst)
        drawn_chips = f"""() => globalThis.__hopFilm.film.gold
          .filter(({{marked}}) => marked === "hand").length === {count}"""
        page.wait_for_function(drawn_chips, timeout=20_000)
        idle(page)
        assert by_hand.count() == count


def test_another_question_moves_nothing_and_leaves_the_keys_at_the_player(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, retriever="bm25")
    top, tops = "globalThis.__hopFilm.root.getBoundingClientRect().top", set()
    for _ in range(6):  # the sixth is longer than its field
        tops.add(page.evaluate(top))
        before = page.evaluate("globalThis.__hopFilm.film.query")
        page.keyboard.press("]")
        page.wait_for_function("(was) => globalThis.__hopFilm.film.query !== was", arg=before)
        idle(page)
    assert len(tops) == 1
    focused = "globalThis.__hopFilm.root.getRootNode().activeElement"
    assert page.evaluate(f"{focused} === globalThis.__hopFilm.playButton")


def test_in_a_narrow_drawing_none_stands_without_its_name(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 980, "height": 800})
    opened(page, server, retriever="hoprag-similarity", t="1", grain="event")
    assert page.evaluate("globalThis.__hopFilm.drawing.plan.columns.lanes")
    assert page.evaluate("globalThis.__hopFilm.drawing.left.size")  # they count with the others
    looked = """() => Object.entries(globalThis.__hopFilm.now.nodes).filter(([, role]) =>
      role === "current").map(([i]) => globalThis.__hopFilm.film.nodes[i].label)"""
    for nameless, at in walked(page, NAMELESS, looked):
        assert set(nameless) <= set(at)  # which the sentence names


@pytest.mark.parametrize("present", ["", "1"])
def test_no_name_on_the_timeline_covers_another(
    page: Any, server: Server, sample: Path, present: str
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, present=present, t="1", grain="event", retriever="hoprag-coverage")
    for over, here, twins in walked(page, LAID_OVER, HERE, TWINS):
        assert over == []
        assert here
        assert twins == 0


def test_a_queue_that_goes_on_says_how_far_and_what_came_last(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, server, t="6", grain="event", retriever="hoprag-similarity")
    drawn(page)
    names = page.locator(".queue .row .name").all_inner_texts()
    away = page.locator(".queue .away").inner_text()
    before = page.locator(".queue .away").evaluate(
        "(of) => [...of.parentNode.children].indexOf(of)"
    )
    assert away == f"+{len(names) - before} more, last: {names[-1]}"


def test_no_line_of_a_name_cuts_the_letters_of_another(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, present="1", stop="99", retriever="hoprag-similarity")
    drawn(page)
    letters = page.locator(".label:not(.off) > text:last-child")
    strokes = letters.evaluate_all("(all) => all.map((of) => getComputedStyle(of).stroke)")
    assert strokes
    assert set(strokes) == {"none"}


def test_everything_has_what_was_not_taken(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, retriever="hoprag-coverage", view="everything")
    entry = page.locator(".legend .entry:visible", has_text=re.compile("^Not taken")).inner_text()
    refused = "() => Object.values(__hopFilm.now.lines).filter((role) => role === 'refused').length"
    assert entry.split()[-1] == str(page.evaluate(refused))
