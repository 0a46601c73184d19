import json
from dataclasses import replace

import pytest

from core.errors import LlmError, RequestRefused
from core.models.llm import Llm
from core.models.prompt import Prompt
from tests.llm import faults
from tests.llm.client import LEAVE, PROMPT, good
from tests.llm.server import Answer, ChatServer, Request, endpoint

BAD = Prompt("test", "", "BAD", {})


def turning_down(refusal: Answer) -> "ChatServer":
    """A server that turns down what is bad, and nothing else."""
    return ChatServer(lambda request: refusal if request.user == "BAD" else good(request))


def test_the_request_carries_the_largest_reply() -> None:
    with ChatServer(good) as server:
        Llm(replace(endpoint(server), thinking=500)).complete(
            Prompt("test", "", "", {}, longest=300), LEAVE
        )
        body = server.requests[0].body
        assert body["max_completion_tokens"] == 800
        assert "max_tokens" not in body


def test_a_server_that_knows_no_such_field_gets_the_older_one() -> None:
    def answer(request: Request) -> Answer:
        if "max_completion_tokens" in request.body:
            return faults.refused("Unknown.", param="max_completion_tokens")
        return good(request)

    with ChatServer(answer) as server:
        llm = Llm(endpoint(server))
        llm.complete(PROMPT, LEAVE)
        llm.complete(PROMPT, LEAVE)
        assert len(server.requests) == 3
        assert server.requests[2].body["max_tokens"] == PROMPT.longest + 2_000
        assert "response_format" in server.requests[2].body


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (faults.refused("No.", code="content_filter"), "A filter"),
        (faults.refused("It goes against Azure's content management policy."), "A filter"),
        (faults.refused("Blocked by safety settings.", 422), "A filter"),
        (
            faults.refused("This model's maximum context length is 4096 tokens."),
            "longer than the language model reads",
        ),
        (faults.refused("No.", code="context_length_exceeded"), "longer than the language"),
        (faults.refused("request (9000 tokens) exceeds the available context size"), "longer"),
        (Answer("Too large.", status=413), "longer than the language model reads"),
        (faults.refused("max_tokens must be at most 100"), "HOPRAG_LLM_THINKING lower"),
        (Answer("Something.", status=400), "turns this request down"),
        (Answer("", status=400), "turns this request down"),
        (Answer(raw="<html>", status=400), "turns this request down"),
        (Answer(raw="[" * 100_000, status=400), "turns this request down"),
        (Answer(raw='{"error": ' + "1" * 5_000 + "}", status=400), "turns this request down"),
    ],
)
def test_a_request_that_is_turned_down_is_named_and_teaches_nothing(
    refusal: Answer, words: str
) -> None:
    with turning_down(refusal) as server:
        llm = Llm(endpoint(server))
        with pytest.raises(RequestRefused, match=words) as caught:
            llm.complete(BAD, LEAVE)
        assert caught.value.billed == 0
        assert len(server.requests) == 1
        llm.complete(PROMPT, LEAVE)
        assert llm.form == "structured output"


def test_what_a_server_repeats_of_a_request_teaches_nothing() -> None:
    detail = [{"loc": ["body", "messages"], "msg": "Bad.", "input": "json schema temperature"}]
    refusal = Answer(raw=json.dumps({"detail": detail}), status=422)
    with turning_down(refusal) as server, pytest.raises(RequestRefused):
        Llm(endpoint(server)).complete(BAD, LEAVE)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("detail", "calls"),
    [
        ({"detail": [{"loc": ["body", "response_format"], "msg": "extra fields"}]}, 3),
        ({"error": {"message": "Bad.", "param": "temperature"}}, 2),
        ({"message": "Invalid value of 'json_schema'"}, 2),
    ],
)
def test_a_refusal_that_names_a_part_of_the_form_is_understood(detail: object, calls: int) -> None:
    named = ("response_format", "temperature", "json_schema")
    word = next(word for word in named if word in str(detail))

    def answer(request: Request) -> Answer:
        refused = Answer(raw=json.dumps(detail), status=422)
        return refused if word in str(request.body) else good(request)

    with ChatServer(answer) as server:
        Llm(endpoint(server)).complete(PROMPT, LEAVE)
        assert len(server.requests) == calls


def test_further_fields_are_sent() -> None:
    with ChatServer(good) as server:
        asked = replace(endpoint(server), extra='{"reasoning_effort": "low", "temperature": 1}')
        Llm(asked).complete(PROMPT, LEAVE)
        assert server.requests[0].body["reasoning_effort"] == "low"
        assert server.requests[0].body["temperature"] == 1


def test_a_further_field_that_is_refused_is_said_and_not_dropped() -> None:
    with ChatServer(lambda request: faults.refused("Unknown: reasoning_effort")) as server:
        llm = Llm(replace(endpoint(server), extra='{"reasoning_effort": "low"}'))
        with pytest.raises(LlmError, match="no 'reasoning_effort'") as said:
            llm.complete(PROMPT, LEAVE)
        assert "Correct HOPRAG_LLM_EXTRA" in str(said.value)
        assert not isinstance(said.value, RequestRefused)
        assert len(server.requests) == 1
