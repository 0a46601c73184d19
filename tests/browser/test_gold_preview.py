"""From an upload to the evidence in its passage, before anything is built."""

import json
from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle

FACT = "The Osprey was rebuilt in Selby after the flood of that winter."
LONG = " ".join(f"Barge number {number} was sold to a farmer." for number in range(40))
CORPUS = {"id": "osprey", "title": "The Osprey", "text": f"{LONG} {FACT} {LONG}"}
ASKED = {"id": "q", "question": "Where was the Osprey rebuilt?", "evidence": [FACT]}


def test_an_upload_shows_a_fact_in_its_passage(page: Any, server: Server, tmp_path: Path) -> None:
    corpus, asked = tmp_path / "corpus.jsonl", tmp_path / "asked.jsonl"
    corpus.write_text(json.dumps(CORPUS))
    asked.write_text(json.dumps(ASKED))
    page.goto(f"{server.url}/corpus")
    idle(page)
    page.locator("input[type=file]").first.set_input_files([corpus, asked])
    fact = page.locator(".hop-previewed mark")
    fact.wait_for()
    assert fact.inner_text() == FACT
    assert "found word for word" in page.locator(".hop-previewed").inner_text()
    page.get_by_text("Tokens", exact=True).click()
    size = page.get_by_label("Tokens per passage")
    size.fill("8")
    size.press("Enter")
    overlap = page.get_by_label("Overlap with the previous passage")
    overlap.fill("0")
    overlap.press("Enter")
    page.locator(".hop-previewed").get_by_text("split across passages").wait_for()
    assert page.locator(".hop-previewed mark").count() >= 2
