"""What was marked after a run: counted against the gold that the run asked with."""

import pytest

from core.artefacts.workbench import Workbench
from core.marks import set_gold
from core.retrievers import Spec
from core.runs import Run
from core.runs.measuring import begin
from core.runs.question_sets import own_questions
from core.runs.remarking import Remarked, asked_by_hand, remarked_since
from tests.core.five import QUESTION

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
