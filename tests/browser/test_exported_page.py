"""The exported web page in a real Chromium: it draws, tells, loads nothing and runs no text."""

from pathlib import Path
from typing import Any

from core.explore.webpage import graph_to_html
from core.types import Edge, Passage

ATTACK = '</script><script>window.ran=1</script><img src=x onerror="window.ran=1"> href'
NODES = [Passage("p0", "d", 0, ATTACK, f"Text {ATTACK}"), Passage("p1", "d", 1, "Second", "More.")]
EDGES = [Edge("e", "p0", "p1", "o", "i", f"Who {ATTACK}?", ("k",), 0.25, 0.75, 0.5)]


def test_clicks_tell_texts_as_text_and_nothing_is_loaded(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    file = tmp_path / "graph.html"
    file.write_bytes(graph_to_html(NODES, EDGES, {"o": f"Raised {ATTACK}?"}, ATTACK))
    requests: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(file.as_uri())
    assert page.locator("header h1").inner_text() == ATTACK
    assert "2 of 2 passages" in page.locator("header").inner_text()

    node = page.locator("[data-node='p0']")
    node.hover()
    node.click()
    panel = page.locator("aside")
    panel.get_by_text(f"Text {ATTACK}").wait_for()
    panel.get_by_role("button", name="→").click()
    panel.get_by_text(f"Raised {ATTACK}?").wait_for()
    assert "0.500" in panel.inner_text()

    assert page.evaluate("window.ran") is None
    assert page.locator("aside img, header img").count() == 0
    assert requests == [file.as_uri()]
    assert troubles == []


def test_a_whole_graph_opens_at_its_hub_and_goes_on(browser: Any, tmp_path: Path) -> None:
    many = 45
    passages = [Passage(f"p{n}", "d", n, f"Passage {n}", "Text.") for n in range(many + 3)]
    ends = [*(("p0", f"p{n}") for n in range(1, many + 1)), ("p46", "p0"), ("p47", "p46")]
    edges = [
        Edge(f"e{n}", *pair, f"o{n}", f"i{n}", "Who?", (), 0.2, 0.8, 0.5)
        for n, pair in enumerate(ends)
    ]
    file = tmp_path / "graph.html"
    file.write_bytes(graph_to_html(passages, edges, {}, "Whole"))
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(file.as_uri())
    centre = page.locator(".node.is-centre")
    assert centre.inner_text() == "Passage 0"
    # A column of many names few; it is drawn from the left to the right of its own room.
    assert page.locator(".column.dense .node").count() == many
    assert page.locator(".column.dense .node .name:visible").count() == 0
    left = "(all) => all.map((way) => way.getBoundingClientRect().left)"
    lefts = page.locator(".columns .way").evaluate_all(left)
    assert min(lefts) > page.locator(".column.mirrored").bounding_box()["x"]
    page.locator("[data-node='p46']").click()
    page.get_by_role("button", name="Centre here").click()
    assert centre.inner_text() == "Passage 46"
    assert page.locator(".mirrored .node").inner_text() == "Passage 47"
    field = page.get_by_label("Go to a passage")
    field.fill("Passage 7")
    field.press("Enter")
    assert centre.inner_text() == "Passage 7"
    assert page.locator("aside h2").inner_text() == "Passage 7"
    page.close()
