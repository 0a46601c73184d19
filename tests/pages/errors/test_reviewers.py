"""Reviewers on the Errors page: who may review, under which name, and who sees whose reviews."""

import pytest

from core.errors import NotAllowed
from core.reviews import Change, Reviews
from core.runs import Run
from core.store.index import Index
from core.visitors.roles import Visitor
from pages.components.errors import review_actions
from pages.components.shell.actions import permissions
from pages.components.shell.visitors import access
from tests.pages.conftest import QUESTION, TINY
from tests.pages.errors.review_page import NARROW, asked, off, page
from tests.pages.journeys import checked, opened, words


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
