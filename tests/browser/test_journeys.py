"""What a new user does, in a real browser: nothing may fail, reach out, or run a corpus' text."""

import json
import re
import shutil
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from core.shipping.sample import suggested as sample_questions
from tests.browser.conftest import Watch
from tests.browser.serving import Server, idle
from tests.estmark import suggested

QUESTION = suggested()[0]


def go(page: Any, server: Server, path: str) -> None:
    page.goto(server.url + path)
    idle(page)


def walkthrough(page: Any) -> None:
    """Wait until there is one."""
    page.wait_for_function("globalThis.__hopWalkthrough?.data", timeout=60_000)
    idle(page)


def test_the_sample_is_tried_first(page: Any, server: Server) -> None:
    index = server.home / "indexes" / "sample"
    was_there = index.exists()
    go(page, server, "/")
    assert page.get_by_role("heading", name="HopRAG Explorer").is_visible()
    page.get_by_role("button", name=re.compile("(Try|Open) the sample")).click()
    page.wait_for_url("**/trace**", timeout=180_000)
    walkthrough(page)
    assert page.evaluate("globalThis.__hopWalkthrough.place.stop") == 0
    assert page.get_by_placeholder("Ask a question").first.input_value() == sample_questions()[0]
    assert (index / "published.json").is_file()
    if not was_there:  # other tests put an index of this name there
        page.goto("about:blank")
        shutil.rmtree(index)


PLAYER = "globalThis.__hopWalkthrough"


def at_stop(page: Any, expected: int, timeout: float = 20_000) -> None:
    """Wait until the walkthrough shows that stop."""
    shows = f"at => {PLAYER}.place.stop === at"
    page.wait_for_function(shows, arg=expected, timeout=timeout)


COUNT_MESSAGES = """() => {
  const send = WebSocket.prototype.send;
  globalThis.sent = 0;
  WebSocket.prototype.send = function (...all) {
    globalThis.sent += 1;
    return send.apply(this, all);
  };
}"""


def test_a_trace_is_played_to_its_end_and_stepped_back_without_the_server(
    page: Any, server: Server, sample: Path
) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever=bm25&step=1")
    walkthrough(page)
    last = page.evaluate(f"{PLAYER}.last")
    page.evaluate(COUNT_MESSAGES)
    page.keyboard.press("Space")
    at_stop(page, last, timeout=90_000)
    page.keyboard.press("ArrowLeft")
    at_stop(page, last - 1)
    assert "gold passages" in page.locator(".walkthrough .said").inner_text()
    for key, stop in (("Home", 0), ("End", last), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        at_stop(page, stop)
    page.keyboard.press("g")
    page.wait_for_url(re.compile(r"[?&]view=graph(&|$)"))
    page.wait_for_url(re.compile(r"[?&]step=2(&|$)"))
    assert page.evaluate("globalThis.sent") == 0
    page.reload()
    walkthrough(page)
    at_stop(page, 1)
    page.locator(".walkthrough .node").first.wait_for()


def test_a_node_of_the_graph_tells_its_passage(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&view=graph")
    walkthrough(page)
    page.locator(".node[data-node='final-1998']").click()
    page.locator(".details", has_text="Neither side scored in two hours.").wait_for()


def test_a_presenter_sees_the_walkthrough_alone(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&view=graph&present=1")
    walkthrough(page)
    box = page.locator("dialog.walkthrough.presenting").bounding_box()
    size = page.viewport_size
    assert (box["x"], box["y"], box["width"]) == (0, 0, size["width"])
    page.locator(".walkthrough .node").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.walkthrough.presenting").wait_for(state="detached")
    assert not page.locator("#first").is_visible()  # the outline of a page that is not there yet
    page.wait_for_url(lambda url: "present=" not in url)


def test_the_link_to_what_is_shown_is_copied_at_once(
    page: Any, server: Server, sample: Path
) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&view=graph&t=3&grain=event")
    walkthrough(page)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    assert "t=3" in copied


def test_the_next_question_is_a_key_away(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever=bm25")
    walkthrough(page)
    asked = "before => globalThis.__hopWalkthrough?.data.query !== before"
    page.keyboard.press("]")
    page.wait_for_function(asked, arg=QUESTION)
    idle(page)
    other = page.evaluate("globalThis.__hopWalkthrough.data.query")
    assert parse_qs(urlsplit(page.url).query)["q"] == [other]
    assert parse_qs(urlsplit(page.url).query)["retriever"] == ["bm25"]
    assert page.get_by_placeholder("Ask a question").first.input_value() == other
    page.keyboard.press("[")
    page.wait_for_function(asked, arg=other)
    assert page.evaluate("globalThis.__hopWalkthrough.data.query") == QUESTION


def test_a_mark_is_there_after_a_reload_and_in_another_browser(
    page: Any, browser: Any, server: Server, sample: Path
) -> None:
    where = f"/trace?index=sample&q={suggested()[1]}&retriever=bm25&view=graph"
    go(page, server, where)
    walkthrough(page)
    row = page.locator(".ranking .row:not(:has(.star))").last
    title = row.locator(".name").inner_text()
    row.click()
    page.get_by_role("button", name="Mark as gold").click()
    marked = f".gold-status li:has-text({json.dumps(title)})"
    page.locator(marked).wait_for()
    page.locator(".remark", has_text="is marked as gold").wait_for()
    page.reload()
    walkthrough(page)
    page.locator(marked).wait_for()
    other = browser.new_context()
    second = other.new_page()
    go(second, server, where)
    walkthrough(second)
    second.locator(marked).wait_for()
    other.close()


CORPUS = [
    ("Harbour Rovers", "Harbour Rovers is a football club. It was bought by Mara Quist in 1998."),
    ("Mara Quist", "Mara Quist is a brewer. She was born in Port Selby."),
    ("Port Selby", "Port Selby is a town on the River Ash."),
]


def test_a_corpus_is_uploaded_built_in_sight_of_two_tabs_and_asked(
    page: Any, server: Server, browser: Any, tmp_path: Path
) -> None:
    rows = [{"id": t.casefold(), "title": t, "text": text} for t, text in CORPUS]
    (tmp_path / "rovers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "broken.pdf").write_bytes(b"this is no pdf")
    go(page, server, "/corpus")
    page.locator("input[type=file]").first.set_input_files(
        [tmp_path / "rovers.jsonl", tmp_path / "broken.pdf"]
    )
    page.get_by_text("broken.pdf").first.wait_for()
    page.get_by_text("Port Selby is a town").first.wait_for()
    idle(page)
    page.get_by_label("Index name").fill("rovers")
    page.keyboard.press("Enter")
    idle(page)
    page.get_by_role("button", name="Build index").click()
    page.wait_for_url("**/build**")
    second = browser.new_page()
    second.goto(page.url)
    page.goto("about:blank")
    second.get_by_role("button", name="Ask a question").wait_for(timeout=120_000)
    page.goto(second.url)
    second.close()
    idle(page)
    assert page.get_by_text("rovers").first.is_visible()
    page.get_by_role("button", name="Ask a question").click()
    page.wait_for_url("**/trace**")
    idle(page)
    page.get_by_placeholder("Ask a question").first.fill(
        "Where was the owner of Harbour Rovers born?"
    )
    page.keyboard.press("Enter")
    walkthrough(page)
    page.keyboard.press("End")
    page.locator(".walkthrough", has_text="Port Selby").wait_for()


def test_retrievers_are_compared(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/compare?index=sample&q={QUESTION}&with=bm25,hoprag-coverage")
    for text in ("BM25", "HopRAG (coverage)", "Teo Marrask"):
        page.get_by_text(text, exact=False).first.wait_for()
    page.locator("b", has_text="2 of 2").first.wait_for()
    page.set_viewport_size({"width": 1024, "height": 768})
    page.keyboard.press("p")
    page.locator(".rankings .kept.is-gold").first.wait_for()
    page.keyboard.press("]")
    page.locator(".rankings h2").filter(has_not_text=QUESTION).wait_for()
    page.keyboard.press("Escape")
    page.locator(".rankings .head").first.wait_for(state="hidden")


def test_a_column_is_one_stop_of_tab(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/compare?index=sample&q={QUESTION}&with=bm25,dense")
    first = page.locator(".st-key-compare_hit_0_column button:visible")
    second = page.locator(".st-key-compare_hit_1_column button:visible")
    stops = "(all) => all.map((one) => one.tabIndex).filter((at) => at === 0).length"
    page.wait_for_function(
        "() => document.querySelectorAll('.st-key-compare_hit_1_column [tabindex=\"-1\"]').length"
    )
    assert (first.evaluate_all(stops), second.evaluate_all(stops)) == (1, 1)
    here = "(one) => one === document.activeElement"
    first.first.focus()
    page.keyboard.press("ArrowDown")
    assert first.nth(1).evaluate(here)
    page.keyboard.press("Tab")
    assert second.first.evaluate(here)
    page.keyboard.press("Shift+Tab")
    assert first.nth(1).evaluate(here)  # it goes on where it was left
    page.keyboard.press("?")
    assert "Move within a column" in page.locator("dialog.rankings .keys").inner_text()
    page.keyboard.press("Escape")
    first.nth(1).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Passage").wait_for()


def test_a_question_keeps_its_settings_from_view_to_view(
    page: Any, server: Server, sample: Path
) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever=hoprag-coverage(top_k=12)")
    walkthrough(page)
    page.get_by_role("radio", name="Difference").click()
    page.wait_for_url("**/compare**")
    page.locator(".difference .node.is-a").first.wait_for()
    idle(page)
    assert page.get_by_placeholder("Ask a question").first.input_value() == QUESTION
    assert "The two retrievals first differ at" in page.locator("body").inner_text()
    page.get_by_role("radio", name="Columns").click()
    page.locator(".hop-col-head").first.wait_for()
    idle(page)
    page.get_by_role("radio", name="Walkthrough").click()
    page.wait_for_url("**/trace**")
    walkthrough(page)
    assert "top_k%3D12" in page.url or "top_k=12" in page.url
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Compare").click()
    page.locator(".hop-col-head").first.wait_for()
    idle(page)
    assert page.get_by_placeholder("Ask a question").first.input_value() == QUESTION


def test_the_graph_is_explored(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=final-1998")
    page.get_by_text("Neither side scored in two hours.").first.wait_for()
    page.get_by_text("203").first.wait_for()


@pytest.mark.parametrize("name", ["settings", "build"])
def test_other_pages_open(page: Any, server: Server, sample: Path, name: str) -> None:
    go(page, server, f"/{name}?index=sample")
    assert page.locator(".hop-title").inner_text()


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


def test_a_question_that_its_field_shows_whole_is_not_said_again(
    page: Any, server: Server, sample: Path
) -> None:
    """However narrow the field is while the page is laid out."""
    page.set_viewport_size({"width": 1440, "height": 900})
    long = "What did the mother of the goalkeeper whose save won the 1998 Lantern Cup final mend?"
    go(page, server, f"/compare?index=sample&q={quote(long)}")
    again = page.locator(".hop-whole")
    assert again.count() == 1
    for narrow, cut in (("20rem", "true"), ("", "false")):
        page.locator(".st-key-question_row input[type=text]").evaluate(
            "(field, width) => { field.style.maxWidth = width; }", narrow
        )
        page.wait_for_selector(f".hop-whole[data-cut={cut}]", state="attached")
