"""The exported web page in a real Chromium: it draws, tells, loads nothing and runs no text."""

from pathlib import Path
from typing import Any

from core.drawing.export import to_html
from core.types import Edge, Passage

ATTACK = '</script><script>window.ran=1</script><img src=x onerror="window.ran=1"> href'
NODES = [Passage("p0", "d", 0, ATTACK, f"Text {ATTACK}"), Passage("p1", "d", 1, "Second", "More.")]
EDGES = [Edge("e", "p0", "p1", "o", "i", f"Who {ATTACK}?", ("k",), 0.25, 0.75, 0.5)]
PLACE = """id => {
    const at = network.canvasToDOM(network.getPosition(id));
    const box = document.querySelector('canvas').getBoundingClientRect();
    return [box.left + at.x, box.top + at.y];
}"""


def test_clicks_tell_texts_as_text_and_nothing_is_loaded(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    file = tmp_path / "graph.html"
    file.write_bytes(to_html(NODES, EDGES, title=ATTACK, raised={"o": f"Raised {ATTACK}?"}))
    requests: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(file.as_uri())
    assert page.locator("header h1").inner_text() == ATTACK
    assert "2 passages, 1 edge" in page.locator("header").inner_text()

    page.mouse.move(*page.evaluate(PLACE, 0))
    page.mouse.click(*page.evaluate(PLACE, 0))
    panel = page.locator("aside")
    panel.get_by_text(f"Text {ATTACK}").wait_for()
    panel.get_by_role("button").click()
    panel.get_by_text(f"Raised {ATTACK}?").wait_for()
    assert "0.500" in panel.inner_text()

    assert page.evaluate("window.ran") is None
    assert page.locator("aside img, header img").count() == 0
    assert requests == [file.as_uri()]
    assert troubles == []
