"""What a study shows in words: its numbers are those of its table, and chance is called chance."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jobs import run as run_job
from core.jobs.study import study_job, study_variants
from core.runs.analysis.leaderboard import interval
from core.settings import settings
from core.studies import Results, View, read_study, results_of, table_of
from core.studies.conclusion import Entry, conclude, conclusion_of, headline_measure
from core.studies.naming import label_of, written
from core.studies.results import Cell
from tests.core.fakes import WordEmbedder
from tests.core.studies.examples import write_study

SHARES = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 1.0])


def entry(name: str, shares: list[float], lists: float = 0.0, *, default: bool = False) -> Entry:
    by_question = {str(number): share for number, share in enumerate(shares)}
    return Entry(name, by_question, {"judgements": lists}, default)


def percents(text: str) -> set[str]:
    return set(re.findall(r"(\d+\.\d)%", text))


@st.composite
def studies(draw: st.DrawFn) -> list[Entry]:
    questions, lines = draw(st.integers(1, 12)), draw(st.integers(1, 6))
    shares = st.lists(SHARES, min_size=questions, max_size=questions)
    lists = st.floats(0, 50)
    return [entry(f"r{n}", draw(shares), draw(lists)) for n in range(lines)]


@given(studies())
def test_its_numbers_are_those_of_the_table(entries: list[Entry]) -> None:
    told = conclude(entries, "R@5", noun="retriever")
    cells = {one.name: interval([*one.shares.values()]) for one in entries}
    printed = {
        written(Cell(cell.n, cell.mean), "R@5") for cell in cells.values() if cell.mean is not None
    }
    highest = max(cells.values(), key=lambda cell: cell.mean or 0.0)
    assert percents(told.lead) == {f"{highest.mean:.1f}"}
    assert percents(told.detail) <= printed
    costs = {f"{one.costs['judgements']:,.1f}" for one in entries}
    assert set(re.findall(r"(\d+\.\d) (?:instead of|candidate)", told.detail)) <= costs


@given(studies())
def test_a_line_is_called_lower_only_where_the_best_is_higher(entries: list[Entry]) -> None:
    told = conclude(entries, "R@5", noun="retriever")
    lower = re.findall(r"(-?\d+\.\d) points? lower", told.detail)
    assert all(float(points) >= 0 for points in lower)
    if len(entries[0].shares) < 6:
        assert "significantly above" not in told.lead


@pytest.mark.parametrize(
    ("lines", "lead"),
    [
        (
            {"A": [1.0] * 20, "B": [0.0] * 20, "C": [0.0] * 20},
            "R@5 is highest with A: 100.0%, significantly above both other retrievers.",
        ),
        (
            {"A": [1.0] * 20, "B": [1.0] * 19 + [0.0], "C": [0.0] * 20},
            "R@5 is highest with A: 100.0%, significantly above 1 of the 2 other retrievers.",
        ),
        (
            {"A": [1.0] * 20, "B": [1.0] * 19 + [0.0], "C": [1.0] * 19 + [0.0]},
            "R@5 is highest with A: 100.0%. No other retriever is significantly worse "
            "after Bonferroni correction.",
        ),
        (
            {"A": [1.0] * 20, "B": [1.0] * 19 + [0.0]},
            "R@5 is highest with A: 100.0%. B is not significantly worse.",
        ),
        (
            {"A": [1.0] * 3, "B": [0.0] * 3},
            "R@5 is highest with A: 100.0%. There are too few questions to test the difference.",
        ),
        ({"A": [0.5] * 9, "B": [0.5] * 9}, "R@5 is 50.0% for both retrievers."),
        ({"A": [0.5] * 9}, "R@5 of A: 50.0% (95% interval 50.0 to 50.0)."),
    ],
)
def test_the_lead(lines: Mapping[str, list[float]], lead: str) -> None:
    entries = [entry(name, shares) for name, shares in lines.items()]
    assert conclude(entries, "R@5", noun="retriever").lead == lead


def test_the_best_of_many_is_tested_against_all_pairs() -> None:
    # Six questions that all agree: p = 2 / 2**6, significant alone and not among 28 pairs.
    best, worse = entry("A", [1.0] * 6), [entry(f"r{n}", [0.0] * 6) for n in range(7)]
    alone = conclude([best, worse[0]], "R@5", noun="retriever")
    among = conclude([best, *worse], "R@5", noun="retriever")
    assert "significantly above r0" in alone.lead
    assert "No other retriever is significantly worse" in among.lead
    assert "Bonferroni correction for 28 pairs" in among.detail


def test_a_sweep_names_values_its_default_and_what_is_cheaper() -> None:
    low, high = [1.0] * 19 + [0.0], [1.0] * 20
    sweep = [
        entry("1", low, 10.0),
        *(entry(str(n), high, 20.0, default=n == 4) for n in range(2, 7)),
    ]
    told = conclude(sweep, "R@5", noun="value", setting="hops")
    assert told.lead == (
        "R@5 is highest with 2 to 6 hops (default 4): 100.0%. One hop is not significantly worse "
        "after Bonferroni correction."
    )
    assert "Next: 1 hop, 95.0%, 5.0 points lower" in told.detail
    assert (
        "One hop is not significantly worse and uses 10.0 instead of 20.0 candidate lists per "
        "question."
    ) in told.detail
    apart = [entry("1", low, default=True), entry("2", high), entry("3", low), entry("4", high)]
    told = conclude(apart, "R@5", noun="value", setting="hops")
    assert told.lead.startswith("R@5 is highest with 2 and 4 hops: 100.0%.")
    assert "Next: 1 hop (default), 95.0%, 5.0 points lower" in told.detail


def test_values_of_a_setting_are_named_as_in_a_sentence() -> None:
    low, high = [1.0] * 19 + [0.0], [1.0] * 20
    of_seeds = [entry("2", low, 10.0), entry("same as top k", high, 20.0)]
    told = conclude(of_seeds, "R@5", noun="value", setting="seeds")
    assert told.lead == (
        "R@5 is highest with as many seeds as the top k: 100.0%. Two seeds are not significantly "
        "worse."
    )
    assert "Two seeds are not significantly worse and use 10.0" in told.detail
    of_top_k = [entry("5", low), entry("20", high)]
    told = conclude(of_top_k, "R@5", noun="value", setting="top k")
    assert "with top k 20: 100.0%. Top k 5 is not significantly worse." in told.lead


def test_a_finished_study_is_concluded_from_its_table(
    tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch, words: WordEmbedder
) -> None:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    path = write_study(tmp_path)
    study = read_study(path)
    before = results_of(study, study_variants(study, str(built)))
    assert conclusion_of(before) is None
    run_job(study_job(path, str(built)))
    results = results_of(study, study_variants(study, str(built)))
    told = conclusion_of(results)
    assert told is not None
    (head, cells) = _column(results)
    assert head == headline_measure(results) == "R@5"
    assert percents(told.lead) == {max(cells.values(), key=float)}
    assert percents(told.detail) <= {*cells.values()}
    named = [name for name in cells if name in told.detail.partition("lower")[0]]
    assert all(cells[name] in told.detail for name in named)
    settings.cache_clear()


def _column(results: Results) -> tuple[str, dict[str, str]]:
    """The column of the headline in the study's table, as printed without intervals."""
    table = table_of(results, View(measures=("R@5",)))
    rows = {label_of(row.line): Cell(row.cells[0].n, row.cells[0].mean) for row in table.rows}
    return table.heads[0].measure, {name: written(cell, "R@5") for name, cell in rows.items()}
