"""What an audience reads in presenter mode, at two sizes."""

from typing import Any

import pytest

from tests.browser.walkthrough.story_pages import (
    AUDIENCE,
    BOTH,
    CHAIN_BREAKS,
    LONGEST,
    PLAYER,
    SIZES,
    SMALLEST,
    TROUBLES,
    resize,
    stops,
)


@pytest.mark.parametrize("name", ["hoprag-coverage", "ircot"])
def test_an_audience_reads_every_letter(opened: Any, name: str) -> None:
    page = opened(name, place="#step=1")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        for _ in range(stops(page)):
            assert page.evaluate(SMALLEST) >= 18, size
            assert page.evaluate(TROUBLES) == [], size
            page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("long", range(LONGEST))
@pytest.mark.parametrize("name", AUDIENCE)
def test_an_audience_sees_the_whole_chain(opened: Any, name: str, long: int) -> None:
    """Whatever does not fit is on a next page; the answer is on each."""
    page = opened(f"{name}, long {long}", place="#step=end")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("End")
        chain = page.evaluate(f"{PLAYER}.view.stop.chain")
        seen = list[str]()
        for number in range(int(page.locator(".picture").get_attribute("data-pages"))):
            if number:
                page.keyboard.press("ArrowRight")
            assert page.evaluate("brokenText()") == [], size
            assert page.evaluate(TROUBLES) == [], size
            assert page.evaluate(SMALLEST) >= 18, size
            assert page.locator(".chain .answer").is_visible()
            cards = page.locator(".chain .card[data-node]:visible")
            seen += cards.evaluate_all("all => all.map((of) => of.dataset.node)")
        query, *passages = (card["node"] for card in chain["cards"])
        assert [node for node in seen if node != query] == passages, size


def test_an_audience_sees_that_it_plays_and_how_much_of_a_stop_is_over(opened: Any) -> None:
    page = opened("bm25", place="#step=1")
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press("p")
    sign, line = page.locator(".play-sign"), page.locator(".timeline [aria-current] .progress")
    assert (sign.count(), line.count()) == (0, 0)
    page.keyboard.press("Space")
    assert sign.get_attribute("aria-label") == "Playing"
    assert line.is_visible()
    page.keyboard.press("Space")
    assert sign.get_attribute("aria-label") == "Paused"
    assert line.count() == 0
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("Space")
    assert sign.is_visible()
    assert line.count() == 0
    page.keyboard.press("ArrowRight")
    assert sign.count() == 0


FIX = "Seeds 5 instead of 20 (rank 13, 2 of 2 gold, works from 1 to 7, not at 8)"


def test_an_audience_reads_which_fix_retrieves_missed_gold(opened: Any) -> None:
    """The sentence wraps; changes are listed, without what speaks of the page below."""
    page = opened("bm25", "small", place="#step=end")
    page.keyboard.press("p")
    change = {"told": "Top k 71 instead of 20", "action": "Replay with this", "value": "1"}
    below = {"told": "A table below", "action": "", "value": "", "below": True}
    tell = f"""([fix, keeps]) => {{
      {PLAYER}.view.stop.notes = [`Smallest change that retrieves what was missed: ${{fix}}.`];
      {PLAYER}.change({{ keeps }});
    }}"""
    for changes in (3, 60):
        page.evaluate(tell, [FIX, [change] * changes + [below]])
        notes = page.locator(".notes")
        assert notes.inner_text().endswith(f"{FIX}.")
        width, shown = notes.evaluate("of => [of.scrollWidth, of.clientWidth]")
        assert width <= shown + 1
        assert page.evaluate(TROUBLES) == []
        assert page.locator(".fixes").is_visible() == (changes == 3)
        assert not page.locator(".fixes .below").is_visible()
        assert page.locator(".fixes button").count() == 0


@pytest.mark.parametrize("name", ["bm25", "ircot"])
def test_a_long_chain_and_its_fixes_do_not_overlap(opened: Any, name: str) -> None:
    """In the height that a page of the application leaves for them."""
    page = opened(f"{name}, long 0", place="#step=end")
    change = {"told": "Top k 71 instead of 20", "action": "Replay with this", "value": "1"}
    for size in BOTH:
        resize(page, size, less=200)
        for changes in ([], [change] * 6):
            page.evaluate(f"(keeps) => {PLAYER}.change({{ keeps }})", changes)
            assert page.evaluate("chainTroubles()") == [], size
            assert page.evaluate(TROUBLES) == [], size
        resize(page, size, less=-SIZES[size][1])
        page.locator(".map").wait_for()


def test_in_an_enlarged_window_a_chain_covers_nothing_and_hidden_fixes_are_counted(
    opened: Any,
) -> None:
    page = opened(CHAIN_BREAKS, "enlarged", place="#step=end")
    change = {"told": "Top k 71 instead of 20", "action": "Replay with this", "value": "1"}
    more = page.locator(".fixes .more")
    for changes in (2, 12):
        page.evaluate(f"(keeps) => {PLAYER}.change({{ keeps }})", [change] * changes)
        assert page.evaluate("chainTroubles()") == []
        assert page.evaluate(TROUBLES) == []
        bodies = page.locator(".chain .body:has(.evidence)")
        assert bodies.evaluate_all(
            "all => all.every((of) => of.scrollHeight <= of.clientHeight + 2)"
        )
        assert more.all_inner_texts() == ([] if changes == 2 else ["↓ 7 more"])
    page.locator(".fixes").evaluate("of => of.scrollTo(0, of.scrollHeight)")
    more.wait_for(state="hidden")


def test_presenter_mode_searches_for_fixes_on_the_last_stop_by_itself(opened: Any) -> None:
    """The button is seen by nobody there; a fix must not depend on who pressed it before."""
    page = opened("bm25", "small", place="#step=end")
    look = {"told": "", "action": "What would retrieve it?", "value": "", "searches": True}
    page.evaluate(
        f"""(keeps) => {{
          globalThis.sent = [];
          {PLAYER}.hooks.send = (...what) => globalThis.sent.push(what);
          {PLAYER}.change({{ keeps }});
        }}""",
        [look],
    )
    page.get_by_role("button", name=look["action"]).wait_for()
    for key in ("Home", "p"):
        page.keyboard.press(key)
        assert page.evaluate("globalThis.sent") == []
    page.keyboard.press("End")
    page.wait_for_function("globalThis.sent.length")
    assert page.locator(".fixes").inner_text() == "Searching for a fix…"
    for key in ("ArrowLeft", "End"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert page.evaluate("globalThis.sent") == [["keep", ""]]


def test_the_clock_of_the_notes_runs_while_their_window_is_open(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=5")
    with page.expect_popup() as opening:
        page.keyboard.press("n")
    notes = opening.value
    notes.get_by_text("0:02", exact=True).wait_for(timeout=10_000)
    page.keyboard.press("n")
    assert notes.is_closed()
    with page.expect_popup() as opening:
        page.keyboard.press("n")
    opening.value.get_by_text("0:01", exact=True).wait_for(timeout=10_000)
