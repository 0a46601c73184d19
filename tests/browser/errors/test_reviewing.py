"""Notes and labels on Errors in a tab that tests share: loading it is most of their cost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

import pytest

from core.reviews import Reviews
from core.runs import Runs
from tests.browser.conftest import Watch
from tests.browser.errors.errors_page import (
    ASKED,
    NOTES,
    ON,
    PROGRESS,
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

SHARED = "shared reviews"


@dataclass
class Shared:
    """A tab that tests share, and the question that each of them begins with."""

    watch: Watch
    tab: Any = None
    asked: str = ""

    def begin(self, window: Any, server: Server) -> None:
        self.tab = window.new_page()
        self.tab.set_default_timeout(40_000)
        self.watch.follow(self.tab)
        self.restart(server)
        self.asked = self.tab.locator(ASKED).inner_text()

    def restart(self, server: Server) -> None:
        opened(self.tab, server, SHARED)

    @property
    def ready(self) -> bool:
        return "/errors?" in self.tab.url and self.tab.locator(ASKED).all_inner_texts() == [
            self.asked
        ]


@pytest.fixture(scope="module")
def shared(server: Server) -> Shared:
    measured(server, "shared", SHARED)
    return Shared(Watch(server.url))


@pytest.fixture
def reviewing(
    shared: Shared, window: Any, server: Server, request: pytest.FixtureRequest
) -> Iterator[Any]:
    """The first question of the index `SHARED`, in a tab that is loaded once, without filters.

    Each test reviews by a name of its own. One that is tried again begins with a new tab.
    """
    if shared.tab is None or shared.tab.is_closed() or request.node.execution_count > 1:
        shared.begin(window, server)
    elif not shared.ready:
        shared.restart(server)
    yield shared.tab
    found, shared.watch.troubles = shared.watch.troubles, []
    assert found == []
    assert server.foreign == []


def test_words_typed_just_before_one_leaves_are_there_on_return(
    reviewing: Any, server: Server
) -> None:
    page = reviewing
    folder = server.home / "indexes" / SHARED
    reviews = Reviews(folder)
    signed(page, "fay")
    page.get_by_role("link", name="Methods", exact=True).click()
    page.wait_for_url("**/methods*")
    idle(page)

    def back_here() -> None:
        page.get_by_role("link", name="Errors", exact=True).click()
        page.locator(STAGE).wait_for()
        idle(page)

    for text, leave in (
        ("Left by Back", page.go_back),
        ("Left by the menu", page.get_by_role("link", name="Methods", exact=True).click),
    ):
        back_here()
        page.locator(NOTES).fill("")
        page.keyboard.type(text)
        leave()
        page.wait_for_url("**/methods*")
        idle(page)
        back_here()
        until_noted(page, reviews, "fay", text)
        assert page.locator(NOTES).input_value() == text
        page.get_by_role("link", name="Methods", exact=True).click()
        page.wait_for_url("**/methods*")
    back_here()
    page.locator(NOTES).fill("")
    page.keyboard.type("Left by a key")
    page.keyboard.press("Escape")
    turned(page, "j")
    until_noted(page, reviews, "fay", "Left by a key")
    kept = "Object.keys(localStorage).filter((one) => one.startsWith('hop-note'))"
    page.wait_for_function(f"!({kept}).length")  # and is no draft any more, which undo would bring


def test_the_menu_leads_away_while_words_are_still_typed(reviewing: Any, server: Server) -> None:
    """They were handed over behind the press: the window showed a page of neither, for good."""
    page = reviewing
    folder = server.home / "indexes" / SHARED
    reviews = Reviews(folder)
    for wait in (0, 600):
        text = f"left after {wait}"
        who = f"note {wait} {token_hex(4)}"  # another one where it is tried again
        signed(page, who)
        for field, name, part in (
            ("note", "Compare", "with="),
            ("note", "Evaluate", "base="),
            ("note", "Trace", "retriever="),
            ("label", "Compare", "with="),
        ):
            if field == "note":
                page.keyboard.press("n")
            else:
                page.get_by_placeholder("New label").focus()
            page.keyboard.type(text)
            page.wait_for_timeout(wait)
            page.get_by_role("link", name=name, exact=True).click()
            page.locator(".hop-title", has_text=name).wait_for()
            page.wait_for_timeout(1500)  # and stays
            idle(page)
            assert page.locator(".hop-title").inner_text() == name
            assert f"/{name.lower()}?" in page.url
            assert part in page.url
            assert f"run={Runs(folder).all()[0].id}" not in page.url or name == "Evaluate"
            page.get_by_role("link", name="Errors", exact=True).click()
            page.locator(STAGE).wait_for()
            idle(page)
            if field == "note":
                assert page.locator(NOTES).input_value() == text
                assert noted(reviews, who) == text
                page.locator(NOTES).fill("")
                until_noted(page, reviews, who, "")
                page.keyboard.press("Escape")
                idle(page)
            else:
                page.locator(ON, has_text=text).wait_for()


def test_a_sign_says_what_of_a_note_is_saved(reviewing: Any, server: Server) -> None:
    page = reviewing
    signed(page, "hal")
    sign, spoken = page.locator(SIGN), page.locator(".st-key-errors_typing [role=status]")
    panel = page.locator(".st-key-errors_verdict")
    assert sign.inner_text() == ""
    tall = panel.bounding_box()["height"]
    page.locator(NOTES).fill("A ferry.")
    page.locator(SIGN, has_text="Saving…").wait_for()
    assert spoken.text_content() == ""
    page.locator(SIGN, has_text=re.compile(r"^Saved \d\d:\d\d UTC$")).wait_for()
    assert spoken.text_content() == f"Note: {sign.inner_text()}"
    assert panel.bounding_box()["height"] == tall
    # As when the server is away, which the browser sees before it closes the field.
    app = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState"
    page.evaluate(f"{app} = 'PINGING_SERVER'")
    page.locator(NOTES).fill("A ferry, repainted.")
    page.locator(SIGN, has_text="Kept in this browser; not yet saved on the server").wait_for()
    page.evaluate(f"{app} = 'CONNECTED'")
    page.locator(SIGN, has_text="Saved").wait_for()
    page.keyboard.press("Escape")
    turned(page, "j")
    assert sign.inner_text() == ""


def test_behind_a_label_keys_are_those_of_the_page(reviewing: Any, server: Server) -> None:
    page = reviewing
    folder = server.home / "indexes" / SHARED
    signed(page, "lia")
    new = page.get_by_placeholder("New label")
    for name in ("dx first", "dx second"):
        new.click()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.locator(ON, has_text=name).wait_for()
    idle(page)
    assert new.input_value() == ""
    (said,) = Reviews(folder).all("lia")
    assert (said.verdict, len(said.labels)) == ("", 2)
    page.keyboard.press("d")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()


def test_an_older_text_of_the_field_is_not_saved_over_a_note(
    reviewing: Any, server: Server
) -> None:
    page = reviewing
    folder = server.home / "indexes" / SHARED
    reviews = Reviews(folder)
    signed(page, "uma")
    page.keyboard.press("n")
    page.keyboard.type("kept")
    until_noted(page, reviews, "uma", "kept")
    idle(page)
    page.keyboard.press("Escape")
    for key, text in (("u", ""), ("Shift+U", "kept")):
        page.keyboard.press(key)
        until_noted(page, reviews, "uma", text)
        idle(page)
        assert page.locator(NOTES).input_value() == text
    # What the field shows while the note of a redo is on its way.
    page.locator(NOTES).evaluate("(field) => { field.value = ''; }")
    page.wait_for_timeout(5000)  # until what was typed counts as lost on its way
    idle(page)
    assert noted(reviews, "uma") == "kept"
