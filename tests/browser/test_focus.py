"""The keyboard stays where it was, or goes to what it led to, and never back to the menus."""

from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle
from tests.browser.test_search_everything import find
from tests.estmark import suggested

FOCUSED = """() => {
    let found = document.activeElement;
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
    return found === document.body ? "nothing" : `${found.tagName} ${found.className}`;
}"""
PLAY = "BUTTON play"


def gets(page: Any, focused: str) -> None:
    """Wait until that has the focus."""
    try:
        page.wait_for_function(f"focused => ({FOCUSED})() === focused", arg=focused, timeout=15_000)
    except Exception:
        assert page.evaluate(FOCUSED) == focused
        raise


def test_search_comes_before_the_menu_in_the_order_of_tab(page: Any, server: Server) -> None:
    page.goto(server.url)
    idle(page)
    link = page.get_by_text("Skip to main content")
    has_focus = "of => of === document.activeElement"
    page.keyboard.press("Tab")
    assert link.evaluate(has_focus)
    page.keyboard.press("Tab")
    gets(page, "BUTTON open")
    page.keyboard.press("Tab")
    assert page.locator("[data-testid=stSidebar] :focus").count() == 1
    page.keyboard.press("Shift+Tab")
    gets(page, "BUTTON open")
    page.keyboard.press("Shift+Tab")
    assert link.evaluate(has_focus)


def test_search_gives_the_focus_back_or_to_the_result(
    page: Any, server: Server, sample: Path
) -> None:
    page.goto(f"{server.url}/trace?index=sample&q={suggested()[0]}&retriever=hoprag-coverage")
    idle(page)
    page.locator("button.play").focus()
    find(page, "errors")
    page.keyboard.press("Escape")
    gets(page, PLAY)
    find(page, suggested()[1][:40])
    page.keyboard.press("Enter")
    page.locator(".walkthrough .asked").filter(has_text=suggested()[1][:20]).wait_for()
    gets(page, PLAY)


def test_a_chosen_question_and_a_fix_keep_the_keyboard(
    page: Any, server: Server, sample: Path
) -> None:
    page.goto(f"{server.url}/trace?index=sample")
    idle(page)
    page.locator("[class*=st-key-hopcard_question_row_] button").first.focus()
    page.keyboard.press("Enter")
    page.locator(".walkthrough .headline").wait_for()
    gets(page, PLAY)
    page.goto(
        f"{server.url}/trace?index=sample&q={suggested()[0]}&retriever=hoprag-coverage&top_k=1"
    )
    page.locator(".walkthrough .headline").wait_for()
    idle(page)
    page.keyboard.press("?")
    page.get_by_text("Go to the fix of missed gold").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    gets(page, "BUTTON ")
    assert "retrieve" in page.locator(".fixes button:focus").inner_text()
    page.keyboard.press("Enter")
    page.locator(".fixes h4").first.wait_for()
    idle(page)
    assert page.evaluate(FOCUSED).startswith("BUTTON")
