"""From the leaderboard to a lost passage, to what would have retrieved it, to the film of that."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.retrievers import Spec
from core.runs import FILE, Runs, Where
from core.runs.fixes import lost_of
from tests.browser.serving import Server, idle, still
from tests.browser.test_journeys import go, walkthrough

WALK = "hoprag-coverage"
FIRST, SECOND = 54, 89  # pixels from the top of the board to the middle of a row


@pytest.fixture(scope="module")
def run(built_sample: Path) -> Iterator[str]:
    """A run of the sample; it is gone when these tests end."""
    asked = ["--index", str(built_sample), "--run", "First", "--retrievers", f"{WALK},bm25"]
    done = CliRunner().invoke(app, ["evaluate", *asked])
    assert done.exit_code == 0, done.output
    yield Runs(built_sample).get("First").id
    (built_sample / FILE).unlink()


def board(page: Any) -> Any:
    """The table below the charts, once its expander has opened and no row moves any more."""
    page.get_by_text("Table: all measures").click()
    idle(page)
    return still(page.locator("[data-testid=stDataFrame]").first)


def test_a_mark_of_the_charts_leads_to_its_questions(
    page: Any, server: Server, sample: Path, run: str
) -> None:
    go(page, server, f"/evaluate?index=sample&run={run}")
    page.get_by_label(re.compile(r"BM25: \d+ of \d+, Below the top k")).click()
    page.wait_for_url("**stages=cut**")
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["retriever"], asked["stages"]) == (["bm25"], ["cut"])
    page.get_by_text(re.compile("BM25.*with gold below the top")).wait_for()
    assert page.locator(".hop-result").inner_text().startswith("HopRAG (coverage) leads: R@5 ")


def test_a_number_leads_to_questions_and_compare_shows_what_was_counted(
    page: Any, server: Server, sample: Path, run: str
) -> None:
    runs = Runs(sample)
    kept = runs.get(run)
    go(page, server, f"/evaluate?index=sample&run={run}")
    board(page).click(position={"x": 215, "y": SECOND})
    page.get_by_text("BM25: worst first").wait_for()
    idle(page)
    row, *_ = runs.rows(run, "bm25", Where(measured_by="R@5"))
    listed = page.locator(".hop-asked-text").first.inner_text()
    assert listed == row.question.text
    go(page, server, f"/compare?index=sample&q={quote(listed)}&with={WALK},bm25&k=20")
    page.get_by_text(f"configuration {kept.configuration('bm25')}").wait_for(timeout=60_000)
    shown = page.locator("[data-testid=stMain]").inner_text()
    for retriever in kept.retrievers:
        counted = runs.row(run, retriever, row.question.id)
        assert counted
        found = sum(rank is not None for rank in counted.ranks.values())
        assert f"{found} of {len(counted.ranks)}" in shown
        assert f"configuration {kept.configuration(retriever)}" in shown


def test_from_the_board_to_a_rescue_in_four_clicks(
    page: Any, server: Server, sample: Path, run: str
) -> None:
    go(page, server, f"/evaluate?index=sample&run={run}")
    board(page).click(position={"x": 215, "y": FIRST})  # what the walk found
    page.get_by_text("HopRAG (coverage): worst first").wait_for()
    idle(page)
    listed = Runs(sample).rows(run, WALK, Where(measured_by="R@5"), limit=8)
    row = next(row for row in listed if lost_of(row))
    lost = lost_of(row)
    page.locator("[class*='st-key-evaluate_lost_'] button").first.click()
    page.locator(".hop-loss").last.wait_for()
    assert page.locator(".hop-loss").count() == len(lost)
    page.get_by_role("button", name=re.compile("What would retrieve")).click()
    page.locator(".hop-saved").first.wait_for(timeout=60_000)
    page.get_by_role("button", name="Show walkthrough with this fix").first.click()
    page.wait_for_url("**/trace**")
    walkthrough(page)
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["q"] == [row.question.text]
    assert "amend" in asked or Spec.parse(asked["retriever"][0]) != Spec(WALK)
    saved = [fate.passage for fate in lost if fate.passage]
    gold = "globalThis.__hopWalkthrough.data.gold"
    missing = f"ids => {gold}.filter(g => ids.includes(g.passage) && !g.retrieved).length"
    assert page.evaluate(missing, saved) < len(saved)
