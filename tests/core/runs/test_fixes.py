"""What would have retrieved the lost gold of a run: run, held, and never taken for another's."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.errors import InputError
from core.funnel.replay import ReplayBudget
from core.marks.marking import set_gold
from core.models.oracle import Oracle
from core.ranking_comparison import gold_ranks
from core.retrievers import Spec, make
from core.runs import Row, Run, Runs, fixes
from core.runs.fixes import all_known, known, known_rescues, losses_of, lost_of, rescued
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.steps import result
from tests.core.five import QUESTION

BM25, WALK = "bm25(top_k=1)", "hoprag-similarity(top_k=1,n_hop=1)"
SPECS = [Spec.parse(text) for text in (BM25, WALK)]


def row_of(run: Run, workbench: Workbench, retriever: str) -> Row:
    row = Runs(workbench.index.path).row(run.id, retriever, QUESTION.id)
    assert row
    return row


@pytest.fixture
def run(workbench: Workbench) -> Run:
    made = begin(workbench, own_questions(workbench.index), SPECS, name="First")
    measure(made, workbench)
    return made


@pytest.mark.parametrize("key", [BM25, WALK])
def test_each_lost_gold_has_a_rescue_that_keeps_it(workbench: Workbench, run: Run, key: str):
    row = row_of(run, workbench, key)
    lost = [name for name, rank in row.ranks.items() if rank is None]
    found = rescued(run, row, workbench)
    assert lost
    assert list(found) == lost == [fate.gold for fate in lost_of(row)]
    for gold, rescue in found.items():
        assert rescue
        bench = workbench.amended(parse(rescue.amendments))
        steps = tuple(make(Spec.parse(rescue.retriever), bench).retrieve(QUESTION.text))
        hits = [hit.passage_id for hit in result(steps).hits]
        ranks = gold_ranks(hits, [gold], workbench.index.document_passages)
        assert ranks == {gold: rescue.rank}


def test_a_search_that_was_stopped_goes_on_when_asked_again(
    workbench: Workbench, run: Run, monkeypatch: pytest.MonkeyPatch
):
    """Each time with five times the replays, until it says what one without a limit says."""
    row = row_of(run, workbench, WALK)
    some = losses_of(run, row, workbench, SPECS[1])
    monkeypatch.setattr(ReplayBudget.__init__, "__defaults__", (2, 120.0))
    budgets = []
    for _ in range(6):
        found = rescued(run, row, workbench)
        before = known(some, workbench).stopped
        if before is None:
            break
        budgets.append(before.budget.replays)
    assert budgets == [2 * 5**n for n in range(len(budgets))]
    assert len(budgets) >= 2
    assert set(found) == {fate.gold for fate in lost_of(row)}
    assert before is None


def test_what_an_earlier_version_held_is_looked_for_again(workbench: Workbench, run: Run):
    row = row_of(run, workbench, BM25)
    found = rescued(run, row, workbench)
    with closing(sqlite3.connect(workbench.index.path / fixes.FILE)) as held, held:
        held.execute("UPDATE found SET rescue = json_remove(rescue, '$.rescue.others')")
    assert known_rescues(run, row, workbench) == {}
    assert rescued(run, row, workbench) == found


def test_what_an_earlier_version_found_holds_and_what_it_did_not_find_is_looked_for_again(
    workbench: Workbench, run: Run
):
    row = row_of(run, workbench, BM25)
    found = rescued(run, row, workbench)
    first, *others = found

    def held(gold: str, sql: str) -> None:
        with closing(sqlite3.connect(workbench.index.path / fixes.FILE)) as file, file:
            file.execute(f"UPDATE found SET rescue = {sql} WHERE gold LIKE ?", (f'[["{gold}"]%',))

    assert others
    for name in found:
        held(name, "json_extract(rescue, '$.rescue')")
    assert known_rescues(run, row, workbench) == found
    held(first, "''")
    assert first not in known_rescues(run, row, workbench)
    assert rescued(run, row, workbench) == found


def test_what_was_found_is_held_for_every_run_of_the_configuration(
    workbench: Workbench, run: Run, monkeypatch: pytest.MonkeyPatch
):
    row = row_of(run, workbench, BM25)
    assert known_rescues(run, row, workbench) == {}
    found = rescued(run, row, workbench)
    monkeypatch.setattr(fixes, "search_fixes", None)
    assert known_rescues(run, row, workbench) == rescued(run, row, workbench) == found
    again = begin(workbench, own_questions(workbench.index), SPECS, name="Second")
    Runs(workbench.index.path).delete(run.id)
    assert known_rescues(again, row, workbench) == found
    assert known_rescues(again, replace(row, retriever=WALK), workbench) == {}


def test_questions_that_differ_in_white_space_alone_share_what_was_found(
    workbench: Workbench, run: Run
):
    row = row_of(run, workbench, BM25)
    found = rescued(run, row, workbench)
    spaced = replace(row, question=replace(row.question, text=f"{row.question.text}  "))
    assert all_known(run, [row, spaced], workbench) == [found, found]


def test_a_passage_that_is_gold_no_more_is_looked_for_anew(workbench: Workbench, run: Run):
    row = row_of(run, workbench, BM25)
    assert "town" in rescued(run, row, workbench)
    (town,) = workbench.index.document_passages["town"]
    set_gold(workbench.index, QUESTION.text, town, gold=False)
    assert "town" not in known_rescues(run, row, workbench)


def test_of_an_index_or_a_model_that_is_another_nothing_is_tried(
    workbench: Workbench, run: Run, oracle: Oracle
):
    row = row_of(run, workbench, BM25)
    changed = workbench.with_oracle(oracle)
    assert rescued(run, row, changed)  # it asks no model
    changed.__dict__["content"] = "another"
    with pytest.raises(InputError, match="has changed since"):
        rescued(run, row, changed)
    with pytest.raises(InputError, match="has changed since"):
        rescued(run, replace(row, retriever="made elsewhere"), workbench)
