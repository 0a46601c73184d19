"""What a new user does, in a real browser: nothing may fail, reach out, or run a corpus' text."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from core.sample import suggested
from tests.browser.conftest import Watch, shoot
from tests.browser.serving import Server, build_index, idle

QUESTION = suggested()[0]
NODE = """([name, id]) => globalThis.__hopGraph.get(name).place(id)"""


def go(page: Any, server: Server, path: str) -> None:
    page.goto(server.url + path)
    idle(page)


def step(page: Any) -> tuple[int, int]:
    at, last = page.locator(".tr-step").inner_text().split("/")
    return int(at), int(last)


def at_step(page: Any, expected: int, timeout: float = 20_000) -> None:
    """Wait until the player shows that step."""
    shows = (
        "t => document.querySelector('.tr-step')?.textContent.split('/')[0].trim() === String(t)"
    )
    page.wait_for_function(shows, arg=expected, timeout=timeout)


def press(page: Any, key: str, expected: int) -> None:
    page.keyboard.press(key)
    at_step(page, expected)
    idle(page, 100)


def test_the_sample_is_tried_first(page: Any, server: Server) -> None:
    go(page, server, "/")
    assert page.get_by_role("heading", name="HopRAG Explorer").is_visible()
    shoot(page, "start")
    page.get_by_role("button", name="Try the sample").click()
    page.wait_for_url("**/trace**", timeout=180_000)
    page.locator(".tr-story").wait_for(timeout=60_000)
    idle(page)
    assert page.get_by_placeholder("Ask a question").first.input_value() == QUESTION
    assert page.locator(".tr-golds .hop-star").count() >= 2
    assert (server.home / "indexes" / "sample" / "meta.lance").is_dir()


def test_a_trace_is_played_to_its_end_and_stepped_back(
    page: Any, server: Server, sample: Path
) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&t=1")
    first, last = step(page)
    assert first == 1
    page.keyboard.press("Space")
    at_step(page, last, timeout=90_000)
    idle(page)
    assert "ranks first" in page.locator(".tr-story").inner_text()
    shoot(page, "trace")
    press(page, "ArrowLeft", last - 1)
    press(page, "ArrowLeft", last - 2)
    press(page, "Home", 1)
    press(page, "End", last)
    press(page, "Home", 1)
    press(page, "ArrowRight", 2)
    assert "start the queue" in page.locator(".tr-story").inner_text()
    page.wait_for_url(re.compile(r"[?&]t=2(&|$)"))
    page.reload()
    idle(page)
    assert step(page) == (2, last)


def test_places_stay_while_colours_change(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&t=3")
    name = page.evaluate("[...globalThis.__hopGraph.keys()][0]")
    read = """name => { const g = globalThis.__hopGraph.get(name);
        return [g.builds, g.network.getPositions(), [...g.roles.nodes.values()].join()]; }"""
    builds, places, roles = page.evaluate(read, name)
    for t in range(4, 8):
        press(page, "ArrowRight", t)
    idle(page)
    page.wait_for_function(f"old => ({read})('{name}')[2] !== old", arg=roles)
    assert page.evaluate(read, name)[:2] == [builds, places]


def test_a_node_tells_its_passage(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}")
    name = page.evaluate("[...globalThis.__hopGraph.keys()][0]")
    page.wait_for_timeout(500)
    place = page.evaluate(NODE, [name, "final-1998"])
    page.mouse.click(place["x"], place["y"])
    page.get_by_text("Neither side scored in two hours.").first.wait_for()


CORPUS = [
    ("Harbour Rovers", "Harbour Rovers is a football club. It was bought by Mara Quist in 1998."),
    ("Mara Quist", "Mara Quist is a brewer. She was born in Port Selby."),
    ("Port Selby", "Port Selby is a town on the River Ash."),
]


def test_a_corpus_is_uploaded_and_built(page: Any, server: Server, tmp_path: Path) -> None:
    rows = [{"id": t.casefold(), "title": t, "text": text} for t, text in CORPUS]
    (tmp_path / "rovers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "broken.pdf").write_bytes(b"this is no pdf")
    go(page, server, "/corpus")
    shoot(page, "corpus-empty")
    page.locator("input[type=file]").first.set_input_files(
        [tmp_path / "rovers.jsonl", tmp_path / "broken.pdf"]
    )
    page.get_by_text("broken.pdf").first.wait_for()
    page.get_by_text("Port Selby is a town").first.wait_for()
    idle(page)
    shoot(page, "corpus")
    page.get_by_label("Name of the index").fill("rovers")
    page.keyboard.press("Enter")
    idle(page)
    page.get_by_role("button", name="Build the index").click()
    page.wait_for_url("**/build**")
    page.get_by_role("button", name="Ask it").wait_for(timeout=120_000)
    idle(page)
    assert page.get_by_text("rovers").first.is_visible()
    shoot(page, "build")
    page.get_by_role("button", name="Ask it").click()
    page.wait_for_url("**/trace**")
    idle(page)
    page.get_by_placeholder("Ask a question").first.fill(
        "Where was the owner of Harbour Rovers born?"
    )
    page.keyboard.press("Enter")
    page.locator(".tr-story").wait_for()
    idle(page)
    shown = page.locator(".tr-list, .tr-body").all_inner_texts()
    assert any("Port Selby" in text for text in shown)


def test_retrievers_are_compared(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/compare?index=sample&q={QUESTION}&with=bm25,hoprag-coverage")
    for text in ("BM25", "HopRAG, coverage", "Teo Marrask"):
        page.get_by_text(text, exact=False).first.wait_for()
    assert "2 of 2" in page.locator("body").inner_text()
    shoot(page, "compare")


def test_the_graph_is_explored(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=final-1998")
    page.get_by_text("Neither side scored in two hours.").first.wait_for()
    page.get_by_text("203").first.wait_for()
    shoot(page, "explore")


@pytest.mark.parametrize("name", ["settings", "build"])
def test_other_pages_open(page: Any, server: Server, sample: Path, name: str) -> None:
    go(page, server, f"/{name}?index=sample")
    assert page.locator(".hop-title").inner_text()
    shoot(page, name if name == "settings" else "build-sample")


ATTACK = '</script><script>window.ran=1</script><img src=x onerror="window.ran=1"> href'


def test_the_text_of_a_corpus_stays_text(page: Any, server: Server, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "title": f"Ada {ATTACK}", "text": f"Ada Birch met Bo Cole. {ATTACK}"},
        {
            "id": "b",
            "title": "Bo Cole",
            "text": f"![x](http://x.invalid/a.png) {ATTACK} Bo Cole.",
        },
        {
            "id": "c",
            "title": "Ada Birch",
            "text": "Ada <b>is</b> [here](javascript:alert(1)).",
        },
    ]
    (tmp_path / "attack.jsonl").write_text("\n".join(map(json.dumps, rows)))
    build_index(server.home, "attack", tmp_path / "attack.jsonl")
    for path in (
        "/trace?index=attack&q=Whom did Ada Birch meet?",
        "/compare?index=attack&q=Whom did Ada Birch meet?",
        "/explore?index=attack&passage=a",
        "/build?index=attack",
    ):
        go(page, server, path)
        for canvas in page.locator("canvas:visible").all():
            canvas.hover(force=True)
        page.wait_for_timeout(300)
        assert page.evaluate("window.ran === undefined"), path
        assert page.locator("img[src='x'], b:text-is('is')").count() == 0, path
    go(page, server, "/explore?index=attack&passage=a")
    assert ATTACK in page.locator("body").inner_text()


def test_two_tabs_see_one_build(page: Any, server: Server, browser: Any, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"p{i}",
            "title": f"Person {i}",
            "text": f"Person {i} met Person {i + 1} in Town {i}.",
        }
        for i in range(150)
    ]
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, rows)))
    go(page, server, "/corpus")
    page.locator("input[type=file]").first.set_input_files(tmp_path / "people.jsonl")
    page.get_by_label("Name of the index").fill("people")
    page.keyboard.press("Enter")
    idle(page)
    page.get_by_role("button", name="Build the index").click()
    page.wait_for_url("**/build**")
    second = browser.new_page()
    second.goto(page.url)
    page.goto("about:blank")
    second.get_by_role("button", name="Ask it").wait_for(timeout=120_000)
    second.close()


def test_the_watch_sees_a_foreign_image(browser: Any, server: Server) -> None:
    watch, tab = Watch(server.url), browser.new_page()
    watch.follow(tab)
    tab.goto(server.url)
    tab.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'http://x.invalid/a.png'}))"
    )
    deadline = time.monotonic() + 5
    while not watch.troubles and time.monotonic() < deadline:
        tab.wait_for_timeout(100)
    tab.close()
    assert any("x.invalid" in trouble for trouble in watch.troubles)
