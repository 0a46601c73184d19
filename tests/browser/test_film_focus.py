"""Where the keys are in a film: always in it, where they are seen, and in the order of the eye."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.films import drawn, opened, shown
from tests.browser.serving import Server

FOCUSED = """() => {
  const of = globalThis.__hopFilm.root.getRootNode().activeElement;
  return of ? of.getAttribute('aria-label') ?? of.textContent : '';
}"""
RINGED = """() => {
  const of = globalThis.__hopFilm.root.getRootNode().activeElement;
  return of?.matches(':focus-visible') && getComputedStyle(of).outlineStyle === 'solid';
}"""
SPOT = """() => {
  const {x, y} = globalThis.__hopFilm.root.getRootNode().activeElement.getBoundingClientRect();
  return [x, y];
}"""
HALF = """() => {
  const {top, height} = globalThis.__hopFilm.drawing.svg.getBoundingClientRect();
  return top + height / 2;
}"""
WALKED = {"retriever": "hoprag-similarity", "t": "3", "grain": "event"}


def focus(page: Any, what: str) -> None:
    page.evaluate(f"globalThis.__hopFilm.root.querySelector(`{what}`).focus()")


def test_a_button_at_an_end_keeps_the_keys(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, **WALKED)
    for name, other in (("To the result", "Forward"), ("To the question", "Back")):
        button = page.locator(".film .buttons").get_by_role("button", name=name)
        button.focus()
        page.keyboard.press("Enter")
        drawn(page)
        assert page.evaluate(FOCUSED) == name
        for one in (name, other):
            found = page.locator(".film .buttons").get_by_role("button", name=one, exact=True)
            assert found.get_attribute("aria-disabled") == "true"


def test_on_a_stage_a_tab_goes_round_and_who_leaves_is_seen(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, present="1", **WALKED)
    page.keyboard.press("Tab")
    first = page.evaluate(FOCUSED)
    met = []
    for _ in range(30):
        met.append(page.evaluate(FOCUSED))
        page.keyboard.press("Tab")
    assert "" not in met
    assert met.count(first) > 1
    page.keyboard.press("Shift+Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    drawn(page)
    assert page.evaluate(FOCUSED) == "Presenter mode"
    assert page.evaluate(RINGED)


@pytest.mark.parametrize("present", ["", "1"])
def test_tab_leads_to_the_details_of_what_was_picked_and_esc_back(
    page: Any, server: Server, sample: Path, present: str
) -> None:
    opened(page, server, present=present, **WALKED)
    focus(page, "svg.drawing")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Details"
    assert page.evaluate(RINGED)
    page.keyboard.press("Escape")
    assert page.locator(".film svg.drawing [data-at]").count() == 1
    assert str(page.evaluate(FOCUSED)).startswith("Drawing of")
    focus(page, ".step .row[tabindex='0']")  # its list gives way to its details
    row = page.evaluate(FOCUSED)
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "Details"
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == row


@pytest.mark.parametrize("width", [1440, 1024])
def test_a_tab_goes_down_the_page_and_no_stop_is_unseen(
    page: Any, server: Server, sample: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, server, **WALKED)
    assert page.locator("[data-testid=stMain]").get_attribute("tabindex") == "-1"
    focus(page, ".gold-chip")
    parts = (".golds", ".graph", ".side", ".foot", ".player")
    inside = "(part) => __hopFilm.root.querySelector(part).contains(__hopFilm.picking.keysAt)"
    seen: list[str] = []
    for _ in range(100):  # and no stop leads round within it
        if not (here := [part for part in parts if page.evaluate(inside, part)]):
            break
        assert page.evaluate(RINGED)
        seen += [part for part in here if part not in seen]
        page.keyboard.press("Tab")
    assert not here
    assert seen == list(parts)
    focus(page, ".track")
    timeline = page.evaluate(SPOT)
    focus(page, ".tool-first")
    above = timeline[1] < page.evaluate(SPOT)[1] - 20
    focus(page, ".tool-first" if not above else ".track")
    for _ in range(1 if above else 5):
        page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == ("To the question" if above else "Timeline")


def test_keys_are_listed_in_groups_and_zoom(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, **WALKED)
    page.keyboard.press("?")
    groups = page.locator(".film .help h4").all_inner_texts()
    assert groups == ["Play", "Move", "Question", "Pick", "View", "Zoom"]
    page.keyboard.press("Escape")
    zoom = "globalThis.__hopFilm.drawing.zoom"
    assert page.evaluate(zoom) == 1
    page.keyboard.press("+")
    assert page.evaluate(zoom) > 1
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(zoom) < 1
    page.keyboard.press("f")
    assert page.evaluate(zoom) == 1


def test_the_timeline_says_rounds_and_stars_by_their_names(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, retriever="hoprag-coverage", grain="event")
    rounds = page.locator(".film .rounds .round:not(.here)")
    assert all(len(name) != 1 or name.isdigit() for name in rounds.all_inner_texts())
    tip = page.locator(".film .timeline .tip")
    focus(page, ".track")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    drawn(page)
    assert tip.inner_text().startswith("Seeds")
    page.keyboard.press("End")
    drawn(page)
    assert "is retrieved" in tip.inner_text()
    assert tip.get_attribute("id") == page.locator(".track").get_attribute("aria-describedby")
    page.evaluate("document.activeElement.blur()")
    assert tip.is_hidden()
    stars = page.locator(".film .stars .star:visible")
    for star in stars.all():
        box = star.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert tip.locator(".gold").count() > 0


def test_it_is_reached_in_few_tabs_and_read_aloud(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, t="2", grain="event")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    focused = "globalThis.__hopFilm.root.getRootNode().activeElement?.getAttribute('aria-label')"
    assert page.evaluate(focused) == "Play"
    assert page.locator(".film .caption").get_attribute("aria-live") == "polite"
    slider = page.locator(".film [role=slider]")
    # The first place is that of the stop; a row of a list may have one, too.
    place, caption = (
        page.locator(f".film .{name}").first.inner_text() for name in ("place", "caption")
    )
    assert slider.get_attribute("aria-valuetext") == f"{place.capitalize()}. {caption}"
    page.keyboard.press("t")
    assert page.locator(".twin tbody.drawn tr").count() == page.evaluate(
        "globalThis.__hopFilm.root.querySelectorAll('.drawing g.node:not(.off)').length"
    )
    heads = page.locator(".twin thead th").all_inner_texts()
    assert heads == ["Gold", "Node", "Stands as", "Visits", "Score", "Rank"]
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


def test_the_answer_of_lost_gold_is_closed_and_its_button_has_the_focus(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, stop="99", retriever="hoprag-similarity")
    keep = "(lines) => globalThis.__hopFilm.sidebar.keep(lines)"
    page.evaluate(keep, [{"told": "", "action": "What would retrieve them?", "value": ""}])
    page.evaluate(keep, [{"told": "Cheapest: 5 hops", "action": "Replay", "value": "g 0"}])
    close, again = (
        page.locator(".keeps").get_by_role("button", name=name)
        for name in ("Close", "What would retrieve them?")
    )
    for shut in (close.click, lambda: page.keyboard.press("Escape")):
        shut()
        assert page.evaluate(FOCUSED) == "What would retrieve them?"
        assert close.count() == 0
        again.click()
        assert page.locator(".keeps").inner_text().startswith("Cheapest: 5 hops")
        assert page.evaluate(FOCUSED) == "Close"
