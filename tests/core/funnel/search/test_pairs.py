"""Two changes at once, each as little as it may be, and a bound on how many are tried."""

import pytest

from core.funnel.changes import Change, dials
from core.funnel.replay import ReplayBudget, Replays
from core.funnel.rescue import Rescue
from core.funnel.search.pairs import as_dial, pair
from core.retrievers import Spec
from tests.core.five import QUESTION

SPEC = Spec.parse("graphrag-local(top_k=5)")


@pytest.fixture
def replays(workbench):
    return Replays(workbench, QUESTION.text)


def keeping(asked, **least):
    """Keeps gold from these values on, and notes what it was asked for."""

    def kept(change: Change) -> Rescue | None:
        asked.append(change)
        values = change.spec.values
        if any(int(str(values[name])) < value for name, value in least.items()):
            return None
        return Rescue("gold", change.kind, change.text, str(change.spec), "", 0, 1)

    return kept


def firsts():
    return [dial for dial in dials(SPEC) if dial.kind != "top_k"]


def test_both_changes_are_as_small_as_they_may_be(replays):
    rescue = pair(SPEC, firsts(), replays, keeping([], entities=24, top_k=32))
    assert rescue
    assert rescue.paired
    assert rescue.told == "entities selected 24 instead of 10 and top k 32 instead of 5"
    assert str(rescue).startswith(f"{rescue.told}: rank 1")


def test_what_has_one_value_is_one_of_two(replays):
    start = Change("start", "start at it", SPEC)
    top_k = keeping([], top_k=9)
    rescue = pair(SPEC, [as_dial(start)], replays, lambda one: top_k(one) if one.paired else None)
    assert rescue
    assert (rescue.kind, rescue.told) == ("start", "make it a seed and top k 9 instead of 5")


def test_what_is_enough_by_itself_is_told_alone(replays):
    start = Change("start", "start at it", SPEC)
    rescue = pair(SPEC, [as_dial(start)], replays, keeping([], top_k=9))
    assert rescue
    assert (rescue.kind, rescue.told) == ("top_k", "top k 9 instead of 5")


def test_no_pair_is_found_where_three_are_needed(replays):
    asked = []
    assert (
        pair(SPEC, firsts(), replays, keeping(asked, entities=24, communities=9, top_k=9)) is None
    )
    assert all(change.paired for change in asked)


def test_pairs_have_a_budget_of_their_own_and_no_stop_of_the_search_is_told(workbench):
    replays = Replays(workbench, QUESTION.text)
    with replays.within(0):
        assert replays.run(Spec("bm25")) is None
        assert replays.stopped
    assert not replays.stopped
    assert replays.run(Spec("bm25"))
    ended = Replays(workbench, QUESTION.text, ReplayBudget(1))
    assert ended.run(Spec("bm25"))
    with ended.within(5):  # never more than the whole search has
        assert ended.run(Spec("dense")) is None
    assert (ended.stopped, ended.late) == (True, False)
    assert ended.run(Spec("bm25")), "what is known costs nothing"


def test_the_time_limit_is_named_when_it_ends_a_search(workbench):
    late = Replays(workbench, QUESTION.text, ReplayBudget(9, seconds=-1.0))
    assert late.run(Spec("bm25")) is None
    assert (late.stopped, late.late) == (True, True)
