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

    node = page.locator("[data-node='0']")
    node.hover()
    node.click()
    panel = page.locator("aside")
    panel.get_by_text(f"Text {ATTACK}").wait_for()
    panel.get_by_role("button").click()
    panel.get_by_text(f"Raised {ATTACK}?").wait_for()
    assert "0.500" in panel.inner_text()

    assert page.evaluate("window.ran") is None
    assert page.locator("aside img, header img").count() == 0
    assert requests == [file.as_uri()]
    assert troubles == []
