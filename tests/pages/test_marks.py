"""Gold marked on a page is in the index at once: for another page and another browser."""

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.errors import NotAllowed
from core.marks import Marks, gold_of, set_gold
from core.retrievers import Spec, make
from core.store.index import Index
from core.traces import record
from core.visitors.roles import Visitor
from pages.components.passages import gold as gold_marks
from pages.components.passages.gold import GoldMarks
from pages.components.shell import acts, frame
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
    assert "Both retrieve the gold passage in the top 3." in words(later)
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
    assert "of 2 gold passages" in shown
    assert "of 3 " in shown


def test_a_reader_is_shown_marks_and_makes_none(
    tiny_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Visitor("rae@example.org", "reader")
    monkeypatch.setattr(acts, "visitor", lambda: reader)
    monkeypatch.setattr(gold_marks, "visitor", lambda: reader)
    app = compared(QUESTION.text)
    app.button(key="compare_hit_0_1").click().run()
    assert "compare_passage_gold" not in [button.key for button in app.button]
    with pytest.raises(NotAllowed):
        acts.mark_gold(tiny_index, QUESTION.text, "sly", gold=True)
    assert not GoldMarks(QUESTION.text, tiny_index).may_mark
    assert gold_of(tiny_index, QUESTION.text).added == ()


def test_who_marked_it_is_kept(tiny_index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "visitor", lambda: Visitor("ada@example.org", "editor"))
    acts.mark_gold(tiny_index, QUESTION.text, "sly", gold=True)
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
    assert frame.literal("by <b>*Ana*</b>, ") in said


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
    set_gold(tiny_index, QUESTION.text, passage.id, gold=True, who="Ada")
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
