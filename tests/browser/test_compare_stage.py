"""Several retrievers for an audience: names are whole, and nothing leaves its column."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.films import SIZES
from tests.browser.serving import Server

BURIED = (
    "Where is the doctoral supervisor of the physicist who designed the camera of the Moon orbiter "
    "Avocet buried?"
)
TREES = (
    "Which trees grow above the town where the referee of the 2017 Lantern Cup final was raised?"
)
SANDPIPER = (
    "Which film was shot in the building where the maker of the clock aboard the solar probe "
    "Sandpiper trained?"
)
DIRECTORS = "Did the directors of The Tin Choir and Glass Orchard study at the same school?"
MENDED = "What did the mother of the goalkeeper whose save won the 1998 Lantern Cup final mend?"
SEVERAL = ("bm25", "hoprag-coverage", "ircot", "dense")
LOSING = ("bm25", "hoprag-similarity", "ircot", "dense")
"""Two of them lose two gold passages, of which they say what became in lines of their own."""
# Text that reaches beyond its cell or is cut where it must not be; and names that read the same.
BESIDE = """(film) => {
  const cells = [...film.querySelectorAll(".head-cell, .hit")], wrong = [];
  const tall = film.querySelector(".lists").getBoundingClientRect();
  for (const cell of cells) {
    const box = cell.getBoundingClientRect(), whole = cell.matches(".head-cell, .is-gold, .whole");
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    if (box.bottom > tall.bottom + 1) wrong.push(`below: ${cell.textContent}`);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const beyond = [...range.getClientRects()].some((r) =>
        r.left < box.left - 1 || r.right > box.right + 1
        || r.top < box.top - 4 || r.bottom > box.bottom + 4);
      if (whole && beyond) wrong.push(`beyond: ${walker.currentNode.textContent}`);
    }
    for (const part of cell.querySelectorAll("*")) {
      const { left, right } = part.getBoundingClientRect();
      if (left < box.left - 1 || right > box.right + 1) wrong.push(`outside: ${part.textContent}`);
    }
    if (cell.matches(".is-gold") && !cell.querySelector(".title").textContent.trim()) {
      wrong.push("no name");
    }
  }
  return wrong;
}"""
# Cells of one column that lie over each other.
OVER = """(film) => {
  const cells = [...film.querySelectorAll(".head-cell, .hit")];
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const over = (a, b) => a.left === b.left && a.top < b.top && a.bottom > b.top + .5;
  return cells.flatMap((cell, i) =>
    cells.filter((_, j) => over(boxes[i], boxes[j])).map((other) => [cell, other]))
    .map((two) => two.map((cell) => cell.textContent).join(" over "));
}"""
# How many passages each column shows or counts, of how many its result has; and gold that is lost.
COUNTED = """(film) => film.hopRanked.shown.data.columns.map(({ rows, missed }, x) => {
  const hits = [...film.querySelectorAll(".hit")];
  const own = hits.filter(({ style }) => +style.gridColumnStart === x + 1);
  const more = own.map((hit) => +(/(\\d+) more$/.exec(hit.textContent)?.[1] ?? 0));
  const lost = own.filter((hit) => hit.matches(".missed"));
  const kept = own.filter((hit) => hit.querySelector(".rank")?.textContent && !lost.includes(hit));
  return [kept.length + Math.max(...more), rows.length, lost.length, missed.length];
})"""
SIDES = """(film) => ({
  cut: [".query", ".caption"].filter((part) => {
    const { scrollHeight, clientHeight } = film.querySelector(part);
    return scrollHeight > clientHeight + 4;
  }),
  names: [...film.querySelectorAll(".sides .side-name")].map((side) => side.textContent),
  large: [...film.querySelectorAll(".sides .name")].map((name) => name.offsetHeight),
  told: film.querySelector(".caption").textContent,
  lines: new Set([...film.querySelectorAll(".caption > *")].flatMap((part) =>
    [...part.getClientRects()].map(({ bottom }) => Math.round(bottom)))).size,
  lost: film.querySelectorAll(".golds .end.miss").length,
  stars: film.querySelectorAll(".drawing .node.missed").length,
})"""


# Words of gold that stand on two lines.
BROKEN = """(film) => [...film.querySelectorAll(".hit.is-gold .title")].flatMap((title) => {
  const range = document.createRange(), text = title.firstChild;
  return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})"""


def staged(page: Any, server: Server, question: str, keys: str, rest: str = "") -> Any:
    page.goto(f"{server.url}/compare?index=sample&q={quote(question)}&with={keys}&present=1{rest}")
    film = page.locator("dialog.film.presenting")
    film.wait_for(timeout=90_000)
    page.wait_for_timeout(300)
    return film


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_name_of_gold_is_cut_and_nothing_leaves_its_column(
    page: Any, server: Server, sample: Path, count: int
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    for question in (BURIED, TREES):
        film = staged(page, server, question, ",".join(SEVERAL[:count]))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(200)
            assert film.evaluate(BESIDE) == [], (question, width)
            assert film.locator(".head-cell").count() == count
        page.keyboard.press("Escape")


def test_no_word_of_a_gold_name_is_broken_beside_a_sign(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, SANDPIPER, "dense,treehop,hoprag-similarity,hoprag-coverage")
    assert film.locator(".hit.is-gold .move.only").count()
    assert film.evaluate(BROKEN) == []
    assert film.evaluate(BESIDE) == []


def test_rows_have_the_room_that_they_take_and_what_is_left_out_is_counted(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, DIRECTORS, ",".join(LOSING))
    for width, height in (*SIZES, (1024, 700), (1024, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert film.evaluate(OVER) == [], (width, height)
        counted = film.evaluate(COUNTED)
        assert max(lost for *_, lost in counted) > 1
        for all_, held, lost, missed in counted:
            assert (all_, lost) == (held, missed), (width, height)
    page.set_viewport_size({"width": 1024, "height": 768})
    three = {"rank": 119, "title": "Ada Thornquist", "gold": "given", "move": "", "kind": ""}
    data = {
        "query": "Who?",
        "by": "top 3",
        "told": "",
        "why": [],
        "key": "",
        "columns": [column("Harbour")],
    }
    data["columns"][0]["missed"] = [{**three, "fate": "below"}]
    film.evaluate("(film, data) => film.hopRanked.shown.load(JSON.parse(data))", json.dumps(data))
    number = film.locator(".missed .rank")
    assert number.evaluate("(rank) => rank.scrollWidth <= rank.clientWidth")


def test_names_that_would_read_the_same_are_told_apart(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, BURIED, ",".join(SEVERAL))
    data = {
        "query": "Who?",
        "by": "top 3",
        "told": "",
        "why": [],
        "key": "",
        "columns": [
            column("Ada Thornquist of the Lanterns (physicist)", "Ilo Venn"),
            column("Ada Thornquist of the Lanterns (ferry)", "Port Selby"),
            column("A long name of something else altogether", "Mara Quist"),
            column("Harbour Rovers", "Mara Quist"),
        ],
    }
    film.evaluate("(film, data) => film.hopRanked.shown.load(JSON.parse(data))", json.dumps(data))
    whole = film.locator(".hit.whole .title")
    assert sorted(whole.all_inner_texts()) == [
        "Ada Thornquist of the Lanterns (ferry)",
        "Ada Thornquist of the Lanterns (physicist)",
    ]
    assert film.evaluate(BESIDE) == []
    lost = film.locator(".hit.missed").first
    assert lost.locator(".title").inner_text() == "Gold that is lost"
    names, fates = (lost.locator(part).bounding_box() for part in (".titles", ".fate"))
    assert (names["y"], names["x"]) < (fates["y"], fates["x"])


def column(*titles: str) -> dict[str, Any]:
    row = {"gold": "", "move": "only", "kind": "only", "fate": ""}
    rows = [{**row, "rank": rank, "title": title} for rank, title in enumerate(titles, 1)]
    fate = "rank 12 in search #1"
    lost = {**row, "rank": None, "title": "Gold that is lost", "gold": "given", "fate": fate}
    return {
        **{"badge": "A", "tint": "#444", "title": "HippoRAG 2", "found": "1 of 2 gold"},
        **{"beside": "rule-based, without a language model", "told": "", "rows": rows},
        "missed": [{**lost, "move": ""}],
    }


def test_of_two_both_names_are_large_and_the_question_is_whole(
    page: Any, server: Server, sample: Path
) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        film = staged(page, server, TREES, "bm25,ircot", "&show=difference")
        seen = film.evaluate(SIDES)
        assert seen["cut"] == []
        assert seen["names"] == ["ABM25", "BIRCoTrule-based, without a language model"]
        assert min(seen["large"]) >= 24
        for lost in ("Hester Quaye", "Saint-Aubé"):
            assert f"'{lost}'" in seen["told"].partition(". ")[0]
        assert "both lose" in seen["told"]
        assert "A ranks 'Hester Quaye' 34" in seen["told"]
        assert "B lists it in no search" in seen["told"]
        assert seen["lines"] == 3
        # Where the causes take all lines, what is said behind them is left out.
        differ = "Their rankings differ first at rank 7: A '2013 Lantern Cup final', B 'Launch"
        assert differ not in seen["told"]
        assert seen["lost"] == 4
        assert seen["stars"] == 2
        page.keyboard.press("Escape")


def test_keys_lead_from_columns_to_a_difference_and_through_its_pairs(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, TREES, "bm25,dense,hoprag-similarity")
    assert "d difference" in film.locator(".leave").inner_text()
    page.keyboard.press("d")
    apart = page.locator("dialog.film.difference.presenting")
    apart.wait_for(timeout=60_000)
    assert "d columns · n next two" in apart.locator(".legend-line").inner_text()
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
    page.locator("dialog.film.ranked.presenting").wait_for(timeout=60_000)
    assert page.locator("dialog.film.ranked .head-cell").count() == 3


def test_keys_and_a_clicker_go_through_a_difference_stop_by_stop(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    film = staged(page, server, BURIED, "hoprag-coverage,bm25", "&show=difference")
    told, where = film.locator(".caption"), film.locator(".legend-line")
    whole, drawn = told.inner_text(), film.locator(".node:not(.off)").count()
    assert "→ step by step" in where.inner_text()
    follows = film.locator(".legend .entry", has_text="A follows").locator(".head")
    assert follows.get_attribute("d")  # an arrow, as the lines that are drawn have one
    seen, nodes = [], []
    for at, key in enumerate(("ArrowRight", "PageDown", " "), start=1):
        page.keyboard.press(key)
        film.locator(".legend-line", has_text=f"{at} of ").wait_for()
        seen.append(told.inner_text())
        nodes.append(film.locator(".node:not(.off)").count())
    assert "of them are in both." in seen[0]
    assert seen[1].startswith("They part at ")
    assert seen[2].startswith("A ")
    assert nodes == sorted(nodes)
    assert nodes[0] < drawn
    page.keyboard.press("PageUp")
    film.locator(".legend-line", has_text="2 of ").wait_for()
    assert told.inner_text() == seen[1]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert told.inner_text() == whole  # the last stop is all of it, and nothing is after it
    assert film.locator(".node:not(.off)").count() == drawn


def test_of_two_columns_it_says_both_and_a_question_stands_once(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    path = f"{server.url}/compare?index=sample&q={quote(MENDED)}&with=bm25,hoprag-coverage"
    page.goto(path)
    page.locator(".hop-hit").first.wait_for(timeout=90_000)
    told = page.locator("[data-testid=stMain]").inner_text()
    assert "Both retrieve 2 of 2 gold passages" in told
    assert "All retrieve" not in told
    page.goto(f"{path}&show=difference")
    page.locator(".difference .node").first.wait_for(timeout=90_000)
    field = page.locator(".st-key-ask_question input")
    assert field.input_value() == MENDED
    assert field.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.locator(".hop-whole[data-cut=false]").wait_for(state="hidden")
    assert "Both" in page.locator(".difference .legend").inner_text()
