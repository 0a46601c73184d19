"""The expected states are derived by hand from the nested retrieval in `examples`."""

from dataclasses import replace
from typing import get_args

import pytest

from core.playback import (
    check,
)
from core.steps import (
    Offer,
    Step,
    Thing,
    Tie,
)
from core.types import Hit, Part
from tests.core.examples import CUT, KEPT, NESTED

END = len(NESTED)


def test_it_keeps_the_contract_and_has_every_kind_of_step():
    check(NESTED)
    assert {type(step) for step in NESTED} == set(get_args(Step))


def changed(t: int, **fields: object) -> tuple[Step, ...]:
    """The example with fields of step `t` replaced."""
    return (*NESTED[: t - 1], replace(NESTED[t - 1], **fields), *NESTED[t:])


def without(t: int) -> tuple[Step, ...]:
    return (*NESTED[: t - 1], *NESTED[t:])


SAME = Hit("owner", 0.25)


NAN = float("nan")


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        (without(1), "step 1: a retrieval must begin with Asked"),
        (without(END), "step 16: a retrieval must end with Ranked"),
        (NESTED[:6], "step 6: a retrieval must end with Ranked"),
        (without(3), "step 7: it comes after the last Ranked"),
        ((*NESTED, NESTED[1]), "step 18: it comes after the last Ranked"),
        (changed(9, id="#1"), "step 9: '#1' is asked twice"),
        (changed(9, parents=("#3",)), "step 9: a parent is unknown"),
        (changed(9, narrowed=(3, 5)), "step 9: narrowed grows"),
        (changed(3, weight_of_visits=-1.0), "step 3: weight_of_visits is negative"),
        (changed(3, top_k=0), "step 3: top_k is 0"),
        (changed(8, closes=("#2",)), "step 8: it closes a question that was not asked"),
        (changed(8, about="#3"), "step 8: it refers to an unknown node"),
        (changed(8, rests_on=("lies",)), "step 8: it refers to an unknown node"),
        (changed(2, things=()), "step 2: 'plan' joins an unknown node"),
        (changed(10, at="#3"), "step 10: its node is unknown"),
        (changed(10, things=(Thing("#1", "query", "?"),)), "step 10: '#1' is the id of two things"),
        (changed(11, ties=(Tie("plan", "#2", "#1"),)), "step 11: 'plan' is the id of two ties"),
        (changed(5, number=2), "step 5: hop is 2; it must be 1"),
        (changed(5, waiting=("owner",)), "step 5: the queue contains an unknown node"),
        (changed(6, at="#"), "step 6: its node is not in the queue of the round"),
        (changed(6, arrivals=()), "step 6: arrivals differ from the offers taken"),
        (changed(4, arrivals=()), "step 4: arrivals differ from the offers taken"),
        (changed(6, arrivals=NESTED[3].arrivals), "step 6: arrivals differ from the offers taken"),
        (changed(10, offers=NESTED[9].offers * 2), "step 10: an offer is listed twice"),
        (changed(10, offers=(Offer("fact:born", NAN),)), "step 10: a score is not finite"),
        (
            changed(10, offers=(Offer("fact:born", 1.0, (Part("a", 0.5),)),)),
            "step 10: a score is 1.0, but its parts sum to 0.5",
        ),
        (
            changed(6, arrivals=(replace(NESTED[5].arrivals[0], parts=(Part("a", NAN),)),)),
            "step 6: a part of a score is not finite",
        ),
        (changed(13, hits=NESTED[12].hits[::-1]), "step 13: its hits are not sorted by score"),
        (changed(13, moved=NAN), "step 13: moved is not finite"),
        (changed(13, hits=(SAME, SAME)), "step 13: a node is ranked twice"),
        (changed(15, hits=(SAME, SAME)), "step 15: a node is ranked twice"),
        (changed(15, hits=(Hit("owner", 1.0, (Part("a", 2.0),)),)), "step 15: a score is 1.0"),
        (changed(7, hits=(*KEPT, *CUT), pruned=()), "step 7: it has 2 hits, but top_k is 1"),
        (changed(14, hits=(Hit("entity:mara", 1.0),)), "step 14: it ranks a thing"),
        (changed(14, hits=(SAME,), pruned=(SAME,)), "step 14: a node is ranked twice"),
        (changed(17, hits=()), "step 17: all passages are pruned"),
    ],
)
def test_a_broken_contract_is_refused(steps, problem):
    with pytest.raises(ValueError, match=problem):
        check(steps)
