"""Error analysis with the keyboard."""

from pathlib import Path
from typing import Any

from core import jobs
from core.artefacts.workbench import Workbench
from core.indexing.updates import add, build
from core.jobs.journal import Journal
from core.retrievers import Spec
from core.reviews import Reviews
from core.runs import Runs, measuring
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from tests.browser.errors.errors_page import (
    ASKED,
    INDEX,
    LOST,
    NEW,
    NOTE,
    NOTES,
    ON,
    PROGRESS,
    QUESTIONS,
    STAGE,
    measured,
    opened,
    said,
    signed,
    turned,
    until_noted,
)
from tests.browser.serving import Server, idle
from tests.core.five import corpus, silent


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


def test_after_a_new_label_the_key_of_the_note_starts_the_note(page: Any, server: Server) -> None:
    measured(server, "labels")
    opened(page, server)
    signed(page, "noa")
    page.keyboard.press("x")
    page.locator(PROGRESS, has_text="1 of 3").wait_for()
    label = page.get_by_placeholder("New label")
    label.focus()
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    page.locator(ON).wait_for()
    idle(page)
    page.keyboard.press("n")
    page.keyboard.type("Same hole.")
    page.keyboard.press("Escape")
    idle(page)
    assert page.locator(NOTES).input_value() == "Same hole."
    assert label.input_value() == ""
    assert page.locator(ON).count() == 1


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
