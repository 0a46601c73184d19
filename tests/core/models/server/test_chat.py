import json
import time
from typing import Any

import pytest

from core.errors import LlmError
from core.models.llm import Llm
from core.models.prompt import Prompt
from tests.llm import faults
from tests.llm.client import KEY, LEAVE, PROMPT, asked, good, said
from tests.llm.server import Answer, ChatServer, Request, completion, endpoint


def body(**message: Any) -> Answer:
    return Answer(raw=json.dumps(completion(Answer(), **message)))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (faults.refusal("I will not."), "I will not."),
        (body(content=None), ""),
        (body(content=["parts"]), ""),
        (body(content="end \ud83d"), "end ?"),
        (faults.half({"ok": True}), '{"ok"'),
        (Answer(f"The key is {KEY}."), "The key is [key]."),
    ],
)
def test_odd_messages_are_texts(answer: Answer, text: str) -> None:
    with ChatServer(lambda request: answer) as server:
        assert asked(server).startswith(text) if text else not asked(server)


@pytest.mark.parametrize(
    "answer",
    [
        faults.page(),
        Answer(raw="<html>", headers={"Content-Type": "application/json"}),
        *[Answer(raw=raw) for raw in ("", "null", "[]", "3", '"hi"', "{}", '{"choices": []}')],
        *[Answer(raw=raw) for raw in ('{"choices": [{}]}', '{"choices": [{"message": "hi"}]}')],
        Answer(raw="[" * 100_000),
        *[Answer(raw=raw) for raw in ("[" * 60 + "]" * 60, "1" * 5_000, "NaN")],
        Answer(raw=json.dumps(completion(Answer("yes"))).replace("100", "1" * 5_000)),
        Answer(raw=json.dumps(completion(Answer("yes"))).replace("100", "1e999")),
    ],
)
def test_what_is_no_reply_is_said(answer: Answer) -> None:
    with ChatServer(lambda request: answer) as server:
        assert "not a model reply" in said(server)


def test_an_error_in_place_of_a_reply_is_repeated() -> None:
    with ChatServer(lambda request: Answer(raw='{"error": {"message": "Out of luck."}}')) as server:
        assert said(server).endswith("Server message: Out of luck.")


@pytest.mark.parametrize("count", ["many", -1, 10**30, True, 1.5])
def test_tokens_that_are_no_numbers_count_as_none(count: object) -> None:
    odd = {**completion(Answer("yes")), "usage": {"prompt_tokens": count}}
    with ChatServer(lambda request: Answer(raw=json.dumps(odd))) as server:
        reply = Llm(endpoint(server)).complete(PROMPT, LEAVE)
        assert (reply.text, reply.tokens_in, reply.tokens_out) == ("yes", 0, 0)


def refusing(*words: str) -> Any:
    """A server that answers 400 to a request with any of `words` in it."""

    def answer(request: Request) -> Answer:
        found = [word for word in words if word in json.dumps(request.body)]
        return Answer(f"{found[0]} is not supported", status=400) if found else good(request)

    return answer


@pytest.mark.parametrize(
    ("words", "form", "calls"),
    [
        ((), "structured output", 1),
        (("temperature",), "structured output, at its own temperature", 2),
        (("json_schema",), "JSON mode", 2),
        (("response_format",), "plain text", 3),
    ],
)
def test_less_is_asked_for_and_that_is_remembered(
    words: tuple[str, ...], form: str, calls: int
) -> None:
    with ChatServer(refusing(*words)) as server:
        llm = Llm(endpoint(server))
        assert llm.complete(PROMPT, LEAVE).text == '{"ok": true}'
        assert llm.form == form
        assert len(server.requests) == calls
        llm.complete(PROMPT, LEAVE)
        assert len(server.requests) == calls + 1


def test_a_prompt_that_is_always_refused_teaches_nothing() -> None:
    with ChatServer(refusing("too long")) as server:
        llm = Llm(endpoint(server))
        with pytest.raises(LlmError, match="Server message: too long is not supported"):
            llm.complete(Prompt("test", "", "too long", {}), LEAVE)
        llm.complete(PROMPT, LEAVE)
        assert llm.form == "structured output"


@pytest.mark.parametrize("one", ['{"a":', "{", "[", 'No. {"a": "b"} '])
def test_a_reply_of_some_megabytes_is_refused_at_once(one: str) -> None:
    text = one * (2_800_000 // len(one))
    with ChatServer(lambda _: Answer(text, tokens=(100, 0))) as server:
        llm = Llm(endpoint(server, key=KEY))
        began = time.process_time()
        reply = llm.complete(PROMPT, LEAVE)
        assert time.process_time() - began < 1.5  # with the server's own time; it took ten
    assert reply.ending == "overlong"
    assert len(reply.text) <= 10_000
    assert reply.tokens_out > 500_000  # of all of it
    assert reply.estimated


def test_models_are_listed_in_order() -> None:
    with ChatServer(good, models=("b", "a")) as server:
        assert Llm(endpoint(server)).models() == ["a", "b"]


def test_models_are_named_without_what_steers_a_terminal() -> None:
    with ChatServer(good, models=(f"b\x1b[31m\n{KEY}",)) as server:
        assert Llm(endpoint(server, key=KEY)).models() == ["b[31m [key]"]


def test_a_reply_holds_nothing_that_steers_a_terminal() -> None:
    with ChatServer(lambda request: Answer('{"a": "\x1b[2J\\u001b[31m"}')) as server:
        assert asked(server) == '{"a": "[2J [31m"}'


@pytest.mark.parametrize(
    "answer",
    [faults.page(), Answer(raw="[]"), Answer(raw='{"data": ["a"]}')],
)
def test_a_list_that_is_none_is_said(answer: Answer) -> None:
    with (
        ChatServer(good, models=answer) as server,
        pytest.raises(LlmError, match="not a model reply"),
    ):
        Llm(endpoint(server)).models()
