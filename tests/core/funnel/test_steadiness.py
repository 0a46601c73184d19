"""How far around its value a fix holds: a knife's edge is named, against trying every value."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.funnel.attempts import rescues
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.replay import Replays
from core.funnel.rescue import Rescue
from core.funnel.steadiness import sides, steadiness, told
from core.retrievers import Spec, make
from core.steps import result
from tests.core.five import QUESTION

TOP_K = Spec("bm25").declared[0]  # from 1 to 100


def said(value: int, holding: set[int]) -> str:
    return told(TOP_K, *sides(value, 1.0, TOP_K, lambda other: other in holding))


def test_a_knifes_edge_is_named() -> None:
    assert said(81, {81, 82}) == "works only at 81–82"
    assert said(81, {81}) == "works only at 81"
    assert said(81, {80, 81, 82, 90}) == "works only at 80–82"


def test_what_holds_on_says_how_far_that_was_tried() -> None:
    assert said(81, set(range(81, 101))) == "any value from 81 to 100 (the largest tried) works"
    assert said(100, {100}) == "works at 100 (the largest tried)"
    assert said(3, set(range(3, 38))) == "any value from 3 to 37 works"


@given(st.integers(1, 100), st.integers(0, 60), st.integers(0, 60))
def test_an_interval_is_found_as_by_trying_every_value(value: int, below: int, above: int) -> None:
    first, last = max(1, value - below), min(100, value + above)
    under, over = sides(value, 1.0, TOP_K, lambda other: first <= other <= last)
    assert (under.last, over.last) == (first, last)
    assert under.failed == (first - 1 if first > 1 else None)
    assert over.failed == (last + 1 if last < 100 else None)


def test_where_the_time_ends_that_is_said() -> None:
    found = sides(81, 1.0, TOP_K, lambda other: other <= 83 if 81 <= other <= 83 else None)
    assert (
        told(TOP_K, *found)
        == "any value from 81 to 83 works. The search stopped before all higher values were tried"
    )
    assert told(TOP_K, *sides(81, 1.0, TOP_K, lambda other: None)) == ""


def test_it_is_told_of_a_real_fix_by_asking(workbench: Workbench) -> None:
    narrow = Spec.parse("bm25(top_k=1)")
    steps = tuple(make(narrow, workbench).retrieve(QUESTION.text))
    lost = fates(steps, QUESTION.gold, workbench.index)
    found = rescues(QUESTION.text, narrow, workbench, steps, lost)
    (rescue,) = [one for one in found.values() if one and one.gold == "town"]

    def retrieved(k: int) -> set[str]:
        wider = make(narrow.with_settings(top_k=k), workbench)
        return {hit.passage_id for hit in result(tuple(wider.retrieve(QUESTION.text))).hits}

    every = {k for k in range(1, 101) if "town" in retrieved(k)}
    assert every == set(range(min(every), 101))
    assert rescue.steady == f"any value from {min(every)} to 100 (the largest tried) works"
    assert rescue.steady in str(rescue)
    assert rescue.steady in rescue.facts


@pytest.mark.parametrize(
    ("retriever", "amendments"), [("bm25(top_k=3)", "start(a)"), ("bm25", ""), ("hybrid", "")]
)
def test_what_is_no_single_number_has_no_edge(
    workbench: Workbench, retriever: str, amendments: str
) -> None:
    spec = Spec.parse("bm25(top_k=1)") if amendments else Spec.parse(retriever)
    fix = Rescue("town", "top_k", "top_k 1 to 3", retriever, amendments, 0, 1)
    replays = Replays(workbench, QUESTION.text)
    assert steadiness(spec, fix, {"town"}, replays) == ""
    assert replace(fix, others=(fix,)) == Rescue.from_json(replace(fix, others=(fix,)).to_json())
    assert Fate("town", "town", "cut").lost
