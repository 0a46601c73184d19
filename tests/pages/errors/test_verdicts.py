"""Verdicts, notes and stages given on the Errors page, with undo and redo."""

import pytest

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.reviews import Change, Codes, Reviews
from core.runs import Run, measuring
from core.store.index import Index
from pages.components.errors import keyboard
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION
from tests.pages.errors.review_page import NARROW, WHERE, asked, listed, page, told
from tests.pages.journeys import checked, walkthrough, words


def test_the_key_is_called_as_the_button_is(tiny_index: Index, run: Run) -> None:
    app = page()
    assert dict(keyboard.HELP)["."].startswith(app.button(key="errors_again").label)


def test_the_next_without_a_verdict_is_one_press_away(tiny_index: Index, run: Run) -> None:
    app = page(which="all", retriever=NARROW, at="2")
    button = app.button(key="errors_unjudged")
    assert (button.label, "g" in dict(keyboard.HELP)) == ("Next without a verdict (1)", True)
    checked(button.click().run())  # from the first again
    assert "at" not in app.query_params  # which is that
    checked(app.button(key="errors_fail").click().run())
    checked(app.button(key="errors_unjudged").click().run())
    checked(app.button(key="errors_pass").click().run())
    last = app.button(key="errors_unjudged")
    assert (last.label, last.disabled) == ("All other results have verdicts", True)


def test_a_verdict_a_label_and_a_note_are_kept_and_undone(tiny_index: Index, run: Run) -> None:
    app = page()
    assert "0 of 2 judged" in words(app)
    first = asked(app)
    checked(app.button(key="errors_fail").click().run())
    app.text_input(key="errors_new_label").set_value("wrong person")
    checked(app.run())
    app.text_area[0].set_value("Stayed at the club.")
    checked(app.run())
    (kept,) = Reviews(tiny_index.path).all()
    (label,) = Codes(Reviews(tiny_index.path)).all()
    assert (kept.reviewer, kept.verdict, kept.note) == ("ann", "fail", "Stayed at the club.")
    assert kept.labels == (label.id,)
    assert kept.found
    assert kept.retriever == NARROW
    assert "1 of 2 judged" in words(app)
    checked(app.button(key="errors_undo").click().run())
    assert Reviews(tiny_index.path).all()[0].note == ""
    checked(app.button(key="errors_next").click().run())
    assert asked(app) != first
    assert walkthrough(app)["query"] in asked(app)
    checked(app.button(key="errors_again").click().run())
    assert [one.verdict for one in Reviews(tiny_index.path).all()] == ["fail", "fail"]


def test_a_note_is_not_written_over_a_newer_one_of_another_window(
    tiny_index: Index, run: Run
) -> None:
    app = page()
    app.text_area[0].set_value("Mine.")
    checked(app.run())
    reviews = Reviews(tiny_index.path)
    (kept,) = reviews.all()
    reviews.say("ann", [Change(*kept.key, note="Of the other window.")])
    app.text_area[0].set_value("Mine, and more.")
    checked(app.run())
    assert reviews.all()[0].note == "Of the other window."
    (said,) = app.warning
    assert "Of the other window" in said.value
    assert app.text_area[0].value == "Mine, and more."
    checked(app.button(key="errors_mine").click().run())
    assert (reviews.all()[0].note, list(app.warning)) == ("Mine, and more.", [])
    reviews.say("ann", [Change(*kept.key, note="Newer.")])
    app.text_area[0].set_value("Mine again.")
    checked(app.run())
    checked(app.button(key="errors_other").click().run())
    assert (app.text_area[0].value, reviews.all()[0].note) == ("Newer.", "Newer.")


def test_same_again_leaves_a_verdict_as_it_is_and_says_so(tiny_index: Index, run: Run) -> None:
    app = page(which="all", retriever=NARROW)
    checked(app.button(key="errors_fail").click().run())
    checked(app.button(key="errors_next").click().run())
    checked(app.button(key="errors_pass").click().run())
    checked(app.button(key="errors_again").click().run())
    assert sorted(one.verdict for one in Reviews(tiny_index.path).all()) == ["fail", "pass"]
    assert "Kept the verdict of this result, pass" in told(app)


@pytest.mark.parametrize(
    ("key", "named", "told"),
    [("x", False, "Enter your name first"), (".", True, "Nothing to repeat yet")],
)
def test_a_key_that_does_nothing_says_why(key: str, named: bool, told: str) -> None:
    assert keyboard.refusal(key, named=named).startswith(told)


def test_a_later_verdict_says_what_another_window_had_said_and_undo_brings_it_back(
    tiny_index: Index, run: Run
) -> None:
    app = page(which="all", retriever=NARROW)
    reviews = Reviews(tiny_index.path)
    first = next(row["text"] for row in listed(app)["rows"])
    reviews.say("ann", [Change(first, NARROW, verdict="fail")])
    checked(app.button(key="errors_pass").click().run())
    assert told(app) == "Saved Pass. Another window had saved fail. Press u to restore that."
    assert [one.verdict for one in reviews.all()] == ["pass"]
    checked(app.button(key="errors_defer").click().run())
    assert told(app) == ""  # this window knew of that one
    for left in ("pass", "fail"):
        checked(app.button(key="errors_undo").click().run())
        assert [one.verdict for one in reviews.all()] == [left]


def test_same_again_gives_what_was_said_last_though_the_page_was_reloaded(
    tiny_index: Index, run: Run
) -> None:
    reviews = Reviews(tiny_index.path)
    label = Codes(reviews).add("wrong").id
    reviews.say("ann", [Change(WHERE.text, "bm25(top_k=2)", verdict="pass")])
    reviews.say("ann", [Change(QUESTION.text, NARROW, verdict="fail", on=(label,))])
    reviews.say("ann", [Change("Of no question of the run?", NARROW, verdict="defer")])
    app = page(which="all", retriever=NARROW)
    if QUESTION.text in asked(app):
        checked(app.button(key="errors_next").click().run())
    checked(app.button(key="errors_again").click().run())
    (given,) = [one for one in reviews.all() if one.key == (WHERE.text, NARROW)]
    assert (given.verdict, given.labels) == ("fail", (label,))


def test_undo_says_what_it_took_back_and_shows_it(tiny_index: Index, run: Run) -> None:
    app = page(order="asked", which="all")
    checked(app.button(key="errors_fail").click().run())
    first = asked(app)
    checked(app.button(key="errors_next").click().run())
    checked(app.button(key="errors_undo").click().run())
    assert told(app) == "Undone: fail on question 1"
    assert asked(app) == first
    checked(app.button(key="errors_fail").click().run())
    undo = app.button(key="errors_undo")
    assert undo.help.replace("\\", "").startswith("Undo: fail on '")


def test_redo_says_again_what_was_undone_until_something_else_is_said(
    tiny_index: Index, run: Run
) -> None:
    app = page(order="asked", which="all")
    checked(app.button(key="errors_fail").click().run())
    assert app.button(key="errors_redo").disabled
    checked(app.button(key="errors_undo").click().run())
    checked(app.button(key="errors_redo").click().run())
    assert told(app) == "Redone: fail on question 1"
    assert [one.verdict for one in Reviews(tiny_index.path).all()] == ["fail"]
    checked(app.button(key="errors_undo").click().run())
    checked(app.button(key="errors_pass").click().run())
    assert app.button(key="errors_redo").disabled


def test_undo_and_redo_of_a_note_replace_its_field(tiny_index: Index, run: Run) -> None:
    """The old text of a field that stays may come back from the browser as if it was typed."""
    app = page(order="asked", which="all")
    checked(app.text_area[0].set_value("kept").run())
    fields = [app.text_area[0].key]
    for button, text in (("errors_undo", ""), ("errors_redo", "kept")):
        checked(app.button(key=button).click().run())
        assert app.text_area[0].value == text
        fields.append(app.text_area[0].key)
    assert len({*fields}) == len(fields)
    assert [one.note for one in Reviews(tiny_index.path).all()] == ["kept"]
    checked(app.button(key="errors_fail").click().run())
    checked(app.button(key="errors_undo").click().run())
    assert app.text_area[0].key == fields[-1]  # its note is the same


def test_undo_is_of_the_run_and_the_retriever_in_view(tiny_index: Index, run: Run) -> None:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    specs = [Spec.parse(NARROW)]
    other = measuring.begin(bench, [WHERE], specs, name="second", question_set="one.jsonl")
    measuring.measure(other, bench)
    reviews = Reviews(tiny_index.path)
    said = [Change(one.text, NARROW, verdict="fail", run=run.id) for one in (WHERE, QUESTION)]
    for one in said:
        reviews.say("ann", [one])
    undo = page(run=run.id, retriever="bm25(top_k=2)").button(key="errors_undo")
    assert (undo.disabled, "Nothing to undo yet" in undo.help) == (True, True)
    app = page(run=other.id, retriever=NARROW)
    assert WHERE.text in app.button(key="errors_undo").help
    checked(app.button(key="errors_undo").click().run())
    assert told(app) == "Undone: fail on question 1"
    assert app.button(key="errors_undo").disabled
    assert [one.question for one in reviews.all()] == [QUESTION.text]


def test_a_verdict_said_twice_stands_and_undo_alone_takes_it_back(
    tiny_index: Index, run: Run
) -> None:
    app = page()
    for _ in range(2):
        checked(app.button(key="errors_fail").click().run())
    assert [one.verdict for one in Reviews(tiny_index.path).all()] == ["fail"]
    checked(app.button(key="errors_undo").click().run())
    assert Reviews(tiny_index.path).all() == []


def test_what_was_said_is_there_for_another_browser(tiny_index: Index, run: Run) -> None:
    app = page()
    checked(app.button(key="errors_defer").click().run())
    later = page()
    assert "1 of 2 judged" in words(later)
    assert [row["mark"] for row in listed(later)["rows"]] == ["… defer", ""]


def test_a_stage_is_found_and_can_be_said_otherwise(tiny_index: Index, run: Run) -> None:
    app = page()
    (choice,) = [one for one in app.selectbox if one.label == "Where gold was lost"]
    assert "(as traced)" in choice.options[0]
    checked(choice.set_value("cut").run())
    (kept,) = Reviews(tiny_index.path).all()
    assert (kept.stage, kept.found, kept.lost_at) == ("cut", "far", "cut")
