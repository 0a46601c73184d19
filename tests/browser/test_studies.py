"""A study from its card to its table, from a number to its questions, and from there to a sweep."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.retrievers import Spec
from core.runs import FILE, Runs
from core.studies.sweep import sweepable
from tests.browser.serving import ROOT, Server, idle, still
from tests.browser.test_journeys import go

STUDY = """
title = "Small"
retrievers = ["bm25(top_k=[5,20])"]
measures = ["R@5", "judgements"]

[data]
first = 6

[[views]]
kind = "table"

[[views]]
kind = "curve"
measures = ["R@5"]
over = "top_k"
"""
ROW = 54  # pixels from the top of a table to the middle of its first row


@pytest.fixture(scope="module")
def run(built_sample: Path, server: Server) -> Iterator[str]:
    """A study that was added, as the command line runs it; both are gone when these tests end."""
    file = server.home / "studies" / "small.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(STUDY)
    command = [sys.executable, "-m", "core", "study", str(file), "--index", str(built_sample)]
    environ = {**os.environ, "HOPRAG_HOME": str(server.home)}
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=environ)
    yield Runs(built_sample).all()[0].id
    (built_sample / FILE).unlink()
    shutil.rmtree(file.parent)


@pytest.mark.usefixtures("run")
def test_the_menu_leads_from_a_study_to_the_list(page: Any, server: Server) -> None:
    go(page, server, "/studies?index=sample&study=small")
    page.get_by_role("button", name="All studies").wait_for()
    idle(page)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Studies").click()
    page.get_by_role("button", name="Open the study Small").wait_for()
    assert "study=" not in page.url
    assert "index=sample" in page.url


def test_from_a_card_to_questions_and_to_a_sweep(
    page: Any, server: Server, sample: Path, run: str
) -> None:
    go(page, server, "/studies?index=sample")
    page.get_by_text("finished on sample").wait_for()
    page.get_by_role("button", name="Open the study Small").click()
    page.locator("[data-testid=stVegaLiteChart]").wait_for()
    idle(page)
    table = page.locator("[data-testid=stDataFrame]:visible").first
    still(table).click(position={"x": 500, "y": ROW})
    page.get_by_text("top k 5: worst first by R@5").wait_for(timeout=60_000)
    idle(page)
    assert f"run={run}" in page.url
    page.get_by_role("button", name="Sweep a setting").click()
    tried = sweepable(Spec.parse("bm25(top_k=5)"))["top_k"]
    page.get_by_role("button", name=f"Top k: {', '.join(map(str, tried))}").click()
    page.locator(".hop-lead", has_text="Each value of top k").wait_for(timeout=60_000)
    page.get_by_text("Measures over top k").wait_for(timeout=120_000)
    newest = Runs(sample).all()[0]
    assert len(newest.retrievers) == len(tried)
