"""A pipeline of another framework: its spans play, and stand beside our retrievers."""

import re
import shutil
from pathlib import Path
from typing import Any

from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample as product
from tests.browser.serving import Server, idle
from tests.core.spans.recorded import recorded

NAME = "lantern-cup"
QUESTION = "Which profession did the captain of the 1983 Lantern Cup winners take up later?"


def test_the_spans_of_an_agent_stand_in_compare_and_difference(
    page: Any, server: Server, tmp_path: Path
) -> None:
    assert product.install(tmp_path, BUNDLED_EMBEDDER)
    shutil.copytree(tmp_path / product.NAME, server.home / "indexes" / NAME, dirs_exist_ok=True)
    spans = tmp_path / "agent.jsonl"
    spans.write_bytes(recorded("langchain-agent", "spans"))
    page.goto(f"{server.url}/trace?index={NAME}")
    idle(page)
    page.get_by_text("Open a trace").click()
    page.locator("input[type=file]").last.set_input_files(spans)
    compare = page.get_by_role("button", name="Compare", exact=True)
    compare.wait_for()
    idle(page)
    compare.click()
    page.locator(".hop-headline", has_text="langchain-agent").wait_for()
    idle(page)
    assert page.get_by_label("Question", exact=True).input_value() == QUESTION

    heads = page.locator(".hop-col-head")
    assert "langchain-agent" in heads.nth(1).inner_text()
    assert "imported" in heads.nth(1).inner_text()
    assert page.locator(".st-key-compare_hit_1_column .hop-star").count() == 2
    assert page.locator(".st-key-compare_hit_1_column .hop-move-up").count() > 0

    page.get_by_text("Difference", exact=True).click()
    page.get_by_role("button", name="Swap").wait_for()
    idle(page)
    told = page.locator(".hop-headline").inner_text()
    assert told.startswith("langchain-agent finds both gold passages. HopRAG (coverage) misses '")
    assert re.search(r"\bLA\b", page.locator(".st-key-ask_retrievers").inner_text())

    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("button", name="Show walkthrough").nth(1).click()
    page.get_by_role("button", name="Close it").wait_for()
    idle(page)
    assert "langchain-agent" in page.locator("body").inner_text()


def test_a_question_that_the_spans_lack_says_so(page: Any, server: Server, sample: Path) -> None:
    column = "imported(column=elsewhere)"
    page.goto(f"{server.url}/compare?index={sample.name}&q={QUESTION}&with=bm25,{column}")
    page.get_by_text("The spans of elsewhere are not open. Open their file on Trace.").wait_for()
