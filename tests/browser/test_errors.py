"""A verdict, a note and a label, given with keys: there after a reload, a rebuild, for all."""

import time
from pathlib import Path
from secrets import token_hex
from typing import Any

from core import jobs
from core.artefacts.workbench import Workbench
from core.indexing.updates import add, build
from core.jobs.journal import Journal
from core.models.embedder import Embedder, load_embedder
from core.retrievers import Spec
from core.reviews import Change, Reviews
from core.runs import Runs, measuring
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.types import Document, Query
from tests.browser.serving import Server, idle
from tests.core.five import QUESTION, corpus, silent

INDEX = "judged"
LOST = "hoprag-coverage(top_k=1,n_hop=1)"
NOTE = "Stayed at the club."
QUESTIONS = (
    QUESTION,
    Query("q2", "Where did the husband of Mara Quist tour?", (), ("owner", "singer")),
    Query("q3", "On which river lies the town of the Lantern Ground?", (), ("stadium", "town")),
)
NEW = Document("ferry", "Ferry", "A ferry was repainted in the spring.", "ferry.txt")
ASKED, PROGRESS = ".hop-case-asked b", ".hop-progress b"
ON = ".st-key-errors_labels button[aria-pressed=true]"
NOTES = "[class*='st-key-errors_note'] textarea"
SIGN = ".st-key-errors_typing [aria-hidden]"
STAGE = ".walkthrough .headline"


def measured(server: Server, name: str, index: str = INDEX) -> tuple[Path, Embedder]:
    """The folder of an index that a run of this name has asked everything, with its embedder."""
    folder, embedder = server.home / "indexes" / index, load_embedder(BUNDLED_EMBEDDER)
    build(folder, corpus(queries=QUESTIONS), embedder, silent)
    bench = Workbench(Index.open(folder, embedder.info), embedder, making=silent)
    spec = Spec.parse(LOST)
    run = measuring.begin(bench, QUESTIONS, [spec], name=name, question_set="three.jsonl")
    measuring.measure(run, bench)
    return folder, embedder


def opened(page: Any, server: Server, index: str = INDEX) -> None:
    page.goto(f"{server.url}/errors?index={index}")
    page.locator(STAGE).wait_for()
    idle(page)


def signed(page: Any, name: str = "ann") -> None:
    new, default = page.get_by_role("textbox", name="Your name"), page.get_by_text("Reviewing as")
    new.or_(default).first.wait_for()
    if not new.count():  # the default name is changed
        default.click()
        new = page.get_by_role("textbox", name="Change name")
    new.fill(name)
    page.keyboard.press("Enter")
    new.wait_for(state="detached")
    page.locator(".st-key-errors_fail").wait_for()
    idle(page)


def said(page: Any) -> tuple[str, str, list[str], str]:
    """The question, the progress, the labels that are on, and the note."""
    return (
        page.locator(ASKED).inner_text(),
        page.locator(PROGRESS).inner_text(),
        page.locator(ON).all_inner_texts(),
        page.locator(NOTES).input_value(),
    )


def noted(reviews: Reviews, reviewer: str) -> str:
    return next((one.note for one in reviews.all(reviewer)), "")


def until_noted(page: Any, reviews: Reviews, reviewer: str, text: str) -> None:
    until = time.monotonic() + 20
    while noted(reviews, reviewer) != text and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert noted(reviews, reviewer) == text


def turned(page: Any, key: str) -> None:
    before = page.locator(ASKED).inner_text()
    page.keyboard.press(key)
    page.wait_for_function(
        f"""before => {{
            const now = document.querySelector('{ASKED}').innerText;
            return now !== before && globalThis.__hopWalkthrough.data.query === now;
        }}""",
        arg=before,
    )
    idle(page)


def on_a_projector(page: Any) -> None:
    """The stage is 230 px high, and verdict, next and the stops are in sight, unscrolled."""
    page.set_viewport_size({"width": 1024, "height": 768})
    page.wait_for_function(
        """() => {
            const { root } = globalThis.__hopWalkthrough;
            const parts = ['.stage', '.timeline'].map((part) => root.querySelector(part));
            const keys = document.querySelectorAll('.st-key-errors_pass, .st-key-errors_next');
            const boxes = [...parts, ...keys].map((one) => one.getBoundingClientRect());
            const seen = boxes.every(({ top, bottom }) => top > 0 && bottom <= innerHeight);
            return boxes.length === 4 && boxes[0].height >= 230 && seen;
        }"""
    )
    page.set_viewport_size({"width": 1440, "height": 900})


def test_what_is_said_with_keys_outlives_reload_browser_rebuild_and_a_document(
    page: Any, browser: Any, server: Server
) -> None:
    folder, embedder = measured(server, "narrow")
    opened(page, server)
    signed(page)
    page.keyboard.press("1")
    page.get_by_text("No label has the key 1.").wait_for()
    page.keyboard.press("x")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()
    label = page.get_by_placeholder("New label")
    label.fill("wrong person")
    label.press("Enter")
    page.locator(ON).wait_for()
    idle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.type(NOTE)
    page.keyboard.press("Escape")
    idle(page)
    before = said(page)
    assert before[1:] == ("1 of 3", ["wrong person key 1"], NOTE)
    on_a_projector(page)
    turned(page, "j")
    page.keyboard.press("1")
    page.locator(ON).wait_for()
    page.keyboard.press("u")
    page.locator(ON).wait_for(state="detached")
    idle(page)
    turned(page, "k")
    assert said(page) == before
    for key in "j1":  # the second is meant for the result that the first turns to
        page.keyboard.press(key)
    page.locator(ASKED, has_not_text=before[0]).wait_for()
    page.locator(ON).wait_for()
    page.keyboard.press("u")
    page.locator(ON).wait_for(state="detached")
    idle(page)
    turned(page, "k")
    assert said(page) == before
    page.reload()
    page.locator(STAGE).wait_for()
    idle(page)
    assert said(page) == before  # the browser has kept the name

    add(folder, corpus(NEW, queries=()), embedder, silent)
    other = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        second = other.new_page()
        opened(second, server)
        signed(second)
        assert said(second) == before
        build(folder, corpus(queries=QUESTIONS), embedder, silent)
        opened(second, server)
        assert said(second) == before
    finally:
        other.close()


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


def test_choices_keep_their_places_while_one_works(page: Any, server: Server) -> None:
    measured(server, "places")
    opened(page, server)
    boxes = page.locator(".st-key-errors_row .stSelectbox")

    def places() -> list[dict[str, float]]:
        return [one.bounding_box() for one in boxes.all()]

    before = places()
    signed(page, "noa")
    page.keyboard.press("x")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()
    page.get_by_placeholder("New label").fill("odd")
    page.keyboard.press("Enter")
    page.locator(ON).wait_for()
    idle(page)
    assert [one["x"] for one in places()] == [one["x"] for one in before]
    page.get_by_role("radio", name="Report").click()
    page.locator(".st-key-errors_views, .st-key-views").first.wait_for()
    page.get_by_text("Export", exact=True).wait_for()
    assert page.get_by_text("Reviewing as noa").count()


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
        tab.locator(SIGN, has_text="Kept in this browser; not saved on the server yet").wait_for()
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


def test_behind_a_choice_of_the_list_a_key_is_a_verdict(page: Any, server: Server) -> None:
    measured(server, "choices")
    opened(page, server)
    signed(page, "ivy")
    said = page.locator(".st-key-errors_choose_said input")
    said.click()
    page.get_by_role("option", name="not judged").click()
    idle(page)
    page.keyboard.press("x")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()
    assert said.input_value() == "not judged"
    page.locator(".st-key-errors_choose_which input").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    idle(page)
    page.keyboard.press("u")
    page.get_by_text("Undone: fail on question 1").wait_for()
    page.keyboard.press("Shift+U")
    page.get_by_text("Redone: fail on question 1").wait_for()
    line = page.locator(".hop-told").bounding_box()  # and lies over no verdict
    verdicts = page.locator(".st-key-errors_verdicts").bounding_box()
    assert line["y"] >= verdicts["y"] + verdicts["height"]


def test_a_run_that_is_measured_grows_on_the_page_under_what_is_typed(
    page: Any, server: Server, tmp_path: Path
) -> None:
    reviewer = tmp_path.name  # another one at a second try, without the note of the first
    folder, embedder = measured(server, "whole")
    bench = Workbench(Index.open(folder, embedder.info), embedder, making=silent)
    runs = Runs(folder)
    whole = runs.all()[0]
    worst, *others = runs.rows(whole.id, LOST, order="worst")
    begun = measuring.begin(bench, QUESTIONS, [Spec.parse(LOST)], name="on", question_set="x.jsonl")
    runs.append(begun.id, others)
    place = jobs.evaluation_place(folder)
    place.mkdir(exist_ok=True)
    journal = Journal(place)
    journal.start(jobs.Job("evaluate", folder, run=begun.id))
    with writer_lock(place, "an evaluation"):
        page.goto(f"{server.url}/errors?index={INDEX}&run={begun.id}&retriever={LOST}")
        page.get_by_text("on: 2 of 3 questions measured").wait_for()
        signed(page, reviewer)
        asked = page.locator(ASKED).inner_text()
        assert asked == others[0].question.text
        page.locator(NOTES).click()
        page.keyboard.type("Half a ")
        runs.append(begun.id, [worst])  # which comes first
        page.get_by_text("on: 3 of 3 questions measured").wait_for()
        page.keyboard.type("word")
        assert page.locator(NOTES).input_value() == "Half a word"
        assert page.locator(ASKED).inner_text() == asked
        page.locator(".hop-case-now", has_text="2 ").wait_for()
        runs.end(begun.id, "finished")
    page.get_by_text("on: all 3 questions measured.").wait_for()
    page.keyboard.type("s")
    assert page.locator(NOTES).input_value() == "Half a words"
    assert page.locator(ASKED).inner_text() == asked
    assert page.get_by_text("of 3 questions measured").count() == 0
    until_noted(page, Reviews(folder), reviewer, "Half a words")


def test_what_one_says_stays_in_view_and_the_page_has_no_ring_round_its_title(
    page: Any, server: Server
) -> None:
    own = "unlabelled"  # labels of other tests would move the page
    measured(server, "in view", own)
    opened(page, server, own)
    signed(page, "eve")
    find = page.locator(".st-key-errors_keep button").first
    find.click()
    page.locator(".hop-keeps").wait_for()
    idle(page)
    for width, height in ((1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for part in (".st-key-errors_verdicts", ".st-key-errors_new_label", NOTES):
            box = page.locator(part).bounding_box()
            assert box["y"] > 0
            assert box["y"] + box["height"] <= height
        names = [page.locator(one).bounding_box() for one in (".hop-title", ".st-key-views")]
        assert names[0]["x"] + names[0]["width"] < names[1]["x"]

    page.keyboard.press("x")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()
    page.keyboard.press("u")
    page.locator(PROGRESS, has_text="0 of 3").wait_for()
    idle(page)
    page.locator(".hop-case-asked").click()
    questions = page.locator(f"{ASKED}, .walkthrough .asked h2")
    drawn = "all => all.filter((of) => of.getBoundingClientRect().width > 1).length"
    assert questions.evaluate_all(drawn) == 1
    assert page.locator(".picture[data-kind=chain]").is_visible()
    assert not page.locator(".gold-status").is_visible()  # the cards of the chain tell it
    page.keyboard.press("Shift")
    ring = "getComputedStyle(document.querySelector('.hop-title')).outlineStyle"
    assert page.evaluate(ring) == "none"

    page.keyboard.press("?")
    keys = page.locator("dialog.keys dt", has_text="g").all_inner_texts()
    assert keys.count("g") == 1
