"""What a search concludes from measures made by hand, against scipy and a slow reference."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.evaluation.holm import holm
from core.settings_search.findings import COSTS, Findings, Tried, compare, marked

IDS = [f"q{n:02}" for n in range(24)]
FIRST, SECOND = frozenset(IDS[:12]), frozenset(IDS[12:])
BASE, GOOD, LUCKY, WORSE = "bm25", "bm25(top_k=30)", "bm25(top_k=40)", "bm25(top_k=10)"
SCORES = {
    BASE: dict.fromkeys(IDS, 0.0),
    GOOD: {one: float(n % 12 < 8) for n, one in enumerate(IDS)},  # 8 of 12 in either half
    LUCKY: {one: float(n < 9) for n, one in enumerate(IDS)},  # 9 of 12 in the first half alone
    WORSE: dict.fromkeys(IDS, -0.1),
}


def findings(scores: dict[str, dict[str, float]]) -> Findings:
    tried = tuple(
        Tried(name, name, 100 * float(np.mean(list(each.values()))), (0, 0), costs(place + 1))
        for place, (name, each) in enumerate(scores.items())
    )
    found = compare(BASE, scores, (FIRST, SECOND))
    return Findings(BASE, "R@20", len(IDS), 0, marked(tried), found)


def costs(judgements: float, seconds: float = 1.0) -> dict:
    return {"seconds": seconds, "judgements": judgements, "calls": 0.0, "tokens": 0.0}


def test_what_is_best_on_one_half_is_tested_on_the_other_alone() -> None:
    found = compare(BASE, SCORES, (FIRST, SECOND))
    assert [(one.chosen_on, one.place, one.retriever) for one in found] == [
        (1, 1, LUCKY),
        (1, 2, GOOD),
        (2, 1, GOOD),  # the lucky one gains nothing on the second half, and the worse one nowhere
    ]
    lucky, good, swapped = found
    assert (lucky.held_out.mean, lucky.held_out.n) == (0.0, 12)
    apart = np.array([SCORES[GOOD][one] for one in sorted(SECOND)])
    low, high = stats.ttest_1samp(apart, 0).confidence_interval(0.95)
    assert good.held_out.mean == pytest.approx(100 * 8 / 12)
    assert good.held_out.low == pytest.approx(100 * low)
    assert good.held_out.high == pytest.approx(100 * high)
    assert good.held_out.p == pytest.approx(2 / 2**8)  # all signs alike, of 8 that differ
    ps = [one.held_out.p for one in found]
    assert [one.holm for one in found] == pytest.approx(holm(ps))
    assert swapped.holm == pytest.approx(3 * 2 / 2**8)


def test_the_decision_names_what_holds_on_held_out_questions() -> None:
    found = findings(SCORES)
    assert found.chosen
    assert (found.chosen.retriever, found.chosen.chosen_on) == (GOOD, 2)
    assert found.decision.startswith(
        "Use top k 30 instead of 20: +66.7 points R@20 on 12 held-out "
    )
    assert "2.0 times the lists examined. 3 settings tried; Holm p = 0.023." in found.decision
    assert (
        "With the halves swapped, top k 40 instead of 20 is chosen: +0.0 points" in found.decision
    )


def test_luck_on_one_half_recommends_nothing() -> None:
    found = findings({BASE: SCORES[BASE], LUCKY: SCORES[LUCKY]})
    assert found.chosen is None
    assert found.decision.startswith("Keep the current settings. The best alternative is top k 40")
    assert "it does not improve the held-out half" in found.decision
    nothing = findings({BASE: SCORES[BASE], WORSE: SCORES[WORSE]})
    assert nothing.compared == ()
    assert "none improves" in nothing.decision


def test_too_few_questions_are_not_tested() -> None:
    few = frozenset(IDS[:3]), frozenset(IDS[12:15])
    found = compare(BASE, {BASE: SCORES[BASE], GOOD: SCORES[GOOD]}, few)
    assert [one.holm for one in found] == [None, None]


numbers = st.integers(0, 3).map(float)


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=8))
def test_pareto_best_is_what_nothing_beats(points: list[tuple[float, float, float]]) -> None:
    tried = [
        Tried(str(n), "", mean, (0, 0), costs(judgements, seconds))
        for n, (mean, judgements, seconds) in enumerate(points)
    ]
    for one in marked(tried):
        for cost in COSTS:
            better = [
                other
                for other in tried
                if (other.mean >= one.mean and other.costs[cost] < one.costs[cost])
                or (other.mean > one.mean and other.costs[cost] <= one.costs[cost])
            ]
            used = any(other.costs[cost] for other in tried)
            assert (cost in one.best_by) == (used and not better)


def test_all_of_it_is_json() -> None:
    told = findings(SCORES).to_json()
    assert told["use"] == GOOD
    assert told["settings_tried"] == 3
    assert told["compared"][0]["held_out"]["n"] == 12
    assert replace(findings(SCORES), compared=()).to_json()["use"] is None
