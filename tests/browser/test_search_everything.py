"""Ctrl-K finds what there is and goes there, with the keyboard alone."""

from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle
from tests.estmark import suggested


def find(page: Any, text: str) -> Any:
    """Open the dialog, type, and wait until the results are those of `text`."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search everything")
    field.wait_for(timeout=1_000)
    field.fill(text)
    said = page.locator(".st-key-hop_search [role=status]")
    said.filter(has_text="found").wait_for(timeout=20_000)
    return field


def test_the_keyboard_finds_and_opens(page: Any, server: Server, sample: Path) -> None:
    page.goto(f"{server.url}/explore?index=sample")
    idle(page)
    question = suggested()[0]
    find(page, question[:30])
    page.get_by_role("option", name=question).wait_for()
    assert page.get_by_role("group", name="Questions").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/trace**", timeout=20_000)
    idle(page)
    find(page, "evaluate")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/evaluate**", timeout=20_000)


def test_escape_closes_and_markup_is_text(page: Any, server: Server, sample: Path) -> None:
    page.goto(f"{server.url}/methods?index=sample")
    idle(page)
    page.locator(".st-key-hop_search .open").click()
    field = page.get_by_role("combobox", name="Search everything")
    field.fill("<img src=zz onerror=qq()>")
    page.get_by_text("Nothing matches").wait_for(timeout=20_000)
    page.keyboard.press("Escape")
    assert not field.is_visible()


def test_presenter_mode_has_no_search(page: Any, server: Server, sample: Path) -> None:
    page.goto(f"{server.url}/trace?index=sample&q={suggested()[0]}&present=1")
    idle(page)
    page.keyboard.press("Control+k")
    assert page.get_by_role("combobox", name="Search everything").count() == 0
