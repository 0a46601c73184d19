"""What is typed into a note is never lost, whatever becomes of window, server or connection."""

from secrets import token_hex
from typing import Any

from core.reviews import Change, Reviews
from tests.browser.errors.errors_page import (
    ASKED,
    LOST,
    NOTES,
    SIGN,
    STAGE,
    measured,
    noted,
    opened,
    signed,
    turned,
    until_noted,
)
from tests.browser.serving import Server, idle


def test_a_note_is_there_after_a_reload_though_nothing_was_pressed_behind_it(
    page: Any, server: Server
) -> None:
    folder, _ = measured(server, "typed")
    Reviews(folder).say("zoe", [Change("Of no question?", LOST, verdict="pass")])
    opened(page, server)
    page.keyboard.press("n")
    page.get_by_text("Enter your name first").first.wait_for()
    page.keyboard.type("bob")
    page.keyboard.press("Enter")
    page.locator(".st-key-errors_fail").wait_for()
    idle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.type("The river has ", delay=80)
    page.wait_for_timeout(1500)  # it is saved meanwhile, and keeps the keys
    page.keyboard.type("no ferry.", delay=80)
    page.wait_for_timeout(1500)
    idle(page)
    page.reload()
    page.locator(STAGE).wait_for()
    idle(page)
    assert page.locator(NOTES).input_value() == "The river has no ferry."


def test_of_two_tabs_that_write_one_note_neither_writes_over_the_other(
    page: Any, window: Any, server: Server
) -> None:
    folder, _ = measured(server, "two tabs")
    reviews = Reviews(folder)
    name = f"cy {token_hex(2)}"  # a second try has no notes of the first

    def written(tab: Any, text: str) -> None:
        tab.bring_to_front()
        tab.locator(NOTES).fill(text)  # saved, or refused, when no key was pressed for a while

    opened(page, server)
    signed(page, name)
    other = window.new_page()
    opened(other, server)
    assert page.locator(ASKED).inner_text() == other.locator(ASKED).inner_text()
    written(page, "Never offered.")
    until_noted(page, reviews, name, "Never offered.")
    written(other, "Offered, not taken.")
    other.get_by_text("another window saved a different note: Never offered.").wait_for()
    assert other.locator(NOTES).input_value() == "Offered, not taken."
    assert noted(reviews, name) == "Never offered."
    other.get_by_role("button", name="Keep mine").click()
    until_noted(page, reviews, name, "Offered, not taken.")
    other.get_by_text("Not saved: another window").wait_for(state="detached")

    written(page, "Never offered at all.")
    both = page.get_by_text("another window saved a different note: Offered, not taken.")
    both.wait_for()
    page.locator(".hop-case-asked").click()  # keys are of the page again
    turned(page, "j")
    told = page.locator(".hop-told").text_content()
    assert told == (
        "The note on result 1 is not saved, because another version exists. Choose one "
        "of the two there."
    )
    card = page.locator(".hop-case").first
    assert "⚠ note in conflict" in card.inner_text()
    assert "note in conflict" in card.get_attribute("aria-label")
    assert "note in conflict" in card.get_attribute("title")
    turned(page, "k")
    both.wait_for()  # who steps away has chosen neither
    assert page.locator(NOTES).input_value() == "Never offered at all."
    page.get_by_role("button", name="Use the other note").click()
    page.get_by_text("Not saved: another window").wait_for(state="detached")
    idle(page)
    assert "conflict" not in card.inner_text()
    page.get_by_text("Kept the note from the other window").wait_for()
    assert page.locator(NOTES).input_value() == noted(reviews, name) == "Offered, not taken."
    assert other.locator(NOTES).input_value() == "Offered, not taken."


def test_a_note_that_a_window_left_behind_is_saved_or_offered_again(
    page: Any, window: Any, server: Server
) -> None:
    folder, _ = measured(server, "left behind")
    reviews = Reviews(folder)

    opened(page, server)
    signed(page, "dee")
    page.locator(NOTES).press_sequentially("typed on and on " * 3, delay=70)  # without a rest
    assert noted(reviews, "dee").startswith("typed on")

    # Nothing reaches the server any more: as when a window is killed while one types.
    until_noted(page, reviews, "dee", ("typed on and on " * 3).strip())
    idle(page)
    page.evaluate(
        "window.addEventListener('keydown', (e) => e.ctrlKey && e.stopPropagation(), true)"
    )
    page.locator(NOTES).fill("<b>Killed</b>")
    page.locator(NOTES).evaluate("field => field.remove()")
    page.reload()
    page.locator(STAGE).wait_for()
    until_noted(page, reviews, "dee", "<b>Killed</b>")
    idle(page)
    assert page.locator(NOTES).input_value() == "<b>Killed</b>"
    assert (
        page.evaluate("Object.keys(localStorage).filter((one) => one.startsWith('hop-note'))") == []
    )

    (kept,) = reviews.all("dee")
    reviews.say("dee", [Change(*kept.key, note="Of the other.")])
    page.locator(NOTES).fill("Of this one.")
    page.get_by_text("another window saved a different note: Of the other.").wait_for()
    page.reload()
    page.get_by_text("another window saved a different note: Of the other.").wait_for()
    assert page.locator(NOTES).input_value() == "Of this one."
    page.get_by_role("button", name="Use the other note").click()
    page.get_by_text("Not saved: another window").wait_for(state="detached")
    idle(page)
    page.reload()
    page.locator(STAGE).wait_for()
    idle(page)
    assert page.locator(NOTES).input_value() == noted(reviews, "dee") == "Of the other."


NOTHING_HANDED_OVER = """() => {
  addEventListener("keydown", (e) => e.ctrlKey && e.stopPropagation(), true);
  addEventListener("focusout", (e) => e.stopPropagation(), true);
}"""
"""What is typed stays in the window, also when that is closed."""


def test_a_note_that_a_killed_window_left_is_saved_though_another_result_is_shown(
    page: Any, window: Any, server: Server
) -> None:
    folder, _ = measured(server, "killed")
    reviews = Reviews(folder)
    opened(page, server)
    signed(page, "gus")
    other = window.new_page()
    opened(other, server)
    turned(other, "j")
    other.evaluate(NOTHING_HANDED_OVER)
    other.locator(NOTES).fill("Typed and gone.")
    other.close()
    assert noted(reviews, "gus") == ""
    page.reload()
    page.locator(STAGE).wait_for()
    until_noted(page, reviews, "gus", "Typed and gone.")  # once that window has kept silent
    page.get_by_text("Saved your unsaved note on").wait_for()
    assert page.locator(NOTES).input_value() == ""
    turned(page, "j")
    assert page.locator(NOTES).input_value() == "Typed and gone."


SOCKETS = """globalThis.__sockets = [];
globalThis.WebSocket = class extends WebSocket {
    constructor(...of) { super(...of); __sockets.push(this); }
    send(message) { if (!globalThis.__deaf) super.send(message); }
};"""


def cut(page: Any, *, seen: bool) -> None:
    """Nothing reaches the server any more; the browser has `seen` that its line is cut, or not."""
    page.evaluate("globalThis.__deaf = true")
    if seen:
        page.context.set_offline(True)
        page.evaluate("__sockets.forEach((one) => one.close())")


def joined(page: Any) -> None:
    page.context.set_offline(False)
    page.evaluate("globalThis.__deaf = false")


def test_what_an_outage_kept_from_the_server_is_saved_behind_it(
    page: Any, window: Any, server: Server
) -> None:
    folder, _ = measured(server, "outage")
    reviews = Reviews(folder)
    tab = window.new_page()  # that is not watched: it says that its line is cut
    tab.add_init_script(SOCKETS)
    opened(tab, server)
    for seen in (False, True):
        who = f"mia {seen}"
        signed(tab, who)
        tab.locator(NOTES).fill("")
        tab.keyboard.type("cut off")
        cut(tab, seen=seen)
        tab.locator(SIGN, has_text="Kept in this browser; not yet saved on the server").wait_for()
        tab.wait_for_timeout(500)
        if seen:  # the field is shut: no key of what is typed is the page's or the walkthrough's
            assert tab.locator(NOTES).is_disabled()
            tab.keyboard.type("xpj")
        assert noted(reviews, who) == ""
        joined(tab)
        until_noted(tab, reviews, who, "cut off")
        tab.locator(SIGN, has_text="Saved").wait_for()
        idle(tab)
        (said,) = reviews.all(who)
        assert said.verdict == ""
        assert not tab.evaluate("globalThis.__hopWalkthrough.options.presenting")
        assert tab.evaluate("document.activeElement.tagName") == "TEXTAREA"
        tab.keyboard.type(", and on")
        until_noted(tab, reviews, who, "cut off, and on")
