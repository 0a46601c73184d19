"""The sentence about the values of a setting says nothing that the record does not hold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.funnel.attempts import search_fixes
from core.funnel.fates import fates
from core.funnel.replay import ReplayBudget
from core.funnel.tried_values import TriedValues
from core.retrievers import Spec, make
from core.steps import result
from tests.core.five import QUESTION

TOP_K = Spec("bm25").declared[0]  # from 1 to 100


@given(st.integers(1, 100), st.dictionaries(st.integers(1, 100), st.sampled_from([0, 7])))
def test_no_claim_contradicts_the_record(now: int, ranks: dict[int, int]) -> None:
    ranks = {value: rank for value, rank in ranks.items() if value != now}
    record = TriedValues(TOP_K, now, ranks)
    said = record.sentence()
    works = {value for value, rank in ranks.items() if rank}
    assert bool(said) == (bool(works) and len(ranks) > 1)
    if not said:
        return
    head, _, untried = said.partition(". ")
    named = {int(n) for n in re.findall(r"\d+", head.partition(" of the ")[0])}
    if head.startswith("only"):
        assert named == works
    elif found := re.search(r"(\d+) to (\d+) work", head):
        first, last = int(found[1]), int(found[2])
        inside = [value for value in ranks if first <= value <= last]
        assert (first, last) == (min(works), max(works))
        assert (len(inside) == len(works)) == head.startswith("all")
    else:
        assert named == works
    if "tried" in head:
        shares = [int(n) for n in re.findall(r"(\d+) values tried", head)]
        assert shares in ([len(ranks)], [sum(min(works) <= v <= max(works) for v in ranks)])
    assert ("igher" in untried) == (max(*ranks, now) in works and max(works) < 100)
    assert ("ower" in untried) == (min(*ranks, now) in works and min(works) > 1)


@pytest.mark.parametrize("replays", [2, 8, 15, 25, 60, 400])
@pytest.mark.parametrize("text", ["bm25(top_k=1)", "hoprag-similarity(top_k=1,n_hop=1)"])
def test_fix_and_table_say_the_same_however_early_a_search_ends(
    workbench: Workbench, text: str, replays: int
) -> None:
    """The values named of a fix are values that the table lists as tried, with the same words."""
    spec = Spec.parse(text)
    steps = tuple(make(spec, workbench).retrieve(QUESTION.text))
    ends = fates(steps, [*workbench.index.number], workbench.index)
    budget = ReplayBudget(replays)
    found = search_fixes(QUESTION.text, spec, workbench, steps, ends, budget=budget)
    assert found == search_fixes(QUESTION.text, spec, workbench, steps, ends, budget=budget)
    for gold, look in found.items():
        for fix in (look.rescue, *look.rescue.others) if look.rescue else ():
            if fix.steady:
                (row,) = [one for one in look.trials if one.told.endswith(fix.steady)]
                assert row.came == "retrieves"
                assert fix.keeps
                if text.startswith("bm25"):
                    assert all(gold in retrieved(workbench, n) for n in named(fix.steady))


def named(said: str) -> list[int]:
    """The values that a sentence names as working."""
    return [int(n) for n in re.findall(r"\d+", re.sub(r"\d+ (of the )?(\d+ )?values", "", said))]


def retrieved(workbench: Workbench, k: int) -> set[str]:
    steps = tuple(make(Spec.parse(f"bm25(top_k={k})"), workbench).retrieve(QUESTION.text))
    return {hit.passage_id for hit in result(steps).hits}
