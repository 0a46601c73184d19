"""Edit this passage on a copy …: edited on a copy, and the question replayed there."""

import re
from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle
from tests.estmark import suggested


def test_a_passage_is_edited_on_a_copy_and_its_question_replayed(
    page: Any, server: Server, sample: Path
) -> None:
    published = (server.home / "indexes" / "sample" / "published.json").read_bytes()
    question = suggested()[0]
    page.goto(f"{server.url}/trace?index=sample&q={question}")
    idle(page)
    page.goto(f"{server.url}/explore?index=sample&q={question}")
    idle(page)
    page.get_by_role("radio", name="Neighbourhood").click()
    page.locator(".st-key-explore_start_hub_0 button").click()
    page.wait_for_url("**passage=**")
    idle(page)
    page.get_by_role("button", name="Edit in a copy …").click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("Text", exact=True)
    text.wait_for(timeout=20_000)
    text.fill(text.input_value() + " It is twinned with Port Brannock.")
    assert dialog.get_by_label("Copy name").input_value() == "sample, edited"
    dialog.get_by_role("button", name="Save copy and replay query").click()
    page.wait_for_url("**/trace**", timeout=60_000)
    told = page.locator("summary", has_text="Edited copy of sample: recall")
    told.wait_for(timeout=180_000)
    assert re.search(r"\d+ edges? appeared, \d+ vanished", told.inner_text())
    idle(page)
    told.click()
    page.locator(".hop-edited").wait_for()
    assert "Original" in page.locator(".hop-edited").inner_text()
    assert (server.home / "indexes" / "sample" / "published.json").read_bytes() == published
