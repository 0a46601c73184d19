"""Results are judged one after the other; each word is kept with the index at once."""

import json
import re
import shutil
from html import escape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.errors import NotAllowed
from core.funnel.replay import ReplayBudget
from core.funnel.stages import STAGES
from core.jobs import Job
from core.marks import gold_of, set_gold
from core.pipelines import import_results, read_results
from core.retrievers import Spec
from core.reviews import Change, Codes, Reviews, Views, first_loss
from core.reviews.losses.gold_outcomes import gold_ends
from core.reviews.losses.lost_gold import NOT_LOOKED_FOR, cases, rows_of
from core.runs import FILE, Run, Runs, measuring
from core.runs.question_sets import OWN, own_questions
from core.store.index import Index
from core.types import Query
from core.visitors.roles import Visitor
from pages.components.errors import keyboard, review_actions
from pages.components.shell import nav
from pages.components.shell.actions import permissions
from pages.components.shell.visitors import access
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened, raw, walkthrough, words

NARROW = "hoprag-coverage(top_k=1,n_hop=1)"
WHERE = Query("q2", "Where did the husband of Mara Quist tour?", (), ("singer", "nobody"))


@pytest.fixture
def run(tiny_index: Index) -> Run:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    specs = [Spec.parse(NARROW), Spec("bm25", (("top_k", 2),))]
    begun = measuring.begin(bench, [QUESTION, WHERE], specs, name="first", question_set="two.jsonl")
    measuring.measure(begun, bench)
    return begun


def page(**params: str) -> AppTest:
    """The page at the retriever that loses most, where none is named."""
    app = opened("errors", **{"index": TINY, "retriever": NARROW, **params})
    for name in app.text_input:
        if name.key in ("errors_typed", "errors_retyped"):
            name.set_value("ann")
            return checked(app.button(key="errors_who_go").click().run())
    return app


def test_who_reviews_an_index_first_and_alone_has_a_name_at_once(
    tiny_index: Index, run: Run
) -> None:
    app = opened("errors", index=TINY, which="all")
    assert off(app) == set()
    checked(app.button(key="errors_fail").click().run())
    assert [one.reviewer for one in Reviews(tiny_index.path).all()] == ["Reviewer 1"]
    another = opened("errors", index=TINY, which="all")  # in another browser
    assert off(another) == {"errors_pass", "errors_fail", "errors_defer"}
    assert another.button(key="errors_known_0").label == "1 by Reviewer 1"


@pytest.fixture
def reviewed(tiny_index: Index) -> None:
    """Somebody has reviewed the index, so the page asks for a name."""
    Reviews(tiny_index.path).say("zoe", [Change("Of no question?", NARROW, verdict="pass")])


def test_on_a_server_that_others_reach_nobody_has_a_name_by_default(
    tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "is_reachable", lambda: True)
    monkeypatch.setattr(access, "is_guarded", lambda: False)
    app = opened("errors", index=TINY, which="all")
    assert off(app) == {"errors_pass", "errors_fail", "errors_defer"}


@pytest.mark.parametrize("show", ["groups", "labels", "report"])
def test_who_has_no_name_sees_the_groups_and_reads_what_a_name_is_for(
    tiny_index: Index, run: Run, reviewed: None, show: str
) -> None:
    app = opened("errors", index=TINY, show=show)
    assert [one.label for one in app.text_input].count("Your name") == 1
    told = " ".join(one.value for one in app.caption)
    assert "saved under your name" in told
    assert ("lost gold" in told) == (show == "groups")


def test_who_has_no_name_sees_where_a_result_is_judged_and_can_turn_to_the_next(
    tiny_index: Index, run: Run, reviewed: None
) -> None:
    app = opened("errors", index=TINY, which="all")
    assert "Your name" in [one.label for one in app.text_input]
    assert off(app) == {"errors_pass", "errors_fail", "errors_defer"}
    said = {one.label: one.disabled for one in (*app.text_area, *app.text_input, *app.selectbox)}
    assert {name for name, shut in said.items() if shut} == {
        *("Note", "New label", "Where gold was lost"),
        *("Your verdict", "Label"),  # nothing to choose yet
    }
    before = asked(app)
    checked(app.button(key="errors_next").click().run())
    assert asked(app) != before
    app.text_input(key="errors_typed").set_value("ann")
    checked(app.button(key="errors_who_go").click().run())
    assert off(app) == set()
    assert not app.text_area[0].disabled


def off(app: AppTest) -> set[str]:
    """The verdicts that cannot be given."""
    buttons = {one.key: one.disabled for one in app.button}
    return {key for key in ("errors_pass", "errors_fail", "errors_defer") if buttons[key]}


def test_the_key_is_called_as_the_button_is(tiny_index: Index, run: Run) -> None:
    app = page()
    assert dict(keyboard.HELP)["."].startswith(app.button(key="errors_again").label)


def test_the_list_shows_what_it_sorts_by(tiny_index: Index, run: Run) -> None:
    worst = listed(page(which="all", retriever=NARROW))
    shares = [row["share"] for row in worst["rows"]]
    assert all(re.fullmatch(r"\d+% · AP \d\.\d\d", one) for one in shares)
    assert shares == sorted(shares)
    assert worst["says"].startswith(
        "Worst first: lowest recall in the top 1, then lowest average precision"
    )
    asked_ = listed(page(which="all", retriever=NARROW, order="asked"))
    assert all(row["share"].startswith("R@5 ") for row in asked_["rows"])


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


def asked(app: AppTest) -> str:
    return next(body for body in raw(app) if "hop-case-asked" in body)


def listed(app: AppTest) -> dict[str, Any]:
    """What the list of results shows."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return next(data for data in sent if "rows" in data)


def test_without_a_run_the_page_says_where_to_begin(tiny_home: Path) -> None:
    app = opened("errors", index=TINY)
    assert "No runs to review" in words(app)


def test_without_a_run_another_index_that_has_some_is_offered(
    tiny_home: Path, tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = tiny_home / "indexes"
    shutil.copytree(indexes / TINY, indexes / "later")
    (indexes / "later" / FILE).unlink()
    gone: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(nav, "go", lambda name, **params: gone.append((name, params)))
    app = opened("errors", index="later")
    assert "No runs to review in later" in words(app)
    (offered,) = [one for one in app.button if (one.key or "").startswith("errors_elsewhere")]
    assert offered.label == f"{TINY}: 1 run"
    offered.click().run()
    assert gone == [("errors", {"index": TINY})]


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


@pytest.mark.parametrize("show", ["review", "labels", "groups"])
def test_it_says_who_reviews_and_changes_that(tiny_index: Index, run: Run, show: str) -> None:
    Reviews(tiny_index.path).say("bo", [Change(QUESTION.text, NARROW, verdict="pass")])
    app = page(show=show)
    (told,) = [one for one in app.get("popover") if "Reviewing as" in one.proto.popover.label]
    assert told.proto.popover.label == "Reviewing as ann"
    app.text_input(key="errors_retyped").set_value("cy")
    checked(app.button(key="errors_who_go").click().run())
    assert "Reviewing as cy" in [one.proto.popover.label for one in app.get("popover")]
    checked(app.button(key="errors_known_0").click().run())
    assert "Reviewing as bo" in [one.proto.popover.label for one in app.get("popover")]


def told(app: AppTest) -> str:
    """What stands below the verdicts."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return str(next(data["told"] for data in sent if "told" in data))


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
    keyed = {one.key for one in app.button}
    assert "errors_redo" not in keyed
    checked(app.button(key="errors_undo").click().run())
    checked(app.button(key="errors_redo").click().run())
    assert told(app) == "Redone: fail on question 1"
    assert [one.verdict for one in Reviews(tiny_index.path).all()] == ["fail"]
    checked(app.button(key="errors_undo").click().run())
    checked(app.button(key="errors_pass").click().run())
    assert "errors_redo" not in {one.key for one in app.button}


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


def test_the_list_tells_a_note_beside_a_verdict_and_without_one(
    tiny_index: Index, run: Run
) -> None:
    reviews = Reviews(tiny_index.path)
    reviews.say("ann", [Change(QUESTION.text, NARROW, note="hm")])
    for verdict, mark in (("", ""), ("pass", "✓ pass")):
        reviews.say("ann", [Change(QUESTION.text, NARROW, verdict=verdict)])
        rows = listed(page(which="all"))["rows"]
        assert [(row["mark"], row["note"]) for row in rows if row["note"]] == [(mark, "hm")]


def test_the_progress_is_of_what_is_shown_and_of_the_run(tiny_index: Index, run: Run) -> None:
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, verdict="fail")])
    app = page(which="all", retriever=NARROW)
    assert "1 of 2 judged" in words(app)
    assert "in this run" not in words(app)
    app = page(which="all", retriever=NARROW, said="fail")
    assert "1 of 1 shown judged" in words(app)
    assert "1 of 2 in this run" in words(app)
    assert "The result shown is judged:" in [one.value for one in app.caption]


@pytest.mark.parametrize(
    ("said", "listed_"),
    [("none", [WHERE]), ("fail", [QUESTION]), ("note", [QUESTION]), ("pass", [])],
)
def test_the_list_is_that_of_a_verdict_or_of_notes(
    tiny_index: Index, run: Run, said: str, listed_: list[Query]
) -> None:
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, verdict="fail", note="x")])
    app = page(which="all", retriever=NARROW)
    checked(app.selectbox(key="errors_choose_said").set_value(said).run())
    if not listed_:
        assert any("No results match" in one.value for one in app.info)
        return
    assert [row["text"] for row in listed(app)["rows"]] == [one.text for one in listed_]
    checked(app.button(key="errors_defer").click().run())
    assert [row["text"] for row in listed(app)["rows"]] == [one.text for one in listed_]
    again = page(which="all", retriever=NARROW, said=said)
    shown = [one for one in again.get("bidi_component") if '"rows"' in (one.proto.json or "")]
    assert bool(shown) == (said == "note")  # it is no more like that


def test_the_list_is_that_of_a_label_and_stays_it_while_labels_are_given(
    tiny_index: Index, run: Run
) -> None:
    reviews = Reviews(tiny_index.path)
    label = Codes(reviews).add("wrong [town]").id
    reviews.say("ann", [Change(QUESTION.text, NARROW, on=(label,))])
    app = page(which="all", retriever=NARROW)
    choice = app.selectbox(key="errors_choose_label")
    assert choice.options == ["Label: any", "Label: wrong [town]"]
    checked(choice.set_value("wrong [town]").run())
    assert "".join(app.query_params["label"]) == "wrong [town]"
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]
    checked(app.get("button_group")[-1].set_value([]).run())  # without it, it stays in the list
    assert reviews.all("ann") == []
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]
    checked(app.selectbox(key="errors_choose_label").set_value("").run())
    assert len(listed(app)["rows"]) == 2


def test_trace_asks_the_question_that_one_was_looking_at(tiny_index: Index, run: Run) -> None:
    app = page(which="all", retriever=NARROW)
    shown = walkthrough(app)["query"]
    app.query_params.clear()
    app.switch_page("pages/trace.py")
    checked(app.run())
    assert walkthrough(app)["query"] == shown
    assert "".join(app.query_params["retriever"]) == NARROW


def test_a_stage_is_found_and_can_be_said_otherwise(tiny_index: Index, run: Run) -> None:
    app = page()
    (choice,) = [one for one in app.selectbox if one.label == "Where gold was lost"]
    assert "(as traced)" in choice.options[0]
    checked(choice.set_value("cut").run())
    (kept,) = Reviews(tiny_index.path).all()
    assert (kept.stage, kept.found, kept.lost_at) == ("cut", "far", "cut")


def test_the_list_is_that_of_a_cell_of_the_labels(tiny_index: Index, run: Run) -> None:
    app = page()
    app.text_input(key="errors_new_label").set_value("wrong person")
    checked(app.run())
    labels = page(show="labels")
    checked(labels.button(key="codes_cell_0_0").click().run())
    assert listed(labels)["total"] == 1
    checked(labels.button(key="errors_widen").click().run())
    assert listed(labels)["total"] == 2


def test_labels_are_merged_and_split_on_the_page(tiny_index: Index, run: Run) -> None:
    codes = Codes(Reviews(tiny_index.path))
    made = [codes.add(name).id for name in ("person", "town")]
    app = page(show="labels")
    app.get("button_group")[-1].set_value(made)
    app.text_input(key="codes_into").set_value("wrong entity")
    checked(app.button(key="codes_merge_go").click().run())
    assert {code.axial for code in codes.all()} == {"wrong entity"}
    checked(app.button(key="codes_axial_split_0").click().run())
    assert {code.axial for code in codes.all()} == {""}


def test_undo_names_the_newest_act_and_shows_the_labels_it_took_back(
    tiny_index: Index, run: Run
) -> None:
    codes = Codes(Reviews(tiny_index.path))
    made = [codes.add(name).id for name in ("paraphrase", "wording")]
    app = page()
    assert app.button(key="errors_undo").disabled
    checked(app.button(key="errors_pass").click().run())
    codes.merge("ann", made, "words")
    app = page()
    undo = app.button(key="errors_undo")
    assert undo.help.replace("\\", "") == "Undo: merge into 'words' (u)"
    checked(undo.click().run())
    assert [one.value.replace("\\", "") for one in app.toast] == ["Undone: merge into 'words'"]
    assert {code.axial for code in codes.all()} == {""}
    undo = app.button(key="errors_undo")
    assert undo.label.startswith("Undo: pass on")
    checked(undo.click().run())
    assert told(app).startswith("Undone: pass on question")
    assert Reviews(tiny_index.path).all() == []
    assert app.button(key="errors_undo").disabled
    assert asked(app)


def test_the_page_goes_on_where_it_was_left(tiny_index: Index, run: Run) -> None:
    app = page(run=run.id, retriever="bm25(top_k=2)", which="all", order="asked", at="2")
    second = asked(app)
    for name in ("explore", "errors"):
        app.query_params.clear()
        app.switch_page(f"pages/{name}.py")
        checked(app.run())
    assert asked(app) == second
    assert "".join(app.query_params["retriever"]) == "bm25(top_k=2)"
    app.query_params.clear()
    app.query_params["retriever"] = NARROW
    checked(app.run())
    assert "".join(app.query_params["retriever"]) == NARROW
    assert "which" not in app.query_params


def test_the_table_of_labels_is_as_its_address_says(tiny_index: Index, run: Run) -> None:
    codes = Codes(Reviews(tiny_index.path))
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, on=(codes.add("x").id,))])
    app = page(show="labels")
    checked(app.get("button_group")[1].set_value("verdict").run())
    assert "".join(app.query_params["columns"]) == "verdict"
    again = page(show="labels", columns="verdict")
    assert again.session_state["codes_by"] == "verdict"


def test_orders_against_another_retriever_and_views(tiny_index: Index, run: Run) -> None:
    app = page(order="regressions", other_run=run.id, other="bm25(top_k=2)")
    assert not app.exception
    app = page(order="random", seed="3")
    app.text_input(key="errors_view_name").set_value("my order")
    checked(app.button(key="errors_view_save").click().run())
    assert Views(Reviews(tiny_index.path)).all()["my order"]["seed"] == "3"


def test_what_would_have_kept_the_gold_is_looked_for_before_it_is_taken_away(
    tiny_index: Index, run: Run
) -> None:
    reviews, runs = Reviews(tiny_index.path), Runs(tiny_index.path)
    reviews.say("ann", [Change(QUESTION.text, NARROW, verdict="fail")])
    bench = Workbench(tiny_index, WordEmbedder())
    rows = rows_of(reviews.all(), run, runs)
    (case,) = cases(rows, run, bench).values()
    assert {one.kept_by for one in case.lost} == {NOT_LOOKED_FOR}
    app = page(show="report")
    checked(app.button(key="errors_look").click().run())
    assert not [one for one in app.button if one.key == "errors_look"]
    (case,) = cases(rows, run, bench).values()
    assert case.lost
    assert all("rank" in one.kept_by or "Tried" in one.kept_by for one in case.lost)


def test_a_group_is_labelled_at_once_and_taken_back_at_once(tiny_index: Index, run: Run) -> None:
    app = page(show="groups")
    app.text_input(key="errors_group_label_1").set_value("alike")
    checked(app.button(key="errors_label_all_1").click().run())
    reviews = Reviews(tiny_index.path)
    assert reviews.all()
    reviews.undo("ann")
    assert reviews.all() == []


def test_a_group_is_asked_again_with_its_cheapest_rescue(
    tiny_index: Index, run: Run, inline_jobs: list[Job]
) -> None:
    app = page(show="groups")
    captions = [one.value for one in app.caption]
    untried = [one for one in captions if "not been tried yet" in one]
    assert len(untried) == 1, captions  # of all, and not of each group again
    checked(app.button(key="errors_rescue_2").click().run())
    assert any(
        "(currently" in caption.value and "retrieved" in caption.value for caption in app.caption
    )
    checked(app.button(key="errors_mend_2").click().run())
    assert [job.kind for job in inline_jobs] == ["evaluate"]
    told = words(checked(app.run()))
    assert "Net effect on all questions: " in "".join(one.value for one in app.text)
    assert told.index("all questions") < told.index("all other questions")  # the net comes first
    won = app.button(key="errors_mend_gains_2")
    assert won.label.endswith("won")
    checked(won.click().run())
    assert listed(app)["total"] == 1
    assert "".join(page().query_params["run"]) == run.id  # a trial is not what is opened first
    trial = Runs(tiny_index.path).all()[0]
    said = Change(QUESTION.text, trial.retrievers[0], verdict="fail", run=trial.id)
    Reviews(tiny_index.path).say("ann", [said])
    assert "".join(page().query_params["run"]) == trial.id


def test_what_a_fix_does_to_all_other_questions_is_asked_on_a_click(
    tiny_index: Index, run: Run, inline_jobs: list[Job]
) -> None:
    app = page(which="all", order="asked", retriever=NARROW)
    assert not [one for one in app.button if one.key == "errors_fix_elsewhere"]
    app = checked(app.button(key="errors_keep").click().run())
    button = app.button(key="errors_fix_elsewhere")
    assert button.label == "Run all 2 questions with this fix"  # too short to foretell
    checked(button.click().run())
    assert [job.kind for job in inline_jobs] == ["evaluate"]
    (told,) = [
        one.value for one in checked(app.run()).caption if "all other questions" in one.value
    ]
    assert "over 1 question" in told
    assert "improved" in told


def test_a_search_for_a_fix_that_was_stopped_can_be_continued(
    tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReplayBudget.__init__, "__defaults__", (2, 120.0))
    app = page(which="all", order="asked", retriever=NARROW)
    assert app.button(key="errors_keep").label == "What would retrieve them?"
    app = checked(app.button(key="errors_keep").click().run())
    assert app.button(key="errors_keep").label == "Continue with up to 10 replays"
    assert "stopped after 2 replays" in "".join(one.value for one in app.caption)
    app = checked(app.button(key="errors_keep").click().run())
    assert app.button(key="errors_keep").label == "Continue with up to 50 replays"


def test_who_has_reviewed_before_is_offered_by_name(tiny_index: Index, run: Run) -> None:
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, verdict="fail")])
    fresh = opened("errors", index=TINY)
    assert fresh.button(key="errors_known_0").label == "1 by ann"
    checked(fresh.button(key="errors_known_0").click().run())
    assert "Your name" not in [one.label for one in fresh.text_input]


def test_reviewers_are_blind_to_each_other_until_they_wish(tiny_index: Index, run: Run) -> None:
    reviews = Reviews(tiny_index.path)
    for who in ("ann", "bo"):
        reviews.say(who, [Change(QUESTION.text, NARROW, verdict="fail", note=f"by {who}")])
    app = page(show="report")
    assert "bo" not in words(app).split()
    checked(app.toggle[0].set_value(True).run())
    assert "ann and bo verdict" in words(app)


def test_a_reader_looks_and_says_nothing(
    tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Visitor("rae@example.org", "reader")
    monkeypatch.setattr(permissions, "visitor", lambda: reader)
    with pytest.raises(NotAllowed):
        review_actions.say(tiny_index, "rae", [])
    with pytest.raises(NotAllowed):
        review_actions.add_code(tiny_index, "x")


def test_the_address_of_a_list_is_all_that_it_needs(tiny_index: Index, run: Run) -> None:
    app = page(run=run.id, retriever="bm25(top_k=2)", at="9", order="nonsense", seed="x")
    assert not app.exception
    assert json.loads(app.get("bidi_component")[-1].proto.json or "{}") is not None


def test_a_run_or_a_retriever_that_is_not_there_is_said(run: Run) -> None:
    def said(**params: str) -> str:
        app = checked(opened("errors", index=TINY, **params))
        return " ".join(one.value.replace("\\", "") for one in app.info)

    assert said(run=run.id, retriever=NARROW) == ""
    assert said(run="gone") == "The run in this link does not exist. Showing first."
    assert "first has no results for telepathy. Showing BM25" in said(
        run=run.id, retriever="telepathy"
    )


def test_it_opens_at_the_best_retriever_or_at_the_one_that_was_asked_last(
    tiny_index: Index,
) -> None:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    specs = [Spec.parse(one) for one in (NARROW, "bm25(top_k=1)", "hoprag-coverage")]
    begun = measuring.begin(bench, [QUESTION, WHERE], specs, name="all", question_set="two.jsonl")
    measuring.measure(begun, bench)

    def shown(app: AppTest) -> str:
        return "".join(app.query_params["retriever"])

    assert shown(opened("errors", index=TINY)) == "hoprag-coverage"
    app = opened("trace", index=TINY, q=QUESTION.text, retriever="bm25(top_k=1)")
    app.query_params.clear()
    app.switch_page("pages/errors.py").run()
    assert shown(checked(app)) == "bm25(top_k=1)"


def test_two_labels_are_made_of_one_by_its_notes(tiny_index: Index, run: Run) -> None:
    reviews = Reviews(tiny_index.path)
    label = Codes(reviews).add("wrong").id
    asked_of = [Change(one.text, NARROW, on=(label,)) for one in (QUESTION, WHERE)]
    reviews.say("ann", asked_of)
    app = page(show="labels")
    app.multiselect(key="codes_divided_notes").set_value([0])
    app.text_input(key="codes_divided_name").set_value("wrong town")
    checked(app.button(key="codes_divide_go").click().run())
    made = next(one.id for one in Codes(reviews).all() if one.name == "wrong town")
    assert sorted(one.labels for one in reviews.all()) == [(label,), (made,)]
    checked(app.button(key="errors_undo").click().run())
    assert [one.labels for one in reviews.all()] == [(label,), (label,)]


def test_a_question_whose_gold_changed_says_so_and_its_walkthrough_has_the_runs_gold(
    tiny_index: Index,
) -> None:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    own = measuring.begin(
        *(bench, own_questions(tiny_index), [Spec.parse(NARROW)]), name="own", question_set=OWN
    )
    measuring.measure(own, bench)
    before = page(which="all", order="asked")
    assert not listed(before)["rows"][0]["noted"]
    text = Runs(tiny_index.path).questions(own.id)[0].text
    marked = next(one for one in tiny_index.number if one not in gold_of(tiny_index, text).ids)
    set_gold(tiny_index, text, marked, gold=True)
    app = page(which="all", order="asked")
    assert listed(app)["rows"][0]["noted"] == "gold changed after this run"
    assert walkthrough(app)["gold"] == walkthrough(before)["gold"]
    chosen = next(one for one in app.segmented_control if one.label == "Gold in the walkthrough")
    checked(chosen.set_value(True).run())
    assert len(walkthrough(app)["gold"]) == len(walkthrough(before)["gold"]) + 1


def test_a_stage_counts_the_questions_that_it_lists(tiny_index: Index, run: Run) -> None:
    app = page(which="all")
    for said in app.selectbox(key="errors_choose_stage").options[1:]:
        number = int(said.rpartition("(")[2].split()[0])
        stage = next(one for one, words in STAGES.items() if said.startswith(f"Stage: {words} ("))
        assert listed(page(which="all", stage=stage))["total"] == number


def test_the_list_is_that_of_a_merged_label(tiny_index: Index, run: Run) -> None:
    reviews = Reviews(tiny_index.path)
    codes = [Codes(reviews).add(name).id for name in ("town", "river")]
    reviews.say("ann", [Change(QUESTION.text, NARROW, on=tuple(codes))])
    Codes(reviews).merge("ann", codes, "place")
    app = page(which="all", retriever=NARROW)
    choice = app.selectbox(key="errors_choose_label")
    assert choice.options == ["Label: any", "Label: place"]
    checked(choice.set_value("place").run())
    assert [row["text"] for row in listed(app)["rows"]] == [QUESTION.text]


def test_a_run_made_elsewhere_says_what_became_of_its_gold(
    tiny_index: Index, run: Run, tmp_path: Path
) -> None:
    runs = Runs(tiny_index.path)
    query = next(one for one in runs.questions(run.id) if one.gold)
    held = tiny_index.passages[0].id
    made = tmp_path / "mine.run"
    made.write_text(f"{query.id} Q0 {held} 1 2.0 x\n")
    import_results(
        runs, run, read_results(made, runs.questions(run.id), tiny_index), tiny_index, force=True
    )
    row = runs.row(run.id, "mine", query.id)
    assert row
    app = page(retriever="mine", which="all", run=run.id)
    shown = " ".join(raw(app))
    for end in gold_ends(row, tiny_index):
        assert escape(end.told) in shown
        assert escape(end.title) in shown
    if lost := first_loss(row.fates):
        assert lost.words in listed(app)["rows"][0]["said"]
        stage = next(one for one in app.selectbox if one.label == "Where gold was lost")
        assert stage.options[0] == f"{lost.words} (from its rank)"
    app = opened("evaluate", index="tiny", run=run.id, retriever="mine")
    checked(app.button(key="evaluate_lost_0").click().run())
    shown = " ".join(raw(app))
    for end in gold_ends(row, tiny_index):
        assert not end.lost or escape(end.told) in shown.lower()
    assert not [one for one in app.button if one.key == "evaluate_rescue"]  # its steps are unknown
