"""Outcomes of questions: what a retriever kept is held beside the index, and gold is of now."""

from dataclasses import replace

import pytest

from core.artefacts.workbench import Workbench
from core.evaluation.kept import FILE, KeptRankings, kept_passages
from core.evaluation.outcomes import OutcomeName, QuestionOutcome, question_outcome
from core.evaluation.question_outcomes import ask_all, question_outcomes, unrun_questions
from core.indexing.updates import add
from core.marks import NO_GOLD, Gold, set_gold
from core.retrievers import CARDS, Spec, make
from core.retrievers.base import KEPT
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

BM25 = Spec("bm25")
TWO = Gold(("owner", "town"), passages={"owner": ("owner",), "town": ("town",)})


@pytest.mark.parametrize(
    ("gold", "kept", "outcome", "said"),
    [
        (TWO, ["town", "club", "owner"], "found", "Gold: 2 of 2 retrieved."),
        (TWO, ["town"], "partly", "Gold: 1 of 2 retrieved."),
        (TWO, ["club"], "missed", "Gold: 0 of 2 retrieved."),
        (TWO, None, "not run", "Gold: 2 to find; not run yet."),
        (NO_GOLD, ["club"], "no gold", "No gold is known."),
        (
            replace(TWO, absent=("town",), passages={"owner": ("owner",)}),
            ["owner"],
            "partly",
            "Gold: 1 of 1 retrieved. 1 more is not in this index.",
        ),
        (
            Gold(("x", "y"), absent=("x", "y")),
            ["owner"],
            "not in the index",
            "Gold: none in this index. 2 are not in this index.",
        ),
    ],
)
def test_an_outcome_in_a_word_and_in_a_line(
    gold: Gold, kept: list[str] | None, outcome: OutcomeName, said: str
) -> None:
    found = question_outcome(gold, kept)
    assert found.outcome == outcome
    assert str(found) == said


def test_what_is_asked_is_held_and_known_after_a_reload(workbench: Workbench) -> None:
    assert [q.text for q in unrun_questions(workbench, BM25)] == [QUESTION.text]
    assert question_outcomes(workbench, [BM25])[0][0].outcome == "not run"
    told: list[tuple[int, int]] = []
    asked = ask_all(workbench, BM25, unrun_questions(workbench, BM25), lambda *at: told.append(at))
    assert (asked, told) == (1, [(1, 1)])
    again = Workbench(Index.open(workbench.index.path), workbench.embedder)
    assert unrun_questions(again, BM25) == []
    dense = Spec("dense")
    ((first, second),) = question_outcomes(again, [BM25, dense])
    assert (first.outcome, second.outcome) == ("found", "not run")
    assert KeptRankings.of(again).retrievers() == [BM25]


def test_gold_that_is_marked_later_counts_at_once(workbench: Workbench) -> None:
    one = BM25.with_settings(top_k=1)
    ask_all(workbench, one, workbench.index.questions)
    (kept,) = KeptRankings.of(workbench).rankings(one).values()
    for passage in ("owner", "town"):
        set_gold(workbench.index, QUESTION.text, passage, gold=False)
    assert question_outcomes(workbench, [one])[0][0] == QuestionOutcome(0, 0, 0, 0, removed=2)
    set_gold(workbench.index, QUESTION.text, kept[0], gold=True)
    found = question_outcomes(workbench, [one])[0][0]
    assert (found.outcome, found.held) == ("found", 1)


def test_what_another_content_gave_counts_no_more(
    workbench: Workbench, embedder: WordEmbedder
) -> None:
    ask_all(workbench, BM25, workbench.index.questions)
    new = Document("new", "New", "The owner of a new club.", "new.txt")
    add(workbench.index.path, corpus(new, queries=()), embedder, silent)
    later = Workbench(Index.open(workbench.index.path), embedder)
    assert question_outcomes(later, [BM25])[0][0].outcome == "not run"
    ask_all(later, BM25, later.index.questions)
    assert KeptRankings.of(workbench).rankings(BM25) == {}


def test_a_result_of_which_a_model_decided_nothing_is_not_held(workbench: Workbench) -> None:
    asked = replace(KeptRankings.of(workbench), model="one")
    llm = Spec("hoprag-llm")
    asked.put(llm, {QUESTION.text: ["town"]})
    assert asked.rankings(llm)
    other = replace(asked, model="another")
    assert other.rankings(llm) == {}
    assert (workbench.index.path / FILE).exists()


def test_time_ends_it_and_what_was_asked_stays(workbench: Workbench) -> None:
    many = [replace(QUESTION, text=f"{QUESTION.text} {n}") for n in range(60)]
    assert ask_all(workbench, BM25, many, seconds=0) == 25
    assert len(KeptRankings.of(workbench).rankings(BM25)) == 25


def test_a_result_is_its_passages(workbench: Workbench) -> None:
    kept = kept_passages(make(BM25, workbench).retrieve(QUESTION.text))
    assert kept
    assert set(kept) <= workbench.index.number.keys()


def test_every_retriever_keeps_as_many_by_default() -> None:
    assert {Spec(key).values["top_k"] for key in CARDS} == {KEPT}
