"""Gold marked on a page is in the index at once: for another page and another browser."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.errors import NotAllowed
from core.marks import Mark, Marks, gold_of, set_gold
from core.retrievers import Spec, make
from core.store.index import Index
from core.traces import record
from core.visitors.roles import Visitor
from pages.components.passages import gold as gold_marks
from pages.components.passages import unmatched_marks
from pages.components.passages.gold import GoldMarks
from pages.components.shell import layout
from pages.components.shell.actions import gold_actions, permissions
from tests.core.fakes import WordEmbedder
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened, words


def compared(question: str) -> AppTest:
    app = opened("compare", index=TINY, q=question, k="3", **{"with": "bm25,dense"})
    return checked(app)


def stars(app: AppTest) -> list[str]:
    bodies = [str(each.proto.body) for each in app.get("html")]
    return [body for body in bodies if "hop-star" in body]


def mark_the_first(app: AppTest) -> None:
    app.button(key="compare_hit_0_1").click().run()
    checked(app.button(key="compare_passage_gold").click().run())


def test_a_mark_is_there_in_another_browser(tiny_home: Path) -> None:
    question = "Who toured with the Low Tide Band?"
    mark_the_first(compared(question))
    later = compared(question)
    assert "Both find the gold passage, at rank 1." in words(later)
    assert "by hand" in words(later)
    (mark,) = Marks(tiny_home / "indexes" / TINY).all()
    assert mark.question == question


def test_gold_by_hand_has_a_star_of_its_own_and_a_legend(tiny_home: Path) -> None:
    given = stars(compared(QUESTION.text))
    assert given
    assert not any("☆" in body for body in given)
    mark_the_first(compared("Who toured with the Low Tide Band?"))
    later = compared("Who toured with the Low Tide Band?")
    assert all("☆" in body for body in stars(later))
    assert "☆ marked by hand" in words(later)


def test_the_way_back_of_a_mark_that_was_taken_away_is_to_restore_it(tiny_index: Index) -> None:
    (gold, *_) = gold_of(tiny_index, QUESTION.text).passage_ids
    set_gold(tiny_index, QUESTION.text, gold, gold=False)
    app = opened("explore", index=TINY, passage=gold, q=QUESTION.text)
    back = app.button(key="explore_passage_gold")
    assert back.label == "Mark as gold"
    checked(back.click().run())
    assert app.button(key="explore_passage_gold").label == "Unmark as gold"
    assert gold in gold_of(tiny_index, QUESTION.text).passage_ids


def test_gold_that_the_index_does_not_hold_is_said_and_counts_as_in_an_evaluation(
    tiny_index: Index,
) -> None:
    (query,) = tiny_index.questions
    marks = Marks(tiny_index.path)
    set_gold(tiny_index, query.text, "sly", gold=True)
    (mark,) = marks.all()
    gone = type(mark)(mark.question, "gone", "Gone", "0" * 32, True, "", mark.at)
    marks.replace([mark], [gone])
    shown = words(compared(QUESTION.text))
    assert "not in the index" in shown
    assert "1 more is not in this index." in shown
    assert "BM25 finds both gold passages" in shown
    assert "of 3 " in shown


def test_a_reader_is_shown_marks_and_makes_none(
    tiny_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Visitor("rae@example.org", "reader")
    monkeypatch.setattr(permissions, "visitor", lambda: reader)
    monkeypatch.setattr(gold_marks, "visitor", lambda: reader)
    app = compared(QUESTION.text)
    app.button(key="compare_hit_0_1").click().run()
    assert "compare_passage_gold" not in [button.key for button in app.button]
    with pytest.raises(NotAllowed):
        gold_actions.mark_gold(tiny_index, QUESTION.text, "sly", gold=True)
    assert not GoldMarks(QUESTION.text, tiny_index).may_mark
    assert gold_of(tiny_index, QUESTION.text).added == ()


def test_who_marked_it_is_kept(tiny_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "visitor", lambda: Visitor("ada@example.org", "editor"))
    gold_actions.mark_gold(tiny_index, QUESTION.text, "sly", gold=True)
    assert [mark.who for mark in Marks(tiny_index.path).all()] == ["ada@example.org"]


def test_a_mark_says_on_the_page_who_made_it_and_their_name_is_text(tiny_home: Path) -> None:
    question = "Who toured with the Low Tide Band?"
    app = compared(question)
    app.session_state["signature"] = "<b>*Ana*</b>"
    mark_the_first(app)
    later = compared(question)
    assert any("by hand by &lt;b&gt;*Ana*&lt;/b&gt;, " in body for body in stars(later))
    later.button(key="compare_hit_0_1").click().run()
    (said,) = (one.value for one in later.caption if one.value.startswith("Marked by hand"))
    assert layout.literal("by <b>*Ana*</b>, ") in said


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window's own memory, where no page runs."""
    monkeypatch.setattr(st, "session_state", {})


def _at(index: Index, at: str) -> None:
    """As if the one mark there is had been made then."""
    (mark,) = Marks(index.path).all()
    Marks(index.path).replace([mark], [replace(mark, at=at)])


def test_undo_brings_back_a_mark_with_who_made_it_and_when(
    tiny_index: Index, session: None
) -> None:
    marks, passage = GoldMarks(QUESTION.text, tiny_index), tiny_index.passage("sly")
    set_gold(tiny_index, QUESTION.text, passage.id, gold=True, annotator="Ada")
    _at(tiny_index, "2026-01-02T03:04:05+00:00")
    (mark,) = Marks(tiny_index.path).all()
    marks.put(passage, False)
    assert Marks(tiny_index.path).all() == []
    marks.put(passage, True, undo=True)
    assert Marks(tiny_index.path).all() == [mark]
    marks.put(passage, False)
    marks.put(passage, True)  # a mark of its own
    assert Marks(tiny_index.path).all() != [mark]


def test_undo_takes_back_only_what_was_done_here(tiny_index: Index, session: None) -> None:
    marks, passage = GoldMarks(QUESTION.text, tiny_index), tiny_index.passage("sly")
    marks.put(passage, True)
    _at(tiny_index, "2026-01-02T03:04:05+00:00")  # another window made another mark of it
    marks.put(passage, False, undo=True)
    assert not marks.has(passage)
    assert Marks(tiny_index.path).all() == []


def test_undo_of_a_mark_in_a_trace_from_a_file_brings_back_its_gold(
    tiny_index: Index, session: None
) -> None:
    trace = record(
        make(Spec("bm25"), Workbench(tiny_index, WordEmbedder())), QUESTION.text, tiny_index
    )
    trace = trace.with_gold(gold_of(tiny_index, QUESTION.text))
    marks = GoldMarks(trace.query, trace=trace)
    before = marks.now()
    gold = tiny_index.passage(min(before.passage_ids))
    marks.put(gold, False)
    assert not marks.has(gold)
    marks.put(gold, True, undo=True)
    assert marks.now() == before


def lost_mark(index: Index) -> Mark:
    """A mark of a text that no passage has as a whole; most of it is in `town`."""
    text = f"{index.passage('town').text} <b>Gone</b> is what this passage said besides, at length."
    mark = Mark("Which town?", "old#0", "Old", "0" * 32, True, "Ada", "2026-01-02T03:04:05+00:00")
    mark = replace(mark, document="old", text=text * 2)
    Marks(index.path).replace([], [mark])
    return mark


@pytest.mark.parametrize("page", ["build", "evaluate"])
def test_a_mark_that_was_not_followed_is_listed_and_settled_with_one_click(
    tiny_index: Index, page: str
) -> None:
    mark = lost_mark(tiny_index)
    app = opened(page, index=TINY)
    shown = words(app)
    assert "1 mark could not be matched to passages after the rebuild." in [
        each.label for each in app.expander
    ]
    assert "Which town?" in shown
    bodies = "".join(str(each.proto.body) for each in app.get("html"))
    assert "&lt;b&gt;Gone" in bodies
    assert "<b>Gone" not in bodies
    assert "No passage contains its text." in shown
    (move,) = (each for each in app.button if each.label == "Mark this passage")
    app = checked(move.click().run())
    assert gold_of(tiny_index, mark.question).ids == ("town",)
    assert "Drop the mark" not in [each.label for each in app.button]


def test_a_mark_that_was_not_followed_is_dropped_with_one_click(tiny_index: Index) -> None:
    lost_mark(tiny_index)
    app = opened("build", index=TINY)
    (drop,) = (each for each in app.button if each.label == "Drop the mark")
    checked(drop.click().run())
    assert Marks(tiny_index.path).all() == []


def test_a_mark_that_another_tab_has_settled_stays_as_it_is_there(tiny_index: Index) -> None:
    mark = lost_mark(tiny_index)
    one, other = opened("build", index=TINY), opened("build", index=TINY)
    (drop,) = (each for each in one.button if each.label == "Drop the mark")
    checked(drop.click().run())
    (move,) = (each for each in other.button if each.label == "Mark this passage")
    checked(move.click().run())
    assert gold_of(tiny_index, mark.question).ids == ()


def test_a_reader_settles_no_mark(tiny_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = lost_mark(tiny_index)
    reader = Visitor("rae@example.org", "reader")
    monkeypatch.setattr(permissions, "visitor", lambda: reader)
    monkeypatch.setattr(unmatched_marks, "visitor", lambda: reader)
    app = opened("build", index=TINY)
    assert "Which town?" in words(app)
    assert "Drop the mark" not in [each.label for each in app.button]
    for act in (gold_actions.drop_mark, partial(gold_actions.move_mark, passage_id="town")):
        with pytest.raises(NotAllowed):
            act(tiny_index, mark)


def test_only_some_words_of_a_passage_can_be_marked(tiny_index: Index) -> None:
    app = opened("explore", index=TINY, passage="stadium", q="Which ground?")
    app.text_area(key="explore_passage_words").set_value("a stadium   in Selby").run()
    app.button(key="explore_passage_gold_words").click().run()
    assert "does not contain these words" in " ".join(each.value for each in app.error)
    app.text_area(key="explore_passage_words").set_value("Lantern Ground is a  stadium").run()
    app = checked(app.button(key="explore_passage_gold_words").click().run())
    (mark,) = Marks(tiny_index.path).all()
    assert (mark.passage, mark.words) == ("stadium", "Lantern Ground is a stadium")
    assert any("Only these words" in each.value for each in app.caption)
    assert gold_of(tiny_index, "Which ground?").ids == ("stadium",)
