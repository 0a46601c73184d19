"""What of a comparison is seen in a window without scrolling."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.compare.test_compare_stage import SEVERAL, TREES
from tests.browser.serving import Server, idle, still

WARD = (
    "On what kind of ward does the goalkeeper whose save decided the 1998 Lantern Cup final "
    "work today?"
)

# How many rows of each column stand whole in the window.
RANKS = """() => [0, 1, 2, 3].map((column) =>
  [...document.querySelectorAll(`.st-key-compare_hit_${column}_column .hop-hit`)]
    .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length)"""

# Edges that cross a name or a sign, and edges that do not end at a node.
CROSSINGS = """() => {
  const labels = [...document.querySelectorAll('.difference .node')].flatMap((node) => {
    const words = document.createRange();
    words.selectNodeContents(node.querySelector('.name'));
    return [node.querySelector('.sign').getBoundingClientRect(), ...words.getClientRects()]
      .filter(({ width }) => width).map((box) => [node.innerText, box]);
  });
  const ways = [...document.querySelectorAll('.difference .ways .way:not(.hit)')];
  return ways.flatMap((way) => {
    const { left, top } = way.ownerSVGElement.getBoundingClientRect();
    const length = way.getTotalLength();
    const points = [...Array(Math.ceil(length / 2) + 1).keys()].map((n) => {
      const { x, y } = way.getPointAtLength(Math.min(length, 2 * n));
      return [x + left, y + top];
    });
    const within = ([x, y], box, by = 0) =>
      box.left - by < x && x < box.right + by && box.top - by < y && y < box.bottom + by;
    const crossed = labels.filter(([, box]) => points.some((at) => within(at, box)));
    const ends = [points[0], points.at(-1)];
    const loose = ends.filter((at) => !labels.some(([, box]) => within(at, box, 12)));
    return [...crossed.map(([name]) => name), ...loose.map(() => 'no node at an end')];
  });
}"""


def opened(page: Any, server: Server, keys: str, rest: str = "", *, question: str = TREES) -> None:
    page.goto(f"{server.url}/compare?index=sample&q={quote(question)}&with={keys}{rest}")
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


@pytest.mark.parametrize(
    ("width", "height", "pair"),
    [
        (1440, 900, "hoprag-similarity,bm25"),
        (1024, 768, "hoprag-similarity,bm25"),
        (1024, 768, "bm25,hoprag-coverage"),
    ],
)
def test_edges_of_a_difference_cross_no_label_and_end_at_nodes(
    page: Any, server: Server, sample: Path, width: int, height: int, pair: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    opened(page, server, pair, "&show=difference", question=WARD)
    for view in ("Focus", "Everything"):
        page.locator(".difference .tools").get_by_role("button", name=view).click()
        still(page.locator(".difference .node-frame"))
        assert page.locator(".difference .way:not(.hit)").count()
        assert page.evaluate(CROSSINGS) == []
