"""What was marked after a run: counted against the gold that the run asked with."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.marks import asked_gold, forget, gold_of, set_gold
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.gold_changes import Remarked, asked_by_hand, remarked_since
from core.runs.measuring import begin
from core.runs.question_sets import own_questions
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.core.marks.rechunked import BY_DOCUMENT, SENTENCES, cut, section, sentence

TYPED = "Who toured with the Low Tide Band?"


def begun(bench: Workbench, question_set: str = "index") -> Run:
    questions = own_questions(bench.index)
    return begin(bench, questions, [Spec("bm25")], name="First", question_set=question_set)


def mark(bench: Workbench, passage: str, *, gold: bool, question: str = QUESTION.text) -> None:
    set_gold(bench.index, question, passage, gold=gold)


def test_what_is_marked_after_a_run_and_what_is_unmarked_is_counted(workbench: Workbench):
    run = begun(workbench)
    assert not remarked_since(run, workbench.index)
    mark(workbench, "singer", gold=True)
    mark(workbench, "stadium", gold=True)
    mark(workbench, "owner", gold=False)
    assert remarked_since(run, workbench.index) == Remarked(2, 1)
    assert not remarked_since(begun(workbench), workbench.index)  # which asked with these marks
    assert not remarked_since(begun(workbench, "a-file.jsonl"), workbench.index)


def test_questions_with_gold_by_hand_are_those_that_a_run_asked_with_it(workbench: Workbench):
    before = begun(workbench)
    mark(workbench, "singer", gold=True)
    mark(workbench, "club", gold=True, question=TYPED)
    assert asked_by_hand(before, workbench.index) == 0
    assert asked_by_hand(begun(workbench), workbench.index) == 2
    assert asked_by_hand(begun(workbench, "a-file.jsonl"), workbench.index) == 0


def test_a_mark_that_is_taken_back_changes_nothing(workbench: Workbench):
    run = begun(workbench)
    for gold in (True, False):
        mark(workbench, "singer", gold=gold)
    for gold in (False, True):
        mark(workbench, "owner", gold=gold)
    assert not remarked_since(run, workbench.index)


def test_a_mark_of_before_that_is_taken_away_counts(workbench: Workbench):
    mark(workbench, "singer", gold=True)
    mark(workbench, "owner", gold=False)
    mark(workbench, "club", gold=True, question=TYPED)
    run = begun(workbench)
    mark(workbench, "singer", gold=False)
    mark(workbench, "owner", gold=True)
    mark(workbench, "club", gold=False, question=TYPED)
    assert remarked_since(run, workbench.index) == Remarked(1, 2)


@pytest.mark.parametrize("words", ["", sentence(0, 0, 1)])
def test_marks_that_follow_their_text_are_the_gold_that_a_run_asked_with(
    tmp_path: Path, words: str
) -> None:
    """As a whole passage and as words of it: other passages hold the same text."""
    before = cut(tmp_path / "cut", "paragraph")
    set_gold(before, TYPED, "harbour#0", gold=True, words=words)
    set_gold(before, BY_DOCUMENT.text, "mill#1", gold=True)
    run = begun(Workbench(before, WordEmbedder()))
    for chunking in ("sentence", "tokens:10:3", "as-is"):
        index = cut(tmp_path / "cut", chunking)
        assert remarked_since(run, index) == Remarked()
        assert asked_by_hand(run, index) == 1
    set_gold(index, TYPED, gold_of(index, TYPED).ids[0], gold=False)
    assert remarked_since(run, index) == Remarked(0, 1)


def test_a_run_keeps_the_text_of_a_mark_that_is_dropped(tmp_path: Path) -> None:
    before = cut(tmp_path / "cut", "paragraph")
    set_gold(before, TYPED, "harbour#0", gold=True)
    index = cut(tmp_path / "cut", "sentence")
    (name,) = gold_of(index, TYPED).ids
    run = begun(Workbench(index, WordEmbedder()))
    forget(index, TYPED, name)
    asked = next(one for one in Runs(index.path).questions(run.id) if one.text == TYPED)
    held = asked_gold(asked, gold_of(index, TYPED))
    assert held.evidence[name].text == section(0, 0)
    assert held.passages[name] == tuple(f"harbour#{number}" for number in range(SENTENCES))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Remarked(1), "1 gold passage was marked after this run. A new run counts it."),
        (
            Remarked(0, 2),
            "2 gold passages were unmarked after this run. A new run counts them.",
        ),
    ],
)
def test_it_is_said_in_a_sentence(found: Remarked, said: str):
    assert str(found) == said
