"""A sweep on Evaluate: values in their order, named by their settings, and few passages."""

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.runs import Run
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from pages.components.evaluate.chart_panels import SHARE, _axis_domain
from pages.components.evaluate.column_names import row_names, swept_numbers, swept_values
from pages.components.evaluate.new_run import _top_k_message
from tests.pages.evaluate.evaluate_page import page
from tests.pages.journeys import raw

HOPS = ("hoprag-similarity(n_hop=3)", "hoprag-similarity(n_hop=1)", "hoprag-similarity")


def test_a_sweep_is_in_the_order_of_its_values_and_begins_with_its_conclusion(
    bench: Workbench,
) -> None:
    run = begin(bench, own_questions(bench.index), list(map(Spec.parse, HOPS)), name="Hops")
    measure(run, bench)
    app = page(run=run.id)
    rows = app.dataframe[0].value["Retriever"].tolist()
    assert [row.rpartition("hops ")[2] for row in rows[:1] + rows[1:2]] == ["1", "3"]
    assert "hops" not in rows[2]  # the default, 4
    (lead,) = [body for body in raw(app) if "hop-result" in body]
    assert "R@5 is" in lead
    titles = [body for body in raw(app) if "hop-chart-title" in body]
    assert any("Points from hops" in body for body in titles)


def test_rows_of_one_kind_are_called_by_their_settings() -> None:
    assert row_names(HOPS, short=True) == {
        "hoprag-similarity(n_hop=3)": "hops 3",
        "hoprag-similarity(n_hop=1)": "hops 1",
        "hoprag-similarity": "hops 4",
    }
    assert row_names(("bm25", "dense"), short=True) == {"bm25": "BM", "dense": "DE"}
    mixed = ("bm25", "hoprag-similarity", "hoprag-similarity(n_hop=1)", "theirs")
    assert row_names(mixed, short=True) == {
        "bm25": "BM",
        "hoprag-similarity": "HS",
        "hoprag-similarity(n_hop=1)": "HS hops 1",
        "theirs": "theirs",
    }
    assert swept_values(mixed) == swept_numbers(("bm25", "theirs")) == swept_values(("bm25",)) == {}
    assert swept_numbers(("rerank", "rerank(over=bm25)")) == {}


def test_an_axis_of_percents_ends_at_100() -> None:
    def domain(*ends: float) -> list[float]:
        return _axis_domain([{"value": end, "low": end, "high": None} for end in ends], SHARE)

    assert domain(91.0, 99.0) == [90, 100]
    assert domain(100.0) == [90, 100]
    assert domain(0.0) == [0, 10]
    assert domain() == [0, 100]


def test_cut_offs_above_the_number_of_passages_are_among_more_measures(run: Run) -> None:
    app = page(run=run.id)
    usual = app.segmented_control(key="evaluate_measure").options
    more = app.selectbox(key="evaluate_more_measures").options
    assert "R@5" in usual
    assert "R@20" not in usual
    assert any(one.startswith("R@20:") for one in more)
    told = [one.value.replace("\\", "") for one in app.caption]
    assert any("larger cut-offs are under More measures" in one for one in told)
    assert "R@20" in page(measure="R@20").segmented_control(key="evaluate_measure").options


def test_a_short_ranking_of_a_small_index_is_explained() -> None:
    assert _top_k_message([Spec.parse("bm25(top_k=3)")], 12).startswith("Top 3 of 12 passages")
    assert "can hold all of them" in _top_k_message([Spec("bm25")], 12)
    assert _top_k_message([Spec("bm25")], 300) == ""
