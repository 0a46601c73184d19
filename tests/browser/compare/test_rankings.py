"""Rankings for an audience: nothing is cut or hidden, and columns are walked with the keys."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.compare.test_compare_keys import here
from tests.browser.compare.test_compare_stage import BURIED, SEVERAL, TREES, staged
from tests.browser.serving import SIZES, Server

# Text that leaves its row or the window, and rows of a column that lie over each other.
WRONG = """(dialog) => {
  const wrong = [], seen = (of) => of.checkVisibility();
  const lists = dialog.querySelector(".lists").getBoundingClientRect();
  for (const column of dialog.querySelectorAll("ol")) {
    let above = -1;
    for (const row of [...column.querySelectorAll("li")].filter(seen)) {
      const box = row.getBoundingClientRect(), range = document.createRange();
      range.selectNodeContents(row);
      const beyond = [...range.getClientRects()].some((r) => r.left < box.left - 1
        || r.right > box.right + 1 || r.bottom > box.bottom + 4);
      if (beyond || box.bottom > lists.bottom + 1) wrong.push(row.textContent);
      if (box.top < above - 0.5) wrong.push(`over: ${row.textContent}`);
      above = box.bottom;
    }
  }
  return wrong;
}"""
# For each column: ranks shown or counted and ranks of the result, gold shown as lost and gold lost.
COUNTS = """(dialog) => dialog.hopView.view.data.columns.map(({ rows, lost }, n) => {
  const column = dialog.querySelectorAll("ol")[n];
  const count = (what) => [...column.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const more = +(/(\\d+) more/.exec(column.querySelector(".rest").textContent)?.[1] ?? 0);
  return [count(".kept").length + more, rows.length, count(".is-lost").length, lost.length];
})"""


@pytest.mark.parametrize("count", [2, 4])
def test_no_name_leaves_its_row_and_every_rank_is_shown_or_counted(
    page: Any, server: Server, sample: Path, count: int
) -> None:
    for question in (BURIED, TREES):
        page.set_viewport_size({"width": 1440, "height": 900})
        dialog = staged(page, server, question, ",".join(SEVERAL[:count]))
        for width, height in (*SIZES, (1024, 640)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(
                f"() => document.documentElement.clientWidth === {width}"
                " && new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60, true)))"
            )
            assert dialog.evaluate(WRONG) == [], (question, width, height)
            for shown, held, lost, missed in dialog.evaluate(COUNTS):
                assert (shown, lost) == (held, missed), (question, width, height)
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")


def test_a_column_is_one_stop_and_its_names_are_read_out(
    page: Any, server: Server, sample: Path
) -> None:
    dialog = staged(page, server, BURIED, "hoprag-coverage,bm25,dense")
    names = [one.get_attribute("aria-label") for one in dialog.locator("ol").all()]
    assert names == ["HopRAG (coverage)", "BM25", "Dense"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert here(page)[2].startswith("2")
    page.keyboard.press("Tab")
    assert here(page)[2].startswith("1")
    focused = dialog.locator("li:focus").get_attribute("aria-label")
    assert focused == "1. Avocet: same rank as in HopRAG (coverage) gold"
