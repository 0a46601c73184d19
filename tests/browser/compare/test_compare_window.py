"""What of a comparison is seen in a window without scrolling."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.compare.test_compare_stage import SEVERAL, TREES
from tests.browser.serving import Server, idle, still

# How many rows of each column stand whole in the window.
RANKS = """() => [0, 1, 2, 3].map((column) =>
  [...document.querySelectorAll(`.st-key-compare_hit_${column}_column .hop-hit`)]
    .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length)"""


def opened(page: Any, server: Server, keys: str, rest: str = "") -> None:
    page.goto(f"{server.url}/compare?index=sample&q={quote(TREES)}&with={keys}{rest}")
    page.locator(".hop-hit, .difference .node").first.wait_for(timeout=90_000)
    idle(page)


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 12), (1024, 768, 8)])
def test_the_first_ranks_of_four_columns_are_seen_at_once(
    page: Any, server: Server, sample: Path, width: int, height: int, least: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, server, ",".join(SEVERAL))
    still(page.locator(".hop-hit").last)
    assert min(page.evaluate(RANKS)) >= least


@pytest.mark.parametrize("pair", ["bm25,ircot", "hoprag-coverage,bm25"])
def test_a_difference_fits_the_window_and_its_question_is_not_printed_again(
    page: Any, server: Server, sample: Path, pair: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, server, pair, "&show=difference")
    still(page.locator(".difference .node-frame"))
    holder = page.locator(".difference .node-frame").bounding_box()
    assert holder["y"] + holder["height"] <= 900
    assert holder["height"] >= 250
    assert not page.locator(".difference .asked").is_visible()


def test_in_a_small_window_verdict_drawing_and_the_head_of_the_lists_are_seen(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, "hoprag-coverage,ircot", "&show=difference")
    still(page.locator(".difference .node-frame"))
    assert page.locator(".hop-headline").first.is_visible()
    assert page.locator(".difference .node-frame").bounding_box()["height"] >= 250
    head = page.locator(".difference .tabs").bounding_box()
    assert head["y"] + head["height"] <= 768
