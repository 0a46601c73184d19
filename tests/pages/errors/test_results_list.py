"""The list of results on the Errors page: its run and retriever, its order and its filters."""

import json
import re
import shutil
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.funnel.stages import STAGES
from core.marks import gold_of, set_gold
from core.pipelines import import_results, read_results
from core.retrievers import Spec
from core.reviews import Change, Reviews, Views, first_loss
from core.reviews.losses.gold_outcomes import gold_ends
from core.runs import FILE, Run, Runs, measuring
from core.runs.question_sets import OWN, own_questions
from core.store.index import Index
from core.types import Query
from pages.components.shell import nav
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION, TINY
from tests.pages.errors.review_page import NARROW, WHERE, asked, listed, page
from tests.pages.journeys import checked, opened, raw, walkthrough, words


def test_the_list_shows_what_it_sorts_by(tiny_index: Index, run: Run) -> None:
    worst = listed(page(which="all", retriever=NARROW))
    shares = [row["share"] for row in worst["rows"]]
    assert all(re.fullmatch(r"\d+% · AP \d\.\d\d", one) for one in shares)
    assert shares == sorted(shares)
    assert worst["says"].startswith(
        "Worst first: lowest recall in the top 1, then lowest average precision"
    )
    asked_ = listed(page(which="all", retriever=NARROW, order="asked"))
    assert all(row["share"].startswith("R@5 ") for row in asked_["rows"])


def test_without_a_run_the_page_says_where_to_begin(tiny_home: Path) -> None:
    app = opened("errors", index=TINY)
    assert "No runs to review" in words(app)


def test_without_a_run_another_index_that_has_some_is_offered(
    tiny_home: Path, tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = tiny_home / "indexes"
    shutil.copytree(indexes / TINY, indexes / "later")
    (indexes / "later" / FILE).unlink()
    gone: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(nav, "go", lambda name, **params: gone.append((name, params)))
    app = opened("errors", index="later")
    assert "No runs to review in later" in words(app)
    (offered,) = [one for one in app.button if (one.key or "").startswith("errors_elsewhere")]
    assert offered.label == f"{TINY}: 1 run"
    offered.click().run()
    assert gone == [("errors", {"index": TINY})]


def test_the_list_tells_a_note_beside_a_verdict_and_without_one(
    tiny_index: Index, run: Run
) -> None:
    reviews = Reviews(tiny_index.path)
    reviews.say("ann", [Change(QUESTION.text, NARROW, note="hm")])
    for verdict, mark in (("", ""), ("pass", "✓ pass")):
        reviews.say("ann", [Change(QUESTION.text, NARROW, verdict=verdict)])
        rows = listed(page(which="all"))["rows"]
        assert [(row["mark"], row["note"]) for row in rows if row["note"]] == [(mark, "hm")]


def test_the_progress_is_of_what_is_shown_and_of_the_run(tiny_index: Index, run: Run) -> None:
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, verdict="fail")])
    app = page(which="all", retriever=NARROW)
    assert "1 of 2 judged" in words(app)
    assert "in this run" not in words(app)
    app = page(which="all", retriever=NARROW, said="fail")
    assert "1 of 1 shown judged" in words(app)
    assert "1 of 2 in this run" in words(app)
    assert "The result shown is judged:" in [one.value for one in app.caption]


@pytest.mark.parametrize(
    ("said", "listed_"),
    [("none", [WHERE]), ("fail", [QUESTION]), ("note", [QUESTION]), ("pass", [])],
)
def test_the_list_is_that_of_a_verdict_or_of_notes(
    tiny_index: Index, run: Run, said: str, listed_: list[Query]
) -> None:
    Reviews(tiny_index.path).say("ann", [Change(QUESTION.text, NARROW, verdict="fail", note="x")])
    app = page(which="all", retriever=NARROW)
    checked(app.selectbox(key="errors_choose_said").set_value(said).run())
    if not listed_:
        assert any("No results match" in one.value for one in app.info)
        return
    assert [row["text"] for row in listed(app)["rows"]] == [one.text for one in listed_]
    checked(app.button(key="errors_defer").click().run())
    assert [row["text"] for row in listed(app)["rows"]] == [one.text for one in listed_]
    again = page(which="all", retriever=NARROW, said=said)
    shown = [one for one in again.get("bidi_component") if '"rows"' in (one.proto.json or "")]
    assert bool(shown) == (said == "note")  # it is no more like that


def test_trace_asks_the_question_that_one_was_looking_at(tiny_index: Index, run: Run) -> None:
    app = page(which="all", retriever=NARROW)
    shown = walkthrough(app)["query"]
    app.query_params.clear()
    app.switch_page("pages/trace.py")
    checked(app.run())
    assert walkthrough(app)["query"] == shown
    assert "".join(app.query_params["retriever"]) == NARROW


def test_the_page_goes_on_where_it_was_left(tiny_index: Index, run: Run) -> None:
    app = page(run=run.id, retriever="bm25(top_k=2)", which="all", order="asked", at="2")
    second = asked(app)
    for name in ("explore", "errors"):
        app.query_params.clear()
        app.switch_page(f"pages/{name}.py")
        checked(app.run())
    assert asked(app) == second
    assert "".join(app.query_params["retriever"]) == "bm25(top_k=2)"
    app.query_params.clear()
    app.query_params["retriever"] = NARROW
    checked(app.run())
    assert "".join(app.query_params["retriever"]) == NARROW
    assert "which" not in app.query_params


def test_orders_against_another_retriever_and_views(tiny_index: Index, run: Run) -> None:
    app = page(order="regressions", other_run=run.id, other="bm25(top_k=2)")
    assert not app.exception
    app = page(order="random", seed="3")
    app.text_input(key="errors_view_name").set_value("my order")
    checked(app.button(key="errors_view_save").click().run())
    assert Views(Reviews(tiny_index.path)).all()["my order"]["seed"] == "3"


def test_the_address_of_a_list_is_all_that_it_needs(tiny_index: Index, run: Run) -> None:
    app = page(run=run.id, retriever="bm25(top_k=2)", at="9", order="nonsense", seed="x")
    assert not app.exception
    assert json.loads(app.get("bidi_component")[-1].proto.json or "{}") is not None


def test_a_run_or_a_retriever_that_is_not_there_is_said(run: Run) -> None:
    def said(**params: str) -> str:
        app = checked(opened("errors", index=TINY, **params))
        return " ".join(one.value.replace("\\", "") for one in app.info)

    assert said(run=run.id, retriever=NARROW) == ""
    assert said(run="gone") == "The run in this link does not exist. Showing first."
    assert "first has no results for telepathy. Showing BM25" in said(
        run=run.id, retriever="telepathy"
    )


def test_it_opens_at_the_best_retriever_or_at_the_one_that_was_asked_last(
    tiny_index: Index,
) -> None:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    specs = [Spec.parse(one) for one in (NARROW, "bm25(top_k=1)", "hoprag-coverage")]
    begun = measuring.begin(bench, [QUESTION, WHERE], specs, name="all", question_set="two.jsonl")
    measuring.measure(begun, bench)

    def shown(app: AppTest) -> str:
        return "".join(app.query_params["retriever"])

    assert shown(opened("errors", index=TINY)) == "hoprag-coverage"
    app = opened("trace", index=TINY, q=QUESTION.text, retriever="bm25(top_k=1)")
    app.query_params.clear()
    app.switch_page("pages/errors.py").run()
    assert shown(checked(app)) == "bm25(top_k=1)"


def test_a_question_whose_gold_changed_says_so_and_its_walkthrough_has_the_runs_gold(
    tiny_index: Index,
) -> None:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    own = measuring.begin(
        *(bench, own_questions(tiny_index), [Spec.parse(NARROW)]), name="own", question_set=OWN
    )
    measuring.measure(own, bench)
    before = page(which="all", order="asked")
    assert not listed(before)["rows"][0]["noted"]
    text = Runs(tiny_index.path).questions(own.id)[0].text
    marked = next(one for one in tiny_index.number if one not in gold_of(tiny_index, text).ids)
    set_gold(tiny_index, text, marked, gold=True)
    app = page(which="all", order="asked")
    assert listed(app)["rows"][0]["noted"] == "gold changed after this run"
    assert walkthrough(app)["gold"] == walkthrough(before)["gold"]
    chosen = next(one for one in app.segmented_control if one.label == "Gold in the walkthrough")
    checked(chosen.set_value(True).run())
    assert len(walkthrough(app)["gold"]) == len(walkthrough(before)["gold"]) + 1


def test_a_stage_counts_the_questions_that_it_lists(tiny_index: Index, run: Run) -> None:
    app = page(which="all")
    for said in app.selectbox(key="errors_choose_stage").options[1:]:
        number = int(said.rpartition("(")[2].split()[0])
        stage = next(one for one, words in STAGES.items() if said.startswith(f"Stage: {words} ("))
        assert listed(page(which="all", stage=stage))["total"] == number


def test_a_run_made_elsewhere_says_what_became_of_its_gold(
    tiny_index: Index, run: Run, tmp_path: Path
) -> None:
    runs = Runs(tiny_index.path)
    query = next(one for one in runs.questions(run.id) if one.gold)
    held = tiny_index.passages[0].id
    made = tmp_path / "mine.run"
    made.write_text(f"{query.id} Q0 {held} 1 2.0 x\n")
    import_results(
        runs, run, read_results(made, runs.questions(run.id), tiny_index), tiny_index, force=True
    )
    row = runs.row(run.id, "mine", query.id)
    assert row
    app = page(retriever="mine", which="all", run=run.id)
    shown = " ".join(raw(app))
    for end in gold_ends(row, tiny_index):
        assert escape(end.told) in shown
        assert escape(end.title) in shown
    if lost := first_loss(row.fates):
        assert lost.words in listed(app)["rows"][0]["said"]
        stage = next(one for one in app.selectbox if one.label == "Where gold was lost")
        assert stage.options[0] == f"{lost.words} (from its rank)"
    app = opened("evaluate", index="tiny", run=run.id, retriever="mine")
    checked(app.button(key="evaluate_lost_0").click().run())
    shown = " ".join(raw(app))
    for end in gold_ends(row, tiny_index):
        assert not end.lost or escape(end.told) in shown.lower()
    assert not [one for one in app.button if one.key == "evaluate_rescue"]  # its steps are unknown


def test_the_question_stays_while_the_list_grows_above_it(tiny_index: Index, run: Run) -> None:
    bench, runs = Workbench(tiny_index, WordEmbedder(), making=silent), Runs(tiny_index.path)
    worst, other = runs.rows(run.id, NARROW, order="worst")
    begun = measuring.begin(
        bench, [QUESTION, WHERE], [Spec.parse(NARROW)], name="on", question_set="two.jsonl"
    )
    runs.append(begun.id, [other])
    app = page(which="all", retriever=NARROW, run=begun.id)
    shown = asked(app)
    runs.append(begun.id, [worst])
    assert asked(app.run()) == shown
    assert app.query_params["at"] == "2"
    # A browser that has not heard of it asks for the earlier place.
    app.query_params["at"] = "1"
    assert asked(app.run()) == shown
    assert app.query_params["at"] == "2"
    app.button(key="errors_before").click().run()
    assert asked(app) != shown
