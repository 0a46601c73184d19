"""Choosing a retriever and its settings: widgets made from what it declares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.base import in_order
from core.artefacts.workbench import Workbench
from core.retrievers import CARDS, Spec, make, registry
from core.retrievers.base import TOP_K, Card
from core.retrievers.settings import Setting
from core.steps import Step
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, opened, words


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A setting of every kind."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = 20
    over: Annotated[Spec, Setting("what is asked")] = Spec("dense")
    share: Annotated[float, Setting("any", least=0)] = 0.5
    keep: Annotated[bool, Setting("whether")] = False
    name: Annotated[str, Setting("a <b>text</b>")] = ""
    by: Annotated[Literal["score", "rank"], Setting("what counts")] = "score"

    card = Card(
        key="bm25",
        title="Wrapper",
        badge="WR",
        family="rerank",
        summary="For a test.",
        paper="none",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from make(self.over, self.workbench).retrieve(query)


@pytest.fixture
def wrapper(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, type[Any]]:
    """A wrapper, in the place of a retriever that has a page of text."""
    found = MappingProxyType({**registry.classes(), "bm25": Wrapper})
    monkeypatch.setattr(registry, "classes", lambda: found)
    return found


def traced(retriever: str) -> AppTest:
    return opened("trace", index=TINY, q=QUESTION.text, retriever=retriever)


def word(app: AppTest) -> str:
    return app.text_input(key="ask_word").value


def retriever(app: AppTest) -> str:
    value = app.query_params["retriever"]
    return value[0] if isinstance(value, list) else value


@pytest.mark.usefixtures("tiny_home")
def test_every_retriever_is_offered_and_asked() -> None:
    app = traced("hoprag-coverage(top_k=3)")
    for key in (key for key in CARDS if not Spec(key).needs_model):
        before = retriever(app)
        app.selectbox(key="ask_retriever_0").set_value(key).run()
        assert word(checked(app)) == f"{key}(top_k=3)"
        waits = any(one.stored for one in in_order(Spec(key).needs))
        if waits or Spec(key).asks_model:  # it is no film of that one yet, and says so
            assert retriever(app) == before
            assert any("Press Ask" in block.value for block in app.get("html"))
            app.button(key="ask_submit").click().run()
        assert retriever(checked(app)) == f"{key}(top_k=3)"
        assert waits or CARDS[key].title in words(app)


@pytest.mark.usefixtures("tiny_home")
def test_settings_are_those_of_the_retriever_that_is_chosen() -> None:
    app = traced("hoprag-similarity")
    app.number_input(key="ask_set_n_hop").set_value(2).run()
    assert word(app) == "hoprag-similarity(n_hop=2)"
    assert retriever(app) == "hoprag-similarity"  # the shown run stays
    app.number_input(key="ask_set_top_k").set_value(3).run()
    app.button(key="ask_apply").click().run()
    assert retriever(checked(app)) == "hoprag-similarity(top_k=3,n_hop=2)"
    assert app.button(key="ask_apply").disabled
    app.selectbox(key="ask_retriever_0").set_value("hybrid-rrf").run()
    assert word(checked(app)) == "hybrid-rrf(top_k=3)"
    assert retriever(app) == "hybrid-rrf(top_k=3)"  # a retriever that is free is run at once
    assert [one.key for one in app.number_input] == ["ask_set_top_k", "ask_set_k0"]


@pytest.mark.usefixtures("tiny_home")
def test_a_question_that_is_being_typed_stays() -> None:
    app = traced("bm25")
    assert app.text_input(key="ask_question").proto.set_value
    app.number_input(key="ask_set_top_k").set_value(2).run()
    assert not app.text_input(key="ask_question").proto.set_value  # the browser keeps its own
    app.text_input(key="ask_question").set_value("Who married Ilo Venn?")
    app.button(key="ask_submit").click().run()
    assert retriever(app) == "bm25(top_k=2)"
    assert "Who married Ilo Venn?" in app.query_params["q"]


@pytest.mark.usefixtures("tiny_home")
def test_the_word_sets_all_at_once_or_says_what_is_wrong() -> None:
    app = traced("bm25")
    app.text_input(key="ask_word").set_value("hoprag-coverage(n_hop=9)").run()
    assert "Use a whole number from 1 to 8" in checked(app).error[0].value.replace("\\", "")
    assert word(app) == "hoprag-coverage(n_hop=9)"
    assert app.selectbox(key="ask_retriever_0").value == "bm25"
    app.text_input(key="ask_word").set_value("hoprag-coverage(entry=node,n_hop=1)").run()
    assert not checked(app).error
    assert word(app) == "hoprag-coverage(n_hop=1,entry=node)"
    app.button(key="ask_submit").click().run()
    assert retriever(app) == "hoprag-coverage(n_hop=1,entry=node)"


@pytest.mark.usefixtures("tiny_home", "wrapper")
def test_each_kind_of_setting_has_its_widget() -> None:
    app = traced("bm25(over=hybrid-rrf(k0=5))")
    over = app.selectbox(key="ask_set_over")
    assert over.value == "hybrid-rrf(k0=5)"
    assert {"dense", "hoprag-coverage"} < set(over.options)
    assert "hoprag-llm" not in over.options
    over.set_value("hybrid").run()
    app.number_input(key="ask_set_share").set_value(2.0).run()
    app.toggle(key="ask_set_keep").set_value(True).run()
    app.text_input(key="ask_set_name").set_value("a, (b)").run()
    assert word(checked(app)) == 'bm25(over=hybrid,share=2,keep=true,name="a, (b)")'
    app.button(key="ask_submit").click().run()
    assert retriever(checked(app)) == 'bm25(over=hybrid,share=2,keep=true,name="a, (b)")'
