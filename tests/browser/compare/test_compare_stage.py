"""Several retrievers for an audience: names are whole, and nothing leaves its column."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.browser.serving import SIZES, Server, idle, still

BURIED = (
    "Where is the doctoral supervisor of the physicist who designed the camera of the Moon orbiter "
    "Avocet buried?"
)
TREES = (
    "Which trees grow above the town where the referee of the 2017 Lantern Cup final was raised?"
)
MENDED = "What did the mother of the goalkeeper whose save won the 1998 Lantern Cup final mend?"
SEVERAL = ("bm25", "hoprag-coverage", "ircot", "dense")


def staged(page: Any, server: Server, question: str, keys: str, rest: str = "") -> Any:
    page.goto(f"{server.url}/compare?index=sample&q={quote(question)}&with={keys}&present=1{rest}")
    film = page.locator("dialog.presenting")
    film.wait_for(timeout=90_000)
    return still(film)


# Names that lie over each other or leave the window, and text that is cut.
WRONG = """(dialog) => {
  const names = [...dialog.querySelectorAll(".node .name")].filter((one) => one.checkVisibility());
  const boxes = names.map((name) => name.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const over = names.filter((_, i) => boxes.some((box, j) => j !== i && meet(box, boxes[i])));
  const cut = [".asked h2", ".told"].map((part) => dialog.querySelector(part))
    .filter((part) => part.scrollWidth > innerWidth || part.scrollHeight > part.clientHeight + 4);
  return [...over, ...cut].map((one) => one.textContent);
}"""


def test_of_two_names_are_apart_and_what_is_said_is_whole(
    page: Any, server: Server, sample: Path
) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        dialog = staged(page, server, TREES, "bm25,ircot", "&show=difference")
        assert dialog.evaluate(WRONG) == []
        assert [side.inner_text() for side in dialog.locator(".side b").all()] == ["BM25", "IRCoT"]
        told = dialog.locator(".told").inner_text()
        for lost in ("Hester Quaye", "Saint-Aubé"):
            assert f"'{lost}'" in told.split(". ")[1]
        assert "BM25 ranks 'Hester Quaye' 34th" in told
        assert dialog.locator(".gold .end.lost").count() == 4
        assert dialog.locator(".node.is-lost.is-gold").count() == 2
        page.keyboard.press("Escape")


def test_keys_lead_from_columns_to_a_difference_and_through_its_pairs(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, TREES, "bm25,dense,hoprag-similarity")
    assert "d difference" in film.locator(".hints").inner_text()
    page.keyboard.press("d")
    apart = page.locator("dialog.difference.presenting")
    apart.wait_for(timeout=60_000)
    assert "d rankings · n next pair" in apart.locator(".hints").inner_text()
    pairs = []
    for _ in range(3):
        sides = apart.locator(".sides")
        pairs.append(was := sides.inner_text())
        page.keyboard.press("n")
        page.wait_for_function(
            "([of, was]) => of.innerText !== was", arg=[sides.element_handle(), was]
        )
    assert len(set(pairs)) == 3
    assert apart.locator(".sides").inner_text() == pairs[0]
    page.keyboard.press("d")
    page.locator("dialog.rankings.presenting").wait_for(timeout=60_000)
    assert page.locator("dialog.rankings .head").count() == 3


def test_keys_and_a_clicker_go_through_a_difference_stop_by_stop(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, BURIED, "hoprag-coverage,bm25", "&show=difference")
    told, where = film.locator(".told"), film.locator(".hints")
    whole, drawn = told.inner_text(), film.locator(".node:not(.off)").count()
    assert "→ step by step" in where.inner_text()
    seen, nodes = [], []
    for at, key in enumerate(("ArrowRight", "PageDown", " "), start=1):
        page.keyboard.press(key)
        film.locator(".hints", has_text=f"{at} of ").wait_for()
        seen.append(told.inner_text())
        nodes.append(film.locator(".node:not(.off)").count())
    assert " in both." in seen[0]
    assert seen[1].startswith("The two retrievals first differ at ")
    assert seen[2].startswith("HopRAG (coverage) ")
    assert nodes == sorted(nodes)
    assert nodes[0] < drawn
    page.keyboard.press("PageUp")
    film.locator(".hints", has_text="2 of ").wait_for()
    assert told.inner_text() == seen[1]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    still(film)
    assert told.inner_text() == whole  # the last stop is all of it, and nothing is after it
    assert film.locator(".node:not(.off)").count() == drawn


def test_of_two_columns_it_says_both_and_a_question_stands_once(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    path = f"{server.url}/compare?index=sample&q={quote(MENDED)}&with=bm25,hoprag-coverage"
    page.goto(path)
    page.locator(".hop-hit").first.wait_for(timeout=90_000)
    idle(page)  # one column comes before the other, and before what is told of both
    told = page.locator("[data-testid=stMain]").inner_text()
    assert "Each finds both gold passages: HopRAG (coverage) at ranks 1 and 2; BM25 at " in told
    assert "All find" not in told
    page.goto(f"{path}&show=difference")
    page.locator(".difference .node").first.wait_for(timeout=90_000)
    idle(page)
    field = page.locator(".st-key-ask_question input")
    assert field.input_value() == MENDED
    assert field.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.locator(".hop-whole[data-cut=false]").wait_for(state="hidden")
    assert "Both" in page.locator(".difference .legend").inner_text()
