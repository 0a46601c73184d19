"""What a change does: the net over all questions is tested, the halves are only described."""

from dataclasses import fields
from math import log2
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from core.reviews.losses.change_effect import (
    Part,
    effect,
    effect_of,
    net_told,
    of_trial,
    run_with_retriever,
)
from core.reviews.losses.group_values import Mend
from core.reviews.report.markdown_report import report
from core.reviews.report.run_overview import Overview, Tried
from core.runs import Runs
from tests.core.reviews.rows import AFTER, BEFORE, row, with_trial


def test_the_net_is_over_all_questions_with_the_interval_of_scipy() -> None:
    apart = np.array([1, 0, -1, -1, 0, 0], dtype=float)
    (recall, *_) = effect(BEFORE, AFTER, {"a", "b"}).net
    low, high = stats.ttest_1samp(apart, 0).confidence_interval(0.95)
    assert (recall.measure, recall.n) == ("recall", 6)
    assert recall.mean == pytest.approx(100 * (1 - 1 - 1) / 6)
    assert (recall.low, recall.high) == (pytest.approx(100 * low), pytest.approx(100 * high))
    assert recall.p == 1.0  # of the 8 signs of 3 differences all sums are at least 1 from 0
    assert net_told(recall).startswith("-16.7 points recall over 6 questions (95% interval ")


def test_the_halves_are_chosen_by_outcome_so_they_have_no_test() -> None:
    found = effect(BEFORE, AFTER, {"a", "b"})
    assert found.inside
    assert found.elsewhere
    assert found.inside.means["recall"] == pytest.approx(100 * (1 + 0) / 2)
    assert found.elsewhere.means["recall"] == pytest.approx(100 * (-1 - 1) / 4)
    assert (found.elsewhere.better, found.elsewhere.equal, found.elsewhere.worse) == (0, 2, 2)
    assert {one.name for one in fields(Part)} & {"p", "low", "high"} == set()
    assert (found.won, found.lost) == (("a",), ("c", "d"))
    assert effect(BEFORE, AFTER, set("abcdef")).elsewhere is None


def test_questions_without_gold_and_of_one_run_alone_do_not_count() -> None:
    before = [row("a", None, judgements=3), row("e"), row("g", 1)]
    after = [row("a", 3, judgements=5), row("e"), row("h", 1)]
    found = effect(before, after, set())
    assert found.net[0].n == 1
    assert found.judgements == (3, (5 + 3) / 2)
    assert effect([row("e")], [row("e")], set()).net == ()


def test_gold_that_is_kept_lower_is_a_price_though_as_much_is_kept() -> None:
    found = effect([row("a", 5), row("b", None)], [row("a", 6), row("b", 30)], {"b"})
    assert [one.measure for one in found.net] == ["recall", "R@5", "nDCG@10"]
    assert found.elsewhere
    assert found.elsewhere.means["recall"] == 0
    assert found.elsewhere.means["R@5"] == -100
    gain = 1 / log2(7) - 1 / log2(6)
    assert found.elsewhere.means["nDCG@10"] == pytest.approx(100 * gain)
    assert found.net[2].mean == pytest.approx(100 * gain / 2)


def test_the_report_has_the_number_of_the_screen(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    run, trial = with_trial(runs)
    assert of_trial(trial, runs.all()) == [(runs.get(run.id), "bm25")]
    again = run_with_retriever(runs, run, "bm25(top_k=30)")
    assert again
    shown = effect_of(runs, (run, "bm25"), (again, "bm25(top_k=30)"))
    assert shown.net == effect(BEFORE, AFTER, set()).net
    assert shown.inside
    assert shown.inside.n == 2  # the two that lost gold before
    change = Mend("bm25(top_k=30)", "top k 30 instead of 20", ())
    whole = Overview(run, (), {}, {"bm25": ()}, {"bm25": (Tried(change, shown),)})
    written = report("x", [], {}, {}, listed=1, date="2026-01-02", overview=whole)
    assert f"All questions: {net_told(shown.net[0])}" in written.replace("\\", "")


def test_the_question_that_a_change_was_chosen_for_is_left_out(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    run, trial = with_trial(runs)
    others = effect_of(runs, (run, "bm25"), (trial, "bm25(top_k=30)"), without="a")
    assert others.net[0].n == 5
    assert others.net[0].mean == pytest.approx(100 * -2 / 5)
    assert (others.won, others.lost) == ((), ("c", "d"))
