"""A film in front of an audience: alone on the screen, in large letters, with time to read."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.films import OUTSIDE, drawn, on_stage, opened, shown
from tests.browser.serving import Server
from tests.browser.stage_probes import COUNTS, LETTERS, NAMELESS, PACES

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


def test_a_presenter_sees_the_film_alone(page: Any, server: Server, sample: Path) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
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


def test_the_answer_is_told_at_the_end_alone(page: Any, server: Server, sample: Path) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    for retriever in ("hoprag-coverage", "hoprag-similarity"):
        opened(page, server, present="1", t="1", retriever=retriever)
        answer = page.locator(".film .answer")
        assert answer.count() == 0
        page.keyboard.press("End")
        drawn(page)
        assert "answer" in answer.inner_text()
        assert set(page.evaluate(OUTSIDE)) <= {".queue"}  # an empty one is folded away
        page.keyboard.press("ArrowLeft")
        drawn(page)
        assert answer.count() == 0


def test_a_table_is_closed_with_the_film_that_it_was_of(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, present="1")
    page.keyboard.press("End")
    drawn(page)
    page.locator(".film .group:not(.off)").first.click()
    table = page.locator(".film .twin")
    assert table.is_visible()
    before = page.evaluate("globalThis.__hopFilm.film.query")
    page.keyboard.press("]")
    page.wait_for_function("(was) => globalThis.__hopFilm.film.query !== was", arg=before)
    drawn(page)
    assert table.is_hidden()
    assert page.locator(".film .opening").is_visible()
    page.keyboard.press("ArrowRight")
    assert shown(page) == 2
    page.keyboard.press("t")
    assert "What is drawn now" in table.inner_text()


def test_on_a_stage_a_stop_stands_as_long_as_it_takes_to_read(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
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


def test_nothing_of_the_page_is_seen_before_a_presenter_begins(
    page: Any, server: Server, sample: Path
) -> None:
    page.add_init_script(WATCHED)
    opened(page, server, present="1", t="1", retriever="bm25")
    assert page.evaluate("globalThis.bare") == 0
    page.keyboard.press("Escape")
    assert page.locator(".hop-title").is_visible()
    assert page.locator("#first").is_hidden()


def test_on_a_stage_no_card_stays_over_the_drawing(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, present="1", stop="99", retriever="hoprag-coverage")
    drawn(page)
    page.locator("svg.drawing .node:not(.off)").first.click()
    assert page.locator(".tab[aria-selected=true]").inner_text() == "Details"
    assert page.locator(".hovered").is_hidden()
    page.keyboard.press("Escape")
    page.locator("svg.drawing .group:not(.off)").first.click()
    page.keyboard.press("Escape")
    assert page.locator(".twin").is_hidden()
    assert page.locator(".hovered").is_hidden()


TOLD = """() => {
  const film = globalThis.__hopFilm, still = new Set(film.film.timeline.still);
  const times = film.stops.map(({t}) => t);
  return times.filter((t, i) => !still.has(t) || i === times.length - 1);
}"""


def test_on_a_stage_the_keys_go_where_play_goes_and_with_shift_to_every_stop(
    page: Any, server: Server, sample: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, grain="event", retriever="hoprag-similarity")
    every = page.evaluate("__hopFilm.stops.map(({t}) => t)")
    told = page.evaluate(TOLD)
    assert len(told) < 20 < len(every)
    together = page.evaluate("__hopFilm.film.timeline.together")
    said = {t: one["caption"] for t, one in together.items() if "caption" in one}
    caption, seen = page.locator(".film .caption"), [shown(page)]
    for t in told[1:]:
        page.keyboard.press("ArrowRight", delay=0)
        page.wait_for_timeout(50)
        seen.append(shown(page))
        if str(t) in said:
            assert caption.inner_text() == said[str(t)]
    assert seen == told
    back = []
    for _ in told[1:]:
        page.keyboard.press("ArrowLeft")
        drawn(page)
        back.append((shown(page), caption.inner_text()))
    assert [t for t, _ in back] == told[-2::-1]
    assert all(text == said[str(t)] for t, text in back if str(t) in said)
    for t in every[1:]:
        page.keyboard.press("Shift+ArrowRight")
        drawn(page)
        assert shown(page) == t
    page.keyboard.press("?")
    assert "Go to every single step" in page.locator(".film .help").inner_text()


def test_what_is_told_together_is_one_stop_alone_off_the_stage(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, grain="event", retriever="hoprag-similarity")
    together = page.evaluate("__hopFilm.film.timeline.together")
    while "caption" not in together.get(str(shown(page)), {}):
        page.keyboard.press("ArrowRight")
        drawn(page)
    t, caption = shown(page), page.locator(".film .caption")
    page.keyboard.press("p")
    drawn(page)
    assert caption.inner_text() == page.evaluate("__hopFilm.now.caption")
    page.keyboard.press("p")
    drawn(page)
    assert caption.inner_text() == together[str(t)]["caption"]
    page.keyboard.press("p")
    page.keyboard.press("ArrowLeft")
    drawn(page)
    assert shown(page) == page.evaluate("__hopFilm.stops[__hopFilm.at].t") == t - 1


def test_on_a_stage_a_reason_that_several_rows_have_stands_once_above_them(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, grain="event", retriever="treehop")
    rows = "__hopFilm.now.board?.rows.filter(({sign}) => sign === 'n').map(({why}) => why) ?? []"
    for _ in range(page.evaluate("__hopFilm.stops.length")):
        notes = page.evaluate(rows)
        if len(notes) > len(set(notes)):
            break
        page.keyboard.press("Shift+ArrowRight")
        drawn(page)
    assert len(notes) > len(set(notes))
    reasons = page.locator(".film .step .reason")
    assert reasons.all_inner_texts() == [
        f"Not taken: {note}"
        for note, before in zip(notes, [None, *notes], strict=False)
        if note != before
    ]
    assert reasons.first.is_visible()
    assert page.locator(".film .step .row.refused .note:visible").count() == 0
    page.keyboard.press("p")
    drawn(page)
    assert not reasons.first.is_visible()
    assert page.locator(".film .step .row.refused .note:visible").count() == len(notes)


SEEN = """() => {
  const {root} = globalThis.__hopFilm;
  const seen = (one) => one.offsetParent && one.innerText;
  const text = (of) => [...root.querySelectorAll(of)].map(seen);
  const drawn = root.querySelectorAll("g.node:not(.off)").length;
  return [text(".caption"), text(".place"), text(".step"), drawn];
}"""


@pytest.mark.parametrize("retriever", ["hoprag-similarity", "hoprag-coverage", "treehop"])
def test_presenter_mode_shows_one_picture_for_a_stop_by_any_key(
    page: Any, server: Server, sample: Path, retriever: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, grain="event", retriever=retriever)
    pictures = {shown(page): page.evaluate(SEEN)}
    for t in page.evaluate(TOLD)[1:]:
        page.keyboard.press("ArrowRight")
        drawn(page)
        pictures[t] = page.evaluate(SEEN)
    times = list(pictures)
    for key, t in (
        ("Home", times[0]),
        ("End", times[-1]),
        *(("ArrowLeft", t) for t in times[-2::-1]),
    ):
        page.keyboard.press(key)
        drawn(page)
        assert (shown(page), page.evaluate(SEEN)) == (t, pictures[t])
    for t in times:
        page.evaluate(f"__hopFilm.go({t})")  # as a press on the timeline does
        drawn(page)
        assert page.evaluate(SEEN) == pictures[t]
