"""Groups of lost gold on the Errors page, and the search for fixes."""

import re

import pytest

from core.artefacts.workbench import Workbench
from core.funnel.replay import ReplayBudget
from core.jobs import Job
from core.reviews import Change, Reviews
from core.reviews.losses.lost_gold import NOT_LOOKED_FOR, cases, rows_of
from core.runs import Run, Runs
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.pages.conftest import QUESTION
from tests.pages.errors.review_page import NARROW, listed, page
from tests.pages.journeys import checked, words


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
    assert words(app).count("Not searched yet") == 1  # of all, and not of each group again
    checked(app.button(key="errors_rescue_2").click().run())
    assert "(currently" in words(app)
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
    fix = re.fullmatch(
        r"Run all 2 questions with [a-z ]+ [\\\d.]+ instead of [\\\d.]+", button.label
    )
    assert fix, button.label  # no seconds: it is too short to foretell
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
