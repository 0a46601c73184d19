"""With a model: what it will be asked is said first, a click asks it, the trace shows it."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.retrievers import CARDS, Spec
from pages.components.ask.model_setup import without_model
from pages.components.ask.retriever_names import listed
from pages.components.methods.cards import card_facts
from tests.llm import faults
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, last_words, opened, raw, walkthrough, words

KEY = "sk-secret-of-the-test"


class Model:
    """A server whose script can be changed on the way."""

    def __init__(self) -> None:
        self.script = choose

    def __call__(self, request: Request) -> Answer:
        return self.script(request)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(tiny_home: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(model, monkeypatch, HOPRAG_LLM_KEY=KEY) as server:
        yield server


def traced(**params: str) -> AppTest:
    wanted = {"index": TINY, "q": QUESTION.text, "chooser": "llm", "entry": "edge", **params}
    return opened("trace", **wanted)


def everything(app: AppTest) -> str:
    """All that the page shows, as it is sent."""
    return unescape(" ".join(str(element.proto) for element in app.main))


def footer(app: AppTest) -> str:
    """What the walkthrough says that it cost."""
    return str(walkthrough(app)["footer"])


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_nothing_is_asked_before_a_click_and_the_number_of_calls_is_said(
    server: ChatServer,
) -> None:
    app = traced()
    assert server.requests == []
    told = re.search(r"scripted: about (\d+) calls? \(at most (\d+)\), ", captions(app))
    assert told
    app.button(key="trace_ask_model").click().run()
    assert int(told[1]) <= len(server.requests) <= int(told[2])
    made = walkthrough(checked(app))
    assert f"{len(server.requests)} calls, {120 * len(server.requests):,} tokens" in footer(app)
    assert footer(app) in words(app)
    assert "4 passages are retrieved" in last_words(app)
    assert made["title"] == "HopRAG (model)"


def test_what_is_kept_is_shown_at_once(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    made = len(server.requests)
    again = traced(n_hop="2")
    assert "trace_ask_model" not in [button.key for button in again.button]
    assert re.search(r"no call, \d+ (reply|replies) from the cache", footer(again))
    assert len(server.requests) == made
    more = traced(q="Who married Ilo Venn?")
    assert "scripted: about" in captions(more)
    assert len(server.requests) == made


def test_the_film_has_what_was_asked_and_replied(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    request = next(r for r in server.requests if r.data["passage"]["title"] == "Mara Quist")
    at_place = next(one for one in walkthrough(app)["exchanges"] if "Mara Quist" in one["title"])
    assert at_place["title"].startswith("Model call at Mara Quist (Hop 1")
    assert "100 tokens in, 20 out" in at_place["note"]
    assert at_place["system"] == request.system
    assert at_place["user"] == request.user
    assert at_place["replies"] == [choose(request).text]


def test_a_hostile_reply_stays_text(server: ChatServer, model: Model) -> None:
    model.script = lambda _: faults.changed(
        {"reason": "<b>bold</b> :red[x]", "verdict": "irrelevant", "follow": None}
    )
    app = traced()
    app.button(key="trace_ask_model").click().run()
    told = [stop["notes"] for stop in walkthrough(checked(app))["stops"]]
    assert "<b>bold</b> :red[x]" in str(told)
    assert "<b>bold</b>" not in " ".join(raw(app))


def test_a_model_that_cannot_be_asked_is_said_and_asked_again_on_a_click(
    server: ChatServer, model: Model
) -> None:
    model.script = lambda _: Answer("no", status=401)
    app = traced()
    app.button(key="trace_ask_model").click().run()
    said = app.error[0].value.replace("\\", "")
    assert re.search(r"The model's reply was used in 0 of \d+ steps?\.", said)
    assert "rejected the key" in said
    assert "decided 0 of" in footer(checked(app))
    model.script = choose
    app.button(key="trace_again").click().run()
    assert not checked(app).error
    assert "trace_again" not in [button.key for button in app.button]
    decided = re.search(r"decided (\d+) of (\d+) choices", footer(app))
    assert decided
    assert decided[1] == decided[2]


def test_neither_key_nor_address_is_shown(server: ChatServer) -> None:
    app = traced()
    app.button(key="trace_ask_model").click().run()
    shown = everything(checked(app))
    assert KEY not in shown
    assert server.url.split("/")[2] not in shown


def test_a_comparison_waits_for_a_click_too(server: ChatServer) -> None:
    app = opened("compare", index=TINY, q=QUESTION.text, **{"with": "hoprag-similarity,hoprag-llm"})
    assert server.requests == []
    assert "scripted: about" in captions(app)
    assert "HopRAG (model)" in words(app)
    wanted = "compare_hoprag-llm_ask_model"
    app.button(key=wanted).click().run()
    assert server.requests
    assert wanted not in [button.key for button in checked(app).button]
    app.button(key="compare_trace_1").click().run()
    assert walkthrough(checked(app))["title"] == "HopRAG (model)"


@pytest.mark.usefixtures("tiny_home")
def test_without_a_model_the_pages_say_how_to_get_it() -> None:
    said = without_model()
    marks = Counter(card_facts(Spec(key))[1] for key in CARDS)
    assert said == (
        "HopRAG (model) and Zero-shot need a language model. "
        f"{marks['model optional']} other retrievers can use one; without one, they use rules."
    )
    assert marks["needs a model"] == 2
    assert said in captions(opened("settings"))
    assert listed("kgp", with_model=False).endswith(", by rules without a model)")
    assert "rules" not in listed("kgp")
    traced = opened("trace", index=TINY, q=QUESTION.text)
    assert said in captions(traced)
    assert traced.button(key="ask_model_settings").label == "Open Settings"
    by_rules = opened("compare", index=TINY, q=QUESTION.text, **{"with": "bm25,ircot"})
    assert "Rules replaced the language model in this result: IRCoT." in captions(by_rules)
    assert by_rules.button(key="compare_model_settings").label == "Open Settings"
    assert said in captions(opened("compare", index=TINY, q=QUESTION.text))
    for app in (
        opened("trace", index=TINY, q=QUESTION.text, chooser="llm"),
        opened("compare", index=TINY, q=QUESTION.text, **{"with": "bm25,hoprag-llm"}),
    ):
        assert "set HOPRAG_LLM to its name" in app.error[0].value.replace("\\", "")
