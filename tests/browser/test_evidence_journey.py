"""From an upload to lost evidence, to its fix, tried with every question."""

import json
import re
from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle

INDEX = "ferries"
LOST = "Its engine was taken from a tram that had burnt in Selby."
QUESTION = "Which ferry of the harbour crosses the river with the engine of a tram?"
FOUND = "Ferry 7 of the harbour was painted by Ann Selby."
ASKED = [
    {"id": "lost", "question": QUESTION, "evidence": [LOST]},
    {"id": "found", "question": "Who painted ferry 7 of the harbour?", "evidence": [FOUND]},
]


def _corpus() -> list[dict[str, str]]:
    """79 documents that are near the first question, and one that holds its evidence."""
    ferries = [
        f"Ferry {n} of the harbour crosses the river with an engine. "
        f"Ferry {n} of the harbour was painted by Ann Selby."
        for n in range(79)
    ]
    texts = [*ferries, f"The Osprey is a boat. {LOST}"]
    return [{"id": f"d{n}", "title": f"Boat {n}", "text": text} for n, text in enumerate(texts)]


def test_lost_evidence_is_named_and_retrieved_by_its_fix(
    page: Any, server: Server, tmp_path: Path
) -> None:
    for name, rows in (("boats.jsonl", _corpus()), ("asked.jsonl", ASKED)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))
    page.goto(f"{server.url}/corpus")
    idle(page)
    files = [tmp_path / "boats.jsonl", tmp_path / "asked.jsonl"]
    page.locator("input[type=file]").first.set_input_files(files)
    page.locator(".hop-previewed mark", has_text=LOST).wait_for()
    page.get_by_text("2 with gold").wait_for()
    page.get_by_label("Index name").fill(INDEX)
    page.keyboard.press("Enter")
    idle(page)
    page.get_by_role("button", name="Build index").click()
    page.get_by_role("button", name="Ask a question").wait_for(timeout=120_000)

    page.goto(f"{server.url}/evaluate?index={INDEX}")
    idle(page)
    page.get_by_role("button", name="Start the run").click()
    page.get_by_role("button", name="Review these").wait_for(timeout=120_000)

    page.goto(f"{server.url}/errors?index={INDEX}&retriever=dense")
    listed = page.locator(".hop-cases")
    listed.get_by_text("○ below the top 20").wait_for()
    page.get_by_text("Reviewing as Reviewer 1").wait_for()
    panel = page.locator(".st-key-errors_verdict")
    lost = panel.locator(".hop-loss")
    lost.wait_for()
    assert panel.get_by_role("combobox").input_value() == "below the top 20 (as traced)"
    assert "Rank 80 of 80" in lost.inner_text()
    assert LOST in lost.inner_text()
    parts = lost.locator("p").evaluate_all("all => all.map((of) => of.getBoundingClientRect())")
    assert parts[0]["bottom"] <= parts[1]["top"] + 1  # neither is written over the other

    page.get_by_role("button", name="What would retrieve it?").click()
    panel.locator(".hop-keeps", has_text="Top k 80 instead of 20").wait_for()
    page.get_by_role("button", name=re.compile("Run all 2 questions with top k 80")).click()
    panel.get_by_text("all other questions: +0.0 points").wait_for(timeout=120_000)

    page.goto(f"{server.url}/errors?index={INDEX}&retriever=dense(top_k=80)&which=all")
    listed.get_by_text("● found").first.wait_for()
    assert listed.get_by_text("● found").count() == 2
