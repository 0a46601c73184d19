"""The list of questions with outcomes; a question that travels from page to page."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.evaluation.kept import KeptRankings
from core.evaluation.outcomes import QuestionOutcome
from core.evaluation.question_outcomes import unrun_questions
from core.indexing.updates import build
from core.retrievers import Spec
from core.retrievers.base import KEPT
from core.store.index import Index
from core.text.display.question_types import explained, named
from core.types import Document, Query
from pages.components.ask.questions import question_list
from pages.components.ask.questions.question_order import Listed, beside
from pages.components.ask.request import kept_of
from pages.components.compare.form import MOST_TOP_K
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION, TEXTS, TINY
from tests.pages.journeys import checked, opened, words

MANY = [
    QUESTION,
    *(Query(f"q{n}", f"Who is Ilo Venn, number {n}?", gold=("singer",)) for n in range(14)),
    Query("lost", "What is lost?", gold=("nobody",), type="lost"),
    Query("bare", "Is there no gold?"),
]
WITHOUT_OUTCOME = {"lost", "bare"}
"""Questions of which no gold is in the index: whether they are run changes nothing."""


@pytest.fixture
def many(tiny_home: Path) -> Path:
    documents = tuple(Document(key, title, text) for key, (title, text) in TEXTS.items())
    folder = tiny_home / "indexes" / TINY
    build(folder, Corpus(documents, tuple(MANY)), WordEmbedder(), silent)
    return folder


def listing(page: str = "trace", **params: str) -> AppTest:
    app = opened(page, index=TINY, q=QUESTION.text, **params)
    return checked(app.toggle(key="questions_open").set_value(True).run())


def param(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def bodies(app: AppTest) -> list[str]:
    return [str(each.proto.body) for each in app.get("html")]


def rows(app: AppTest) -> list[str]:
    return [b.label for b in app.button if str(b.key).startswith("question_row_")]


def test_outcomes_of_a_few_questions_are_found_at_once_and_kept(many: Path) -> None:
    app = listing(retriever="bm25")
    assert len(rows(app)) == len(MANY)
    assert "found" in rows(app)[0]
    captions = " ".join(caption.value for caption in app.caption)
    assert "1 to 17 of 17" in captions
    assert "15 found" in captions
    assert "1 not in the index" in captions
    assert "1 without gold" in captions
    assert (many / "outcomes.sqlite").exists()


def test_a_key_says_whose_outcome_stands_beside_a_question_and_what_its_signs_mean(
    many: Path,
) -> None:
    key = next(body for body in bodies(listing(retriever="bm25")) if "hop-asked-key" in body)
    assert "Left: outcome by BM25. ● found: all gold passages retrieved" in key
    assert "○ missed: none, “·” not run yet" in key


def test_the_list_is_filtered_searched_and_paged(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_list, "SHOWN", 6)
    app = listing(retriever="bm25")
    checked(app.button(key="questions_on").click().run())
    assert "number 5" in rows(app)[0]
    checked(app.text_input(key="questions_search").set_value("venn 13").run())
    assert [row[:26] for row in rows(app)] == ["Who is Ilo Venn, number 13"]
    checked(app.text_input(key="questions_search").set_value("").run())
    checked(app.selectbox(key="questions_outcome").set_value("not in the index").run())
    assert rows(app)[0].startswith("What is lost?")
    checked(app.button(key="question_row_0").click().run())
    assert param(app, "q") == "What is lost?"


def test_the_questions_that_fail_are_one_filter(many: Path) -> None:
    app = listing(retriever="bm25(top_k=1)")
    checked(app.selectbox(key="questions_outcome").set_value("failing").run())
    assert rows(app)
    assert all(
        any(w in row for w in ("missed", "found 1 of", "not in the index")) for row in rows(app)
    )
    assert any("What is lost" in row for row in rows(app))


def test_the_rest_is_run_for_all_that_are_chosen(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_list, "_AT_ONCE", 0)
    app = listing("compare", **{"with": "bm25,dense"})
    run = app.button(key="questions_run")
    assert run.label == "Run the rest for BM, DE"
    checked(run.click().run())
    assert "questions_run" not in {button.key for button in app.button}
    bench = Workbench(Index.open(many), WordEmbedder())
    for spec in (Spec("bm25"), Spec("dense")):
        assert {query.id for query in unrun_questions(bench, spec)} == WITHOUT_OUTCOME


def test_the_rest_is_run_for_the_one_in_use_before_any_other(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_list, "_AT_ONCE", 0)
    bench = Workbench(Index.open(many), WordEmbedder())
    KeptRankings.of(bench).put(Spec("dense"), {query.text: () for query in MANY[:9]})
    app = listing(retriever="bm25(top_k=3)")
    assert app.button(key="questions_run").label == "Run the rest for BM"
    checked(app.button(key="questions_run").click().run())
    left = unrun_questions(bench, Spec.parse("bm25(top_k=3)"))
    assert {query.id for query in left} == WITHOUT_OUTCOME
    assert len(unrun_questions(bench, Spec("dense"))) == len(MANY) - 9
    assert app.button(key="questions_run").label == "Run the rest for DE"


def test_no_other_is_run_in_the_place_of_one_that_cannot_be(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_list, "_AT_ONCE", 0)
    monkeypatch.setattr(question_list, "_can_run", lambda _, spec: spec.key == "dense")
    bench = Workbench(Index.open(many), WordEmbedder())
    KeptRankings.of(bench).put(Spec("dense"), {query.text: () for query in MANY[:9]})
    app = listing(retriever="bm25")
    assert "questions_run" not in {button.key for button in app.button}


def test_what_one_finds_and_the_other_misses_is_a_filter_that_stands_in_the_address(
    many: Path,
) -> None:
    bench = Workbench(Index.open(many), WordEmbedder())
    held = KeptRankings.of(bench)
    held.put(Spec("bm25"), {query.text: query.gold for query in MANY})
    held.put(Spec("dense"), {query.text: query.gold for query in MANY[2:]} | {MANY[1].text: ()})
    app = listing("compare", **{"with": "bm25,dense"})
    checked(app.selectbox(key="questions_finder").set_value("BM").run())
    checked(app.selectbox(key="questions_misser").set_value("DE").run())
    assert [row.startswith(MANY[1].text) for row in rows(app)] == [True]
    assert (param(app, "finds"), param(app, "misses")) == ("BM", "DE")
    told = next(caption.value for caption in app.caption if "BM25" in caption.value)
    assert told.startswith("1 to 1 of 1 \\(BM finds all gold, DE misses some\\)")
    assert "BM25 on all 17: 15 found" in told.replace("\\", "")
    checked(app.toggle(key="questions_open").set_value(False).run())
    assert "1: BM finds all gold, DE misses some" in words(app)
    checked(app.button(key="question_after").click().run())
    assert param(app, "q") == MANY[1].text
    assert "1 of 1: BM finds all gold, DE misses some" in words(app)


def test_what_is_partly_found_is_found_by_nobody_and_misses_some(many: Path) -> None:
    both = Query("both", "What do they sing?", gold=("singer", "owner"))
    documents = tuple(Document(key, title, text) for key, (title, text) in TEXTS.items())
    build(many, Corpus(documents, (both,)), WordEmbedder(), silent)
    held = KeptRankings.of(Workbench(Index.open(many), WordEmbedder()))
    held.put(Spec("bm25"), {both.text: ("singer",)})
    held.put(Spec("dense"), {both.text: ("singer", "owner")})
    app = listing("compare", **{"with": "bm25,dense"})
    for finder, misser, shown in (("BM", "all", 0), ("DE", "BM", 1), ("DE", "DE", 0)):
        checked(app.selectbox(key="questions_finder").set_value(finder).run())
        checked(app.selectbox(key="questions_misser").set_value(misser).run())
        assert len(rows(app)) == shown


def test_the_types_of_known_question_sets_are_explained() -> None:
    assert explained("3hop1") == "chain of three hops (3hop1)"
    assert (named("3hop1"), named("bridge")) == ("3 hops (3hop1)", "bridge question")
    assert explained("mine") == "mine"


def test_a_long_question_is_shown_whole_once(many: Path) -> None:
    text = "What is known of Ilo Venn, " + "who sang and sang, " * 5 + "and of no other?"

    def repeats(app: AppTest) -> int:
        bodies = [each.proto.body for each in app.get("html")]
        return sum("hop-whole" in body and text in body for body in bodies)

    trace = opened("trace", index=TINY, q=text, retriever="bm25")
    assert repeats(trace) == 0  # the walkthrough has it
    compare = opened("compare", index=TINY, q=text, **{"with": "bm25,dense"})
    assert repeats(compare) == 1
    checked(compare.toggle(key="questions_open").set_value(True).run())
    assert repeats(compare) == 0


def test_a_film_keeps_the_columns_that_are_known(many: Path) -> None:
    bench = Workbench(Index.open(many), WordEmbedder())
    KeptRankings.of(bench).put(Spec("dense"), {query.text: () for query in MANY})
    app = listing(retriever="bm25")
    assert app.selectbox(key="questions_misser").options[1:] == [
        "Misses some: BM",
        "Misses some: DE",
    ]


def test_the_next_question_keeps_the_retriever(many: Path) -> None:
    app = opened("trace", index=TINY, q=QUESTION.text, retriever="bm25(top_k=3)")
    checked(app.button(key="question_after").click().run())
    assert param(app, "q") == MANY[1].text
    assert param(app, "retriever") == "bm25(top_k=3)"
    checked(app.button(key="question_before").click().run())
    assert param(app, "q") == QUESTION.text
    checked(app.button(key="question_before").click().run())
    assert param(app, "q") == QUESTION.text


def test_the_question_and_its_retriever_travel_there_and_back(many: Path) -> None:
    app = opened("trace", index=TINY, q=MANY[3].text, retriever="dense(top_k=7)")
    app.query_params.clear()
    checked(app.switch_page("pages/compare.py").run())
    assert param(app, "q") == MANY[3].text
    assert param(app, "with").split(",")[0] == "dense"
    assert param(app, "k") == "7"
    checked(app.button(key="question_after").click().run())
    app.query_params.clear()
    checked(app.switch_page("pages/trace.py").run())
    assert param(app, "q") == MANY[4].text
    assert param(app, "retriever") == "dense(top_k=7)"


def test_what_is_compared_is_held_for_each_column(many: Path) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, k="4", **{"with": "bm25,dense"})
    assert not app.exception
    held = KeptRankings.of(Workbench(Index.open(many), WordEmbedder()))
    assert {str(spec) for spec in held.retrievers()} == {"bm25(top_k=4)", "dense(top_k=4)"}


def test_one_default_of_passages_kept() -> None:
    assert KEPT == 20
    assert MOST_TOP_K == 100
    # Of a small index a quarter: half of it would be all that a hop leads to.
    assert list(map(kept_of, (6, 7, 12, 40, 79, 80, 203))) == [20, 3, 3, 10, 19, 20, 20]


@pytest.mark.parametrize(
    ("now", "by", "there"),
    [("a", 1, "b"), ("b", -1, "a"), ("a", -1, None), ("c", 1, None), ("x", 1, "a"), ("x", -1, "c")],
)
def test_the_question_beside(now: str, by: int, there: str | None) -> None:
    asked = [Listed(replace(QUESTION, text=text), (QuestionOutcome(1, 1, 0, 0),)) for text in "abc"]
    assert beside(asked, now, by) == there
    nothing: Sequence[Listed] = []
    assert beside(nothing, now, by) is None
