"""A stop is one picture by any route, on the stage and in the graph."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.browser.walkthrough.story_pages import (
    BOTH,
    BOXES,
    PLAYER,
    RETRIEVERS,
    SIZES,
    resize,
    stops,
)

GRAPH_TROUBLES = "graphTroubles()"


NODES = (
    """Object.fromEntries(Object.entries(boxes()).filter(([key]) => key.startsWith("graph:")))"""
)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_graph_keeps_its_places(opened: Any, name: str) -> None:
    """Every node is in sight at every stop, where it is at all others."""
    page = opened(name, place="#step=1&view=graph")
    for size in SIZES:
        resize(page, size)
        page.keyboard.press("Home")
        places = page.evaluate(NODES)
        assert places, size
        for _ in range(stops(page)):
            assert page.evaluate(GRAPH_TROUBLES) == [], size
            assert page.evaluate(NODES) == places, size
            page.keyboard.press("ArrowRight")


def test_the_graph_shows_what_the_stage_does(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=4&every=1")
    before = page.evaluate(BOXES)
    page.keyboard.press("g")
    assert "view=graph" in page.url
    data, states = page.evaluate(
        f"[{PLAYER}.data, {PLAYER}.data.states[{PLAYER}.view.stop.states]]"
    )
    drawn = [node for node in data["nodes"].values() if node["column"] >= 0]
    assert page.locator(".node").count() == len(drawn)
    assert page.locator(".ways .followed").count() == len(states["followed"])
    queued = [node for node, state in states["nodes"].items() if state == "queued"]
    assert page.locator(".node.is-queued").count() == len(queued)
    filter_ = page.locator(".filters .is-queued button")
    assert filter_.inner_text() == f"In the queue {len(queued)}"
    filter_.click()
    assert page.locator(".node:not(.off)").count() == len(queued)
    filter_.click()
    page.locator(".node.is-current").click()
    here = data["nodes"][page.evaluate(f"{PLAYER}.view.stop.here.node")]
    assert page.locator(".details h3").inner_text().endswith(here["title"])
    assert page.locator(".node.selected .name").inner_text() == here["title"]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Names").click()
    names = page.locator(".node .name").all_inner_texts()
    assert sorted(names) == sorted(node["title"] for node in drawn)
    page.keyboard.press("g")
    assert page.evaluate(BOXES) == before


def pictures(page: Any, keys: Sequence[str]) -> list[dict[str, list[int]]]:
    """The boxes after each key."""
    found = []
    for key in keys:
        page.keyboard.press(key)
        found.append(page.evaluate(BOXES))
    return found


@pytest.mark.parametrize("name", ["hoprag-coverage", "hoprag-similarity", "ircot"])
def test_a_stop_is_one_picture_by_any_route(opened: Any, name: str) -> None:
    """Also in a window that gets another size."""
    page = opened(name, place="#step=1")
    count = stops(page)
    forward = {}
    for size in BOTH:
        resize(page, size)
        forward[size] = pictures(page, ["Home", *["ArrowRight"] * (count - 1)])
        backward = pictures(page, ["End", *["ArrowLeft"] * (count - 1)])[::-1]
        assert forward[size] == backward
    for turn, number in enumerate((*range(1, count, 3), count - 1)):
        for size in BOTH:
            resize(page, size)
            page.locator(".timeline button").nth(number).click()
            assert page.evaluate(BOXES) == forward[size][number]
            page.keyboard.press("e")
            page.keyboard.press("e")
            assert page.evaluate(BOXES) == forward[size][number]
        first, other = BOTH[turn % 2], BOTH[1 - turn % 2]
        linked = opened(name, first, place=f"#{page.url.partition('#')[2]}")
        assert linked.evaluate(BOXES) == forward[first][number]
        resize(linked, other)
        assert linked.evaluate(BOXES) == forward[other][number]


def test_play_shows_the_same_pictures(opened: Any) -> None:
    page = opened("bm25", place="#step=1")
    forward = pictures(page, ["Home", *["ArrowRight"] * (stops(page) - 1)])
    page.keyboard.press("Home")
    page.clock.install()
    page.keyboard.press(" ")
    for number, expected in enumerate(forward[1:], start=1):
        for _ in range(60):
            page.clock.run_for(250)
            if page.evaluate(f"{PLAYER}.place.stop") == number:
                break
        assert page.evaluate(BOXES) == expected
