"""Text that tries to run, on every page, in links, in exports and in saved traces."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.serving import Server, idle
from tests.building import build_index

ATTACKS = (
    "</script><script>window.ran=1</script>",
    '<img src=x onerror="window.ran=1"><svg onload="window.ran=1">',
    "![x](http://evil.example/x.png) [y](javascript:window.ran=1)",
    "'\"><iframe src=//evil.example></iframe><style>@import'//evil.example/x'</style>",
    '$\\href{javascript:window.ran=1}{x}$ :material/home: =HYPERLINK("http://evil.example")',
)
QUESTION = f"Where was Mara Quist {ATTACKS[1]} born {ATTACKS[2]}?"
ASKED = ("explore", "trace", "compare", "evaluate", "errors")
PAGES = ("", "corpus", "build", "methods", "settings", *ASKED)
NAME = "sly <b>&amp; $x$"


@pytest.fixture(scope="module")
def hostile(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index whose name, titles, texts, ids, questions and gold are attacks."""
    rows = [
        {
            "id": f"id{number} {attack}",
            "title": f"Mara Quist {attack}",
            "text": f"Mara Quist was born in Port Ansel {attack}. Port Ansel has {number} piers.",
        }
        for number, attack in enumerate(ATTACKS)
    ]
    folder = tmp_path_factory.mktemp("hostile")
    corpus, questions = folder / "corpus.jsonl", folder / "questions.jsonl"
    corpus.write_text("\n".join(map(json.dumps, rows)))
    known = {"question": QUESTION, "answer": ATTACKS[0], "gold": [rows[0]["id"]]}
    questions.write_text(json.dumps(known))
    return build_index(server.home, NAME, corpus, questions)


def harmless(page: Any) -> None:
    """Nothing of it ran or was made an element; the fixture `page` knows of requests."""
    idle(page)
    assert page.evaluate("window.ran") is None
    assert page.locator("iframe, [href^='javascript:'], [onerror], [onload]").count() == 0
    assert page.locator("img[src*='evil'], [src='x']").count() == 0


@pytest.mark.parametrize("name", PAGES)
def test_every_page_shows_it_as_text(page: Any, server: Server, hostile: Path, name: str) -> None:
    where = f"{server.url}/{name}?index={quote(NAME)}&q={quote(QUESTION)}"
    page.goto(where)
    harmless(page)
    for node in page.locator("g.node:not(.off) .body:visible").all()[:3]:
        node.hover(force=True)
    harmless(page)


@pytest.mark.parametrize("name", ASKED)
def test_so_does_every_part_of_a_link(page: Any, server: Server, hostile: Path, name: str) -> None:
    words = ("index", "q", "retriever", "with", "k", "passage", "step", "chooser", "entry", "hops")
    page.goto(f"{server.url}/{name}?" + "&".join(f"{w}={quote(ATTACKS[0])}" for w in words))
    harmless(page)
    others = "&".join(f"{w}={quote(ATTACKS[1])}" for w in words[2:])
    page.goto(f"{server.url}/{name}?index={quote(NAME)}&q={quote(ATTACKS[1])}&{others}")
    harmless(page)


def test_so_does_a_trace_that_was_saved(
    page: Any, server: Server, hostile: Path, tmp_path: Path
) -> None:
    page.goto(f"{server.url}/trace?index={quote(NAME)}&q={quote(QUESTION)}&retriever=bm25")
    idle(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the trace").click()
    file = tmp_path / "trace.jsonl"
    saved.value.save_as(file)
    assert "window.ran" in file.read_text()
    page.goto(server.url)
    idle(page)
    page.get_by_role("button", name="Open a trace file").click()
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url("**/trace")
    harmless(page)


def test_so_does_an_export(page: Any, server: Server, hostile: Path, tmp_path: Path) -> None:
    page.goto(f"{server.url}/explore?index={quote(NAME)}&view=neighbourhood")
    idle(page)
    page.locator(".st-key-explore_start_hub_0 button").click()
    idle(page)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Web page").click()
    file = tmp_path / "graph.html"
    saved.value.save_as(file)
    other = page.context.browser.new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    assert other.evaluate("window.ran") is None
    assert asked == [file.as_uri()]
    other.close()


def test_so_does_the_map(page: Any, server: Server, hostile: Path, tmp_path: Path) -> None:
    page.goto(f"{server.url}/explore?index={quote(NAME)}")
    page.wait_for_function("() => globalThis.__hopMap?.nodes.length")
    idle(page)
    _use_map(page)
    idle(page)
    harmless(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "map.html"
    saved.value.save_as(file)
    other = page.context.browser.new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    other.wait_for_function("() => globalThis.__hopMap?.nodes.length")
    _use_map(other)
    assert other.evaluate("window.ran") is None
    assert asked == [file.as_uri()]
    assert other.locator("canvas").count() == 1
    other.close()


def _use_map(page: Any) -> None:
    """Hover, search and choose, so that every text is shown."""
    box = page.locator(".corpus-map-root .stage, #mynetwork").bounding_box()
    for number in range(page.evaluate("() => globalThis.__hopMap.nodes.length")):
        x, y, _ = page.evaluate(f"() => globalThis.__hopMap.onScreen({number})")
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.wait_for_timeout(60)
    page.locator(".corpus-map-root input[type=search]").fill("<")
    page.locator(".corpus-map-root .search li").first.wait_for()
    page.locator(".corpus-map-root input[type=search]").press("Enter")
    page.wait_for_timeout(900)
