"""The Compare page: the form, the columns beside one another, and what is said about them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.retrievers.bm25 import Bm25
from core.retrievers.dense import Dense
from core.steps import Step
from core.store.index import Index
from pages.components.compare.form import MOST_TOP_K
from tests.pages.conftest import QUESTION, TINY

APP = Path(__file__).parents[2] / "app.py"
ALL_FOUR = "bm25,dense,hybrid,hoprag-coverage"


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, **params}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    return app


def asked(keys: str = ALL_FOUR, top_k: int = 4, question: str = QUESTION.text) -> AppTest:
    return opened(q=question, k=str(top_k), **{"with": keys})


def html(app: AppTest) -> str:
    return "\n".join(block.value for block in app.get("html"))


def heads(app: AppTest) -> list[str]:
    return re.findall(r"hop-col-head.*?<b>(.*?)</b>", html(app))


def labels(app: AppTest, column: int) -> list[str]:
    return [b.label for b in app.button if (b.key or "").startswith(f"compare_hit_{column}_")]


def cards(app: AppTest) -> list[str]:
    return [block.value for block in app.get("html") if "hop-hit-head" in block.value]


@pytest.mark.usefixtures("tiny_home")
def test_without_a_question_the_page_offers_those_of_the_corpus() -> None:
    app = opened()
    assert app.button(key="question_chip_q1").label.startswith("In which town was the owner")
    assert not cards(app)
    app.button(key="question_chip_q1").click().run()
    assert app.text_input(key="compare_question").value == QUESTION.text
    assert heads(app) == ["BM25", "Dense", "Hybrid", "HopRAG, coverage"]


def test_columns_rank_what_their_retrievers_rank(tiny_index: Index) -> None:
    app = asked()
    assert heads(app) == ["BM25", "Dense", "Hybrid", "HopRAG, coverage"]
    for column in range(4):
        assert [label.split(".")[0].rstrip("\\") for label in labels(app, column)] == list("1234")
    titles = {p.title for p in tiny_index.passages if p.id != "sly"}
    assert set(re.findall(r"hop-hit-title' dir='auto'>([^<&]*)</div>", html(app))) <= titles


@pytest.mark.usefixtures("tiny_home")
def test_gold_is_marked_and_its_ranks_are_in_the_table() -> None:
    app = asked(top_k=6)
    gold = [card for card in cards(app) if "★" in card]
    assert {re.search(r"title' dir='auto'>(.*?)<", card)[1] for card in gold} == {  # type: ignore[index]
        "Mara Quist",
        "Port Selby",
    }
    table = next(block.value for block in app.get("html") if "In the first 6" in block.value)
    assert "Mara Quist" in table
    assert "Port Selby" in table
    assert "of 2</b>" in table


@pytest.mark.usefixtures("tiny_home")
def test_the_first_column_is_what_the_others_are_compared_with() -> None:
    app = asked("bm25,dense", top_k=6)
    first, other = cards(app)[: len(labels(app, 0))], cards(app)[len(labels(app, 0)) :]
    assert not any("hop-move" in card for card in first)
    assert other
    assert all("hop-move" in card or "only" in card for card in other)


@pytest.mark.usefixtures("tiny_home")
def test_the_overlap_of_a_retriever_with_all_passages_is_complete() -> None:
    app = asked("dense,hybrid", top_k=6)
    matrix = next(block.value for block in app.get("html") if "hop-matrix" in block.value)
    assert matrix.count(">6</td>") == 2


@pytest.mark.usefixtures("tiny_home")
def test_a_column_that_fails_shows_its_error_and_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: Dense, query: str) -> Iterator[Step]:
        raise InputError("The vectors are *gone*: build the index again.")
        yield

    monkeypatch.setattr(Dense, "retrieve", broken)
    app = asked("bm25,dense,hybrid")
    assert [error.value.replace("\\", "") for error in app.error] == [
        "The vectors are *gone*: build the index again."
    ]
    assert heads(app) == ["BM25", "Dense", "Hybrid"]
    assert len(labels(app, 0)) == len(labels(app, 2)) > 0
    assert not labels(app, 1)


@pytest.mark.usefixtures("tiny_home")
def test_an_error_of_ours_alone_is_shown_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Bm25, query: str) -> Iterator[Step]:
        raise RuntimeError("a mistake in the program")
        yield

    monkeypatch.setattr(Bm25, "retrieve", broken)
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, "q": "club", "with": "bm25,dense"}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/compare.py").run()
    assert app.exception


@pytest.mark.usefixtures("tiny_home")
def test_too_few_and_too_many_retrievers_are_refused_with_the_reason() -> None:
    app = asked()
    app.get("button_group")[0].set_value(["bm25"])
    submit(app)
    assert app.warning[0].value.startswith("Choose two to four retrievers to compare; 1 is chosen")
    assert not cards(app)


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"with": "bm25,telepathy"}, "no retriever 'telepathy'; choose among bm25"),
        ({"with": "bm25,dense(top_k"}, "'=' is missing where it ends"),
        ({"with": "bm25,dense(n_hop=2)"}, "dense has no setting 'n_hop'"),
        ({"k": "0"}, f"k='0'; it is a number from 1 to {MOST_TOP_K}"),
        ({"k": "many"}, "k='many'"),
    ],
)
def test_an_address_that_makes_no_sense_is_said(params: dict[str, str], named: str) -> None:
    app = opened(q="club", **params)
    assert named in app.warning[0].value.replace("\\", "")
    assert not cards(app)


@pytest.mark.usefixtures("tiny_home")
def test_a_question_in_another_script_is_answered_or_says_why() -> None:
    app = asked(question="谁拥有这家俱乐部？")
    assert heads(app)
    assert not app.error


@pytest.mark.usefixtures("tiny_home")
def test_titles_with_markup_stay_text() -> None:
    app = asked(top_k=6)
    assert "&lt;b&gt;Sly&lt;/b&gt;" in html(app)
    assert "<b>Sly" not in html(app)
    assert all("![" not in label for label in labels(app, 0))


@pytest.mark.usefixtures("tiny_home")
def test_a_passage_opens_and_can_be_marked_gold_by_hand() -> None:
    app = asked("bm25,dense", top_k=3, question="Who toured with the Low Tide Band?")
    assert "No passage is known to be gold" in html(app)
    app.button(key="compare_hit_0_1").click().run()
    assert "He toured with the Low Tide Band." in html(app)
    app.button(key="compare_passage_gold").click().run()
    assert "All find 1 of 1 gold passages in the first 3." in html(app)


@pytest.mark.usefixtures("tiny_home")
def test_the_command_line_asks_the_same() -> None:
    command = asked("bm25,dense", top_k=3).code[0].value
    assert command.count("python -m core ask") == 2
    assert "--retriever dense --top-k 3" in command


@pytest.mark.usefixtures("tiny_home")
def test_coming_back_by_the_menu_goes_on_where_the_page_was_left() -> None:
    app = asked("bm25,dense", top_k=3)
    app.switch_page("pages/explore.py").run()
    app.query_params.clear()
    app.switch_page("pages/compare.py").run()
    assert heads(app) == ["BM25", "Dense"]
    assert app.text_input(key="compare_question").value == QUESTION.text


@pytest.mark.usefixtures("tiny_home")
def test_one_retriever_stands_twice_with_other_settings() -> None:
    app = asked("hoprag-coverage,hoprag-coverage(n_hop=1,entry=node),bm25(top_k=50)", top_k=3)
    assert heads(app) == ["HopRAG, coverage", "HopRAG, coverage", "BM25"]
    assert "n_hop 1 · entry node" in html(app)
    assert len(set(re.findall(r"title='(HopRAG[^']*)'", html(app)))) == 2
    assert "--retriever 'hoprag-coverage(n_hop=1,entry=node)' --top-k 3" in app.code[0].value
    app.button(key="compare_trace_1").click().run()
    assert not app.exception
    retriever = app.query_params["retriever"]
    assert retriever in (
        ["hoprag-coverage(top_k=3,n_hop=1,entry=node)"],
        "hoprag-coverage(top_k=3,n_hop=1,entry=node)",
    )


@pytest.mark.usefixtures("tiny_home")
def test_one_more_is_added_with_its_settings() -> None:
    app = asked("bm25,dense")
    app.text_input(key="compare_another").set_value("hybrid-rrf(k0=5)")
    submit(app)
    assert heads(app) == ["BM25", "Dense", "Hybrid RRF"]
    assert app.text_input(key="compare_another").value == ""
    assert "RF · Hybrid RRF · k0 5" in app.get("button_group")[0].options
    app.text_input(key="compare_another").set_value("hybrid-rrf(k0=-5)")
    submit(app)
    assert "write a whole number of 0 or more" in app.warning[0].value.replace("\\", "")


def submit(app: AppTest) -> None:
    next(button for button in app.button if button.label == "Compare").click().run()
    assert not app.exception
