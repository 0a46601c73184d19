"""The answer below a ranking: by the scripted model, or the evidence without one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import settings
from tests.llm import faults
from tests.llm.configured import configured
from tests.llm.replies import answered
from tests.llm.server import Answer, ChatServer, Request
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, opened, raw, words

KEY = "sk-only-for-this-test"


def correct(request: Request) -> Answer:
    return Answer(json.dumps(answered(request.data)))


@pytest.fixture
def model(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A model that is configured and answers as it should."""
    with configured(correct, monkeypatch, HOPRAG_LLM_KEY=KEY) as server:
        yield server


def trace(**params: str) -> AppTest:
    return opened("trace", **{"index": "tiny", "q": QUESTION.text, **params})


def ask(app: AppTest) -> AppTest:
    return checked(app.button(key="answer_button").click().run())


def captions(app: AppTest) -> str:
    return " ".join(each.value.replace("\\", "") for each in app.caption)


def expanders(app: AppTest) -> list[str]:
    return [each.label for each in app.expander]


def replying(reply: dict[str, Any]) -> Answer:
    return Answer(json.dumps(reply))


def test_without_a_model_the_evidence_is_there_at_once(tiny_home: Path) -> None:
    app = trace()
    shown = words(app)
    assert "Evidence, not an answer" in shown
    assert "Harbour Rovers is a football club." in shown
    assert "<mark>Harbour</mark> <mark>Rovers</mark>" in " ".join(raw(app))
    assert "see Settings" in captions(app)
    with pytest.raises(KeyError):
        app.button(key="answer_button")


def test_evidence_opens_its_passage(tiny_home: Path) -> None:
    app = checked(trace().button(key="evidence_open_0").click().run())
    assert "Harbour Rovers is a football club. It was bought by Mara Quist" in words(app)


def test_nothing_is_asked_without_a_click(model: ChatServer) -> None:
    app = trace()
    assert model.requests == []
    assert "scripted: about 1 call (at most 2), " in captions(app)
    assert ", free of charge if the server is your own. The reply is cached." in captions(app)
    assert "Evidence, not an answer" not in words(app)
    ask(app)
    assert len(model.requests) == 1


def test_the_answer_with_its_citations(model: ChatServer) -> None:
    app = ask(trace())
    shown = words(app)
    assert "Port Selby Harbour Rovers names Mara Quist." in shown
    assert "From all 6 passages." in captions(app)
    assert any("100 tokens in, 20 out" in label.replace("\\", "") for label in expanders(app))
    assert json.dumps(answered(model.requests[0].data)) in [each.value for each in app.code]
    cited = [b.label for b in app.button if b.key.startswith("answer_cited_")]
    assert [label.split(" ", 1)[1] for label in cited] == ["Harbour Rovers", "Mara Quist"]
    chip = next(b for b in app.button if "Mara Quist" in b.label and "cited" in b.key)
    app = checked(chip.click().run())
    assert "She was born in Port Selby. She married Ilo Venn." in words(app)


def test_what_is_kept_costs_no_call(model: ChatServer) -> None:
    ask(trace())
    app = trace()
    assert "scripted: cached reply, no call." in captions(app)
    app = ask(app)
    assert "Port Selby" in words(app)
    assert any("cached reply, no call" in label for label in expanders(app))
    assert len(model.requests) == 1


def test_another_ranking_has_not_been_answered(model: ChatServer) -> None:
    app = ask(trace())
    app.query_params["retriever"] = "hoprag-coverage(top_k=2)"
    app = checked(app.run())
    assert "about 1 call (at most 2)" in captions(app)
    assert len(model.requests) == 1


def test_citations_that_are_dropped_are_told(model: ChatServer) -> None:
    reply = {"reasoning": "x", "found": True, "answer": "Port Selby", "citations": ["p9", "singer"]}
    model.answer = lambda _: replying(reply)
    told = captions(ask(trace(top_k="1")))
    assert "Ignored citations of passages it did not receive: singer." in told
    assert "Ignored citations of unknown passages: p9." in told
    assert "The answer cites none of the passages, so it is unsupported." in told


def test_passages_without_the_answer(model: ChatServer) -> None:
    model.answer = lambda _: replying(
        {"reasoning": "None tells.", "citations": [], "found": False, "answer": ""}
    )
    assert "These passages do not contain the answer. None tells." in words(ask(trace()))


@pytest.mark.parametrize("fault", [faults.refusal(), Answer("x", status=401), faults.page()])
def test_a_model_that_fails_leaves_the_evidence(model: ChatServer, fault: Answer) -> None:
    model.answer = lambda _: fault
    app = ask(trace())
    assert "The model gave no answer. " in app.warning[0].value.replace("\\", "")
    assert "Evidence, not an answer" in words(app)
    everything = str([each.proto for each in app.main])
    assert KEY not in everything
    assert model.url not in everything
    assert app.button(key="answer_button")


def test_after_a_failure_it_can_be_asked_again(model: ChatServer) -> None:
    model.answer = lambda _: Answer("x", status=401)
    app = ask(trace())
    model.answer = correct
    app = ask(app)
    assert not app.warning
    assert "Port Selby Harbour Rovers names Mara Quist." in words(app)


def test_what_a_model_says_is_text(model: ChatServer) -> None:
    model.answer = lambda _: replying(
        {
            "reasoning": "<script>alert(1)</script>",
            "citations": ["sly", "**x** <b>"],
            "found": True,
            "answer": "<img src=x onerror=alert(1)>",
        }
    )
    app = ask(trace())
    html = " ".join(raw(app))
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "<img" not in html
    label = next(b.label for b in app.button if b.key.startswith("answer_cited_"))
    assert "\\<b\\>Sly" in label
    assert "\\*\\*x\\*\\* \\<b\\>" in " ".join(each.value for each in app.caption)


def test_prices_that_cannot_be_read_are_told(
    model: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_PRICES", str(tmp_path / "none.toml"))
    settings.cache_clear()
    assert "cannot be read" in " ".join(each.value for each in trace().error)


def test_the_reader_is_another_model_and_gets_what_the_retriever_found_out(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_READER", "reader")
    settings.cache_clear()

    def script(request: Request) -> Answer:
        if "passages" in request.data:
            return correct(request)
        if "most" in request.data:
            return replying({"questions": [QUESTION.text]})
        known = {"memory": "The <b>club</b> is old.", "answers": [""], "enough": True}
        return replying({**known, "next": None})

    model.answer = script
    app = trace(retriever="logicrag(over=bm25)")
    (button,) = [one for one in app.button if str(one.key).endswith("_ask_model")]
    app = checked(button.click().run())
    assert "Findings of the retriever" in expanders(app)
    assert "Memory: The &lt;b&gt;club&lt;/b&gt; is old." in " ".join(raw(app))
    assert "reader: about 1 call" in captions(app)
    app = ask(app)
    assert "The model also received one finding from the retriever." in captions(app)
    request = model.requests[-1]
    assert request.body["model"] == "reader"
    assert request.data["findings"] == ["Memory: The <b>club</b> is old."]
    assert {one.body["model"] for one in model.requests[:-1]} == {"scripted"}
