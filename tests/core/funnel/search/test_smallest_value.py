"""The smallest value of a setting is found among those that retrieve a passage."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from core.funnel.brackets import Bracket
from core.funnel.changes import Change, Dial
from core.funnel.data import Fate
from core.funnel.rescue import Rescue
from core.funnel.search.outcomes import Outcomes
from core.funnel.search.smallest_value import SmallestValue
from core.retrievers import Spec
from core.steps import Asked

LOW, HIGH = 2, 40
SPEC = Spec("bm25")


@dataclass
class RetrievedFrom:
    """The outcomes where the passage is retrieved by every value from `least` on."""

    least: int
    spec: Spec = SPEC
    tried: list[int] = field(default_factory=list)

    def kept(self, change: Change) -> Rescue | None:
        value = int(change.text.rpartition(" ")[2])
        self.tried.append(value)
        if value < self.least:
            return None
        return Rescue("gold", change.kind, change.text, str(change.spec), "", extra=0, rank=value)

    def run(self, change: Change) -> None:
        """Replay nothing."""

    def pruned(self, ran: None) -> None:
        """Rank nothing below the top k."""

    def more_judgements(self, change: Change) -> int:
        return 0


def search(outcomes: RetrievedFrom, hop: int | None = None) -> SmallestValue:
    fate = Fate("gold", "gold", "far", hop=hop)
    return SmallestValue(cast(Outcomes, outcomes), Bracket(Asked("bm25", "gold?", 20)), fate)


def counts(high: int = HIGH) -> Dial:
    return Dial("count", LOW, high, lambda value: Change("count", f"depth 1 to {value}", SPEC))


def hops(high: int) -> Dial:
    return Dial("hop", LOW, high, lambda value: Change("hop", f"n_hop 1 to {value}", SPEC))


@pytest.mark.parametrize("least", range(LOW, HIGH + 1))
def test_the_smallest_value_is_found_and_the_one_below_it_was_tried(least: int) -> None:
    outcomes = RetrievedFrom(least)
    fix = search(outcomes).between(counts())
    assert fix
    assert fix.rank == least
    assert least == LOW or least - 1 in outcomes.tried


def test_no_value_up_to_the_highest_is_no_fix() -> None:
    outcomes = RetrievedFrom(HIGH + 1)
    assert search(outcomes).between(counts()) is None
    assert max(outcomes.tried) == HIGH


def test_one_value_alone_is_tried() -> None:
    fix = search(RetrievedFrom(LOW)).between(counts(high=LOW))
    assert fix
    assert fix.rank == LOW


def test_hops_begin_at_the_distance_of_the_passage() -> None:
    outcomes = RetrievedFrom(3)
    fix = search(outcomes, hop=3).of(hops(high=4))
    assert fix
    assert (fix.rank, min(outcomes.tried)) == (3, 3)


@pytest.mark.parametrize("hop", [None, 5])
def test_what_no_number_of_hops_reaches_is_not_tried(hop: int | None) -> None:
    outcomes = RetrievedFrom(LOW)
    assert search(outcomes, hop).of(hops(high=4)) is None
    assert outcomes.tried == []
