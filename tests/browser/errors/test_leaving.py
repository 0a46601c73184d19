"""Leaving the page Errors by the menu or Back, and coming back to where one was."""

from secrets import token_hex
from typing import Any

from core.reviews import Reviews
from tests.browser.errors.errors_page import (
    ASKED,
    NOTES,
    ON,
    STAGE,
    measured,
    opened,
    signed,
    turned,
    until_noted,
)
from tests.browser.serving import Server, idle


def test_back_from_another_page_leads_to_the_question_one_was_at(page: Any, server: Server) -> None:
    measured(server, "left")
    opened(page, server)
    turned(page, "j")
    page.reload()
    page.locator(STAGE).wait_for()
    idle(page)
    was, asked = page.url, page.locator(ASKED).inner_text()
    assert "at=2" in was
    entries = page.evaluate("history.length")
    page.get_by_role("link", name="Evaluate", exact=True).click()
    page.wait_for_url("**/evaluate?*base=*")
    idle(page)
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    page.wait_for_url(was)
    page.locator(STAGE).wait_for()
    idle(page)
    assert (page.url, page.locator(ASKED).inner_text()) == (was, asked)


BUSY = """addEventListener("focusout", () => {
  for (const until = performance.now() + 400; performance.now() < until;);
}, true)"""
"""A browser so busy that the press of the menu is handled before the text of the field is sent."""


def test_the_menu_leads_away_in_a_busy_browser(page: Any, server: Server) -> None:
    measured(server, "left when busy")
    opened(page, server)
    signed(page, f"ray {token_hex(4)}")
    page.evaluate(BUSY)
    page.get_by_placeholder("New label").focus()
    page.keyboard.type("left when busy")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_url("**/compare?*with=*")
    idle(page)
    assert page.locator(".hop-title").inner_text() == "Compare"
    page.get_by_role("link", name="Errors", exact=True).click()
    page.locator(ON, has_text="left when busy").wait_for()


def test_back_leads_away_while_a_note_is_typed(page: Any, server: Server) -> None:
    folder, _ = measured(server, "left by back")
    opened(page, server)
    signed(page, "kim")
    for wait in (0, 600, 900):
        page.get_by_role("link", name="Compare", exact=True).click()
        page.wait_for_url("**/compare?*with=*")
        idle(page)
        was = page.url
        page.get_by_role("link", name="Errors", exact=True).click()
        page.locator(STAGE).wait_for()
        idle(page)
        page.locator(NOTES).fill("")
        page.keyboard.type(f"back after {wait}")
        page.wait_for_timeout(wait)
        page.go_back()
        page.locator(".hop-title", has_text="Compare").wait_for()
        page.wait_for_timeout(1500)
        idle(page)
        assert page.url == was
        assert page.locator(".hop-title").inner_text() == "Compare"
        page.go_forward()
        page.locator(STAGE).wait_for()
        until_noted(page, Reviews(folder), "kim", f"back after {wait}")
        idle(page)
        assert page.locator(NOTES).input_value() == f"back after {wait}"
