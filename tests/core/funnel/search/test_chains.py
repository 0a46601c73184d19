"""Several settings at once: as few as do, each as little as it may be, what is quick first."""

import pytest

from core.funnel.changes import AND, Change
from core.funnel.replay import ReplayBudget, Replayed, Replays
from core.funnel.rescue import Rescue
from core.funnel.search.chains import chain, together
from core.retrievers import Spec
from tests.core.five import QUESTION

RAPTOR, IRCOT = Spec("raptor"), Spec("ircot")


class Timed(Replays):
    """Runs nothing; a replay looks at as much as `slow` says of the settings that differ."""

    def __init__(self, workbench, **slow):
        super().__init__(workbench, QUESTION.text)
        self.slow = slow

    def run(self, spec, amendments=()):
        return Replayed({}, {}, 0, 0)

    def work(self, spec):
        plain = Spec(spec.key).values
        return sum(self.slow.get(n, 0) for n, v in spec.values.items() if plain[n] != v)


def keeping(asked, **least):
    """Keeps gold at rank 43 from these values on, and notes what it was asked for."""

    def kept(change: Change) -> Rescue | None:
        values = change.spec.values
        asked.append({n: v for n, v in values.items() if Spec(change.spec.key).values[n] != v})
        if any(int(str(values[name])) < value for name, value in least.items()):
            return None
        return Rescue("gold", change.kind, change.text, str(change.spec), "", 0, 43)

    return kept


def test_texts_room_and_top_k_are_turned_together_each_as_little_as_it_may(workbench):
    needed = keeping([], texts=48, room=5_000, top_k=43)
    found = chain(RAPTOR, Timed(workbench), needed)
    assert found
    assert found.told == (
        "texts to retrieve 48 instead of 20, token limit 5,000 instead of 3,500 "
        "and top k 43 instead of 20"
    )
    assert (found.kind, found.changes, found.paired) == ("count", 3, True)


def test_of_two_limits_both_are_named_and_what_is_slow_is_tried_last(workbench):
    asked: list[dict] = []
    slow = {"thoughts": 9, "room": 2, "each": 1}
    found = chain(IRCOT, Timed(workbench, **slow), keeping(asked, each=10, room=19))
    assert found
    assert found.change == "each 6 to 10 + room 15 to 19"
    assert all("thoughts" not in values for values in asked)


def test_of_values_that_the_search_did_not_make_smaller_that_is_told(workbench):
    replays = Timed(workbench)
    needed = keeping([], each=10, room=19)
    known: list[str] = []

    def kept(change: Change) -> Rescue | None:
        """After the first values that keep it what is known alone is asked."""
        if known and change.text not in known:
            replays.stopped = True
            return None
        found = needed(change)
        known.extend([change.text] if found else [])
        return found

    found = chain(IRCOT, replays, kept)
    assert found
    assert found.rough
    assert str(found).startswith("passages per search 20 instead of 6 and room for passages 100 ")
    assert str(found).endswith("; a smaller change may be enough, but the search stopped")
    small = chain(IRCOT, Timed(workbench), needed)
    assert small
    assert not small.rough


def test_what_needs_more_than_three_is_no_change_that_is_told(workbench):
    four = {"texts": 21, "width": 6, "room": 4_000, "top_k": 21}
    assert chain(RAPTOR, Timed(workbench), keeping([], **four)) is None
    assert chain(RAPTOR, Timed(workbench), keeping([], texts=101)) is None


def test_without_replays_nothing_is_told(workbench):
    replays = Replays(workbench, QUESTION.text, budget=ReplayBudget(0))
    assert chain(RAPTOR, replays, lambda _: None) is None
    assert replays.stopped
    short = Replays(workbench, QUESTION.text)
    with short.within(1), short.within(0):  # which is used up before that of the whole search
        short.run(RAPTOR)
    assert not short.stopped


def test_what_is_enough_by_itself_is_told_alone(workbench):
    """Two that were turned as far as they go keep it; one of them does without the other."""
    found = chain(IRCOT, Timed(workbench), keeping([], each=10))
    assert found
    assert (found.change, found.paired) == ("each 6 to 10", False)


def test_all_values_are_one_change_and_how_many_are_kept_is_told_last(workbench):
    change = together(RAPTOR, {0: 30, 1: 40})
    assert change.text == f"texts 20 to 40{AND}top_k 20 to 30"
    with pytest.raises(ValueError, match="no setting"):
        together(RAPTOR, {})
