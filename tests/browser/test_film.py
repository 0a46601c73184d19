"""The film in a real browser: it shows what `frame` says, keeps up with keys, and asks nobody."""

import re
from pathlib import Path
from typing import Any

import pytest

from core.artefacts.workbench import Workbench
from core.cli.common import open_workbench
from core.evaluate.questions import read_questions
from core.playback import frame, sentence
from core.retrievers import make
from core.sample import QUESTIONS, suggested
from core.traces import record
from tests.browser.serving import Server, idle
from tests.core.film.decoding import ENDING
from tests.core.five import silent

QUESTION = suggested()[0]
SIZES = ((1440, 900), (1024, 768))


def opened(page: Any, server: Server, query: str = QUESTION, **params: str) -> None:
    """The Trace page with the film of `query`."""
    rest = "".join(f"&{name}={value}" for name, value in params.items())
    page.goto(f"{server.url}/trace?index=sample&q={query}{rest}")
    page.locator(".film .caption:not(:empty)").wait_for(timeout=90_000)
    idle(page)


def shown(page: Any) -> int:
    return int(page.evaluate("globalThis.__hopFilm.now.t"))


def drawn(page: Any) -> None:
    """Wait for the frame that was asked for to be painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")


def test_each_frame_of_the_screen_is_the_frame_of_the_steps(
    page: Any, server: Server, sample: Path
) -> None:
    workbench = open_workbench(str(sample))
    trace = record(make("hoprag-coverage", workbench), QUESTION, workbench.index)
    titles = {passage.id: passage.title for passage in trace.passages.values()}
    opened(page, server, retriever="hoprag-coverage", t="1", grain="event")
    stops = page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)")
    for t in stops:
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        now = frame(trace.steps, t)
        told = sentence(trace.steps, t, lambda name: titles.get(name, name))
        shown = page.locator(".film .caption").inner_text()
        assert shown == told or (now.ended and ENDING.fullmatch(shown))
        ranked = page.locator(".ranking .row .title").all_inner_texts()
        assert ranked == [titles[row.hit.passage_id] for row in now.standings]
        waiting = page.locator(".queue .row:not(.went) .title").all_inner_texts()
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
PACES = """() => {
  const film = globalThis.__hopFilm, {moments} = film.film.timeline;
  const gold = new Set(moments.filter(({kind}) => kind !== "offered").map(({t}) => t));
  return film.stops.map(({t, caption}) => {
    film.t = t;
    return {pause: film.pause, letters: caption.length, gold: gold.has(t)};
  });
}"""
OUTSIDE = """() => ['.queue', '.ranking', '.caption', '.track', '.drawing'].filter((part) => {
  const of = globalThis.__hopFilm.root.querySelector(part);
  const {top, bottom, left, right, width, height} = of.getBoundingClientRect();
  const outside = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
  return !width || !height || outside;
})"""

COUNTS = """() => {
  const {drawing} = globalThis.__hopFilm, box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const groups = drawing.groups.filter(({g}) => !g.classList.contains("off"));
  const nodes = [...drawing.nodes.values()].filter(({role}) => role);
  return groups.flatMap(({g}) => nodes
    .filter(({body}) => meet(box(g.firstChild), box(body))).map(({data}) => data.label));
}"""
NAMELESS = """() => [...globalThis.__hopFilm.drawing.nodes.values()]
  .filter(({role, label, text}) => role && (label.classList.contains("off") || !text.textContent))
  .map(({data}) => data.label)"""
TWINS = """() => {
  const drawn = [...globalThis.__hopFilm.drawing.lines.values()].filter(({role}) => role);
  return drawn.length - new Set(drawn.map(({pair}) => pair)).size;
}"""
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
TOUCHED = """() => {
  const film = globalThis.__hopFilm, {drawing, now} = film, found = [];
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const seen = [...drawing.nodes.values()].filter(({role}) => role);
  for (const {i, label, text, data} of seen.filter(({label}) => !label.classList.contains("off"))) {
    for (const other of seen) {
      if (other.i === i) continue;
      const named = !other.label.classList.contains("off") && meet(box(text), box(other.text));
      const over = named || meet(box(text), box(other.body));
      if (over) found.push(`${data.label} on ${other.data.label}`);
    }
  }
  const top = (now.board?.rows ?? []).filter(({node}) => node !== undefined).slice(0, 6);
  const drawn = new Set(seen.map(({i}) => i));
  const away = top.filter(({node, sign}) => sign !== "n" && !drawn.has(node));
  return [...found, ...away.map(({node}) => `${film.film.nodes[node].label} is away`)];
}"""
HALF = """() => {
  const {top, height} = globalThis.__hopFilm.drawing.svg.getBoundingClientRect();
  return top + height / 2;
}"""
WATCHED = """(() => {
  globalThis.bare = 0;
  const look = () => {
    const first = document.getElementById("first"), style = first && getComputedStyle(first);
    const outlined = style && style.display !== "none" && style.visibility !== "hidden";
    const seen = document.querySelector("#root *") && !globalThis.__hopFilm?.presenting;
    if (seen && !outlined) globalThis.bare += 1;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
LETTERS = """() => [...globalThis.__hopFilm.root.querySelectorAll('*')]
  .filter((of) => [...of.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((of) => of.checkVisibility() && !of.closest('.badge'))
  .map((of) => parseFloat(getComputedStyle(of).fontSize))"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_that_matters_is_covered_or_out_of_sight(
    page: Any, server: Server, sample: Path, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    opened(page, server, retriever="hoprag-similarity", t="1", grain="event")
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            drawn(page)
            assert page.evaluate(COVERED) == []
            assert page.evaluate(OUTSIDE) == []


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
    t = int(next(iter(together)))
    stops = page.evaluate(f"{film}.stops.map(({{t}}) => t)")
    still = page.evaluate(f"{film}.film.timeline.still")
    seen = [one for one in stops[: stops.index(t)] if one not in still]
    page.evaluate(f"{film}.go({seen[-1]})")
    caption = page.locator(".story .caption")
    page.keyboard.press("Space")
    page.wait_for_function(f"{film}.root.dataset.t === '{t}'")
    page.keyboard.press("Space")
    assert caption.inner_text() == together[str(t)]
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"{film}.root.dataset.t === '{stops[stops.index(t) - 1]}'")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"{film}.root.dataset.t === '{t}'")
    assert caption.inner_text() == page.evaluate(f"{film}.now.caption") != together[str(t)]


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


def test_a_presenter_sees_the_film_alone(page: Any, server: Server, sample: Path) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, present="1", t="1", grain="event", retriever="hoprag-similarity")
    sizes = page.evaluate(LETTERS)
    assert min(sizes) >= 18
    hint = page.locator(".film .hint")
    assert "Space plays" in hint.inner_text()
    assert page.locator(".film .star:visible").count() == len(page.evaluate("__hopFilm.film.gold"))
    page.keyboard.press("End")
    drawn(page)
    assert page.evaluate(NAMELESS) == []
    size = page.locator(".film .caption").get_attribute("class")
    page.context.set_offline(True)
    last = page.evaluate("globalThis.__hopFilm.stops.at(-1).t")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    drawn(page)
    assert shown(page) == last
    assert "read" in str(hint.get_attribute("class"))
    assert page.evaluate(OUTSIDE) == []
    assert page.locator(".film .caption").get_attribute("class") == size
    legend = "[...globalThis.__hopFilm.root.querySelectorAll('.entry')]"
    below = "(of) => of.offsetTop + of.offsetHeight > of.parentElement.offsetTop + 60"
    assert not page.evaluate(f"{legend}.some({below})")
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    assert "present=1" not in page.url
    assert page.locator(".film.presenting").count() == 0
    drawn(page)
    assert page.evaluate(COUNTS) == []


def test_on_a_stage_a_stop_stands_as_long_as_it_takes_to_read(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, present="1", t="1", grain="event", retriever="hoprag-similarity")
    stops = page.evaluate(PACES)
    decisive = [stop for stop in stops if stop["gold"]]
    assert decisive
    assert len(decisive) < len(stops)
    for stop in stops:
        read = min(5000, 900 + 25 * stop["letters"])
        assert stop["pause"] == read + (1500 if stop["gold"] else 0)
    slow = page.evaluate("globalThis.__hopFilm.pause")
    before = page.locator(".tool-play").bounding_box()
    page.locator(".film .speed").click()
    assert page.evaluate("globalThis.__hopFilm.pause") == slow / 2
    assert page.locator(".tool-play").bounding_box() == before
    page.keyboard.press("p")
    drawn(page)
    assert len({stop["pause"] for stop in page.evaluate(PACES)}) == 1


def test_on_a_stage_the_list_ends_with_gold_at_any_rank(
    page: Any, server: Server, sample: Path
) -> None:
    workbench = open_workbench(str(sample))
    for asked in read_questions(QUESTIONS):
        trace = record(make("hoprag-similarity", workbench), asked.text, workbench.index)
        hits = frame(trace.steps, len(trace.steps)).hits
        found = [trace.passages[hit.passage_id].document_id for hit in hits]
        ranks = [found.index(name) + 1 for name in asked.gold if name in found]
        if max(ranks, default=0) > 12:
            break
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, asked.text, present="1", stop="99", retriever="hoprag-similarity")
    told = page.locator(".ranking .row.gold .rank:visible").all_inner_texts()
    assert {*ranks} <= {int(rank) for rank in told}
    rows = page.locator(".ranking .rows")
    assert rows.evaluate("(of) => of.scrollHeight <= of.clientHeight")
    assert page.locator(".ranking .gap:visible").count() >= 1
    page.keyboard.press("ArrowLeft")
    drawn(page)
    assert page.locator(".ranking .gap").count() == 0


def test_nothing_of_the_page_is_seen_before_a_presenter_begins(
    page: Any, server: Server, sample: Path
) -> None:
    page.add_init_script(WATCHED)
    opened(page, server, present="1", t="1", retriever="bm25")
    assert page.evaluate("globalThis.bare") == 0
    page.keyboard.press("Escape")
    assert page.locator(".hop-title").is_visible()
    assert page.locator("#first").is_hidden()


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


def test_on_a_stage_all_that_spreads_is_named_and_no_name_touches_another(
    page: Any, server: Server, sample: Path
) -> None:
    stands = open_workbench(str(sample))
    workbench = Workbench(stands.index, stands.embedder, making=silent)
    record(make("hipporag2", workbench), QUESTION, workbench.index)  # the page finds what it made
    page.set_viewport_size({"width": 1024, "height": 768})
    page.emulate_media(reduced_motion="reduce")
    opened(page, server, present="1", t="1", grain="event", retriever="hipporag2")
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        assert page.evaluate(TOUCHED) == []
        assert page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("present", ["", "1"])
def test_no_name_on_the_timeline_covers_another(
    page: Any, server: Server, sample: Path, present: str
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, present=present, t="1", grain="event", retriever="hoprag-coverage")
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        assert page.evaluate(LAID_OVER) == []
        assert page.locator(".film .rounds .here").inner_text()
        assert page.evaluate(TWINS) == 0


def test_it_is_reached_in_few_tabs_and_read_aloud(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, t="2", grain="event")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    focused = "globalThis.__hopFilm.root.getRootNode().activeElement?.getAttribute('aria-label')"
    assert page.evaluate(focused) == "Play"
    assert page.locator(".film .caption").get_attribute("aria-live") == "polite"
    slider = page.locator(".film [role=slider]")
    place, caption = (page.locator(f".film .{name}").inner_text() for name in ("place", "caption"))
    assert slider.get_attribute("aria-valuetext") == f"{place.capitalize()}. {caption}"
    page.keyboard.press("t")
    assert page.locator(".twin tbody tr").count() == page.evaluate(
        "globalThis.__hopFilm.root.querySelectorAll('.drawing g.node:not(.off)').length"
    )
    had = "globalThis.__hopFilm.root.getRootNode().activeElement"
    assert page.evaluate(f"{had}.matches('.twin .row')")
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Play"
    page.keyboard.press("?")
    page.keyboard.press("Tab")
    assert page.evaluate(f"{had}.textContent") == "Close"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Play"
    assert page.locator(".film .legend [tabindex='0']").count() == 1


def test_the_keyboard_goes_through_the_drawing(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, t="2", grain="event", retriever="hoprag-similarity")
    at = "__hopFilm.drawing.svg.querySelector('[data-at]')"
    page.evaluate("__hopFilm.drawing.svg.focus()")
    page.keyboard.press("ArrowDown")
    told = page.evaluate(f"{at}.getAttribute('aria-label')")
    assert "passage" in told
    assert "seed" in told
    ring = page.locator(".film .drawing .ring")
    assert ring.is_visible()
    card, here = page.locator(".film .hovered"), page.locator(".film .drawing [data-at]")
    (one, other), half = (of.bounding_box() for of in (card, here)), page.evaluate(HALF)
    assert (one["y"] > half) == (other["y"] < half)  # not where the keys go on to
    page.keyboard.press("Enter")
    assert card.is_hidden()
    title = page.locator(".details h3").inner_text()
    assert told.startswith(title)
    page.keyboard.press("ArrowRight")  # steps go on from there
    drawn(page)
    assert shown(page) > 2
    assert ring.is_visible()
    for _ in range(page.locator(".film .drawing [role=option]:visible").count()):
        if "table" in page.evaluate(f"{at}.getAttribute('aria-label')"):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("__hopFilm.root.getRootNode().activeElement.matches('.twin .row')")
    page.keyboard.press("Escape")
    assert ring.is_visible()
