import json
from dataclasses import replace
from typing import Any

import pytest

from core.errors import LlmError, RequestRefused
from core.models.llm import Llm
from core.models.prompt import Prompt
from core.models.server.forms import RETEST, Form, Forms
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import LEAVE, PROMPT, good
from tests.llm.server import Answer, ChatServer, Request, endpoint

# As vLLM, OpenAI, Anthropic and TGI say it.
NO_ROOM = [
    "'max_tokens' or 'max_completion_tokens' is too large: 3500. This model's maximum context "
    "length is 4096 tokens and your request has 900 input tokens (3500 > 4096 - 900).",
    "This model's maximum context length is 4,096 tokens. However, you requested 5,000 tokens "
    "(3,000 in the messages, 2,000 in the completion).",
    "This model's maximum context length is 4096 tokens. However, you requested 3500 output tokens "
    "and your prompt contains at least 900 input tokens, for a total of at least 4400 tokens.",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input "
    "length or `max_tokens` and try again",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 "
    "`max_new_tokens`",
    "max_tokens is too large for the context window",
]
TOO_LONG = [
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
    "(4500 in the messages, 500 in the completion).",
    "max_tokens must be at least 1, got -500. The maximum context length is 4096.",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000 `inputs` tokens and 20 "
    "`max_new_tokens`",
    "Range of input length should be [1, 30720]",
]

BAD = Prompt("test", "", "BAD", {"type": "object"})


def turning_down(refusal: Answer) -> "ChatServer":
    """A server that turns down what is bad, and nothing else."""
    return ChatServer(lambda request: refusal if request.user == "BAD" else good(request))


def test_the_request_carries_the_largest_reply() -> None:
    with ChatServer(good) as server:
        Llm(replace(endpoint(server), thinking=500)).complete(
            Prompt("test", "", "", {}, longest=300), LEAVE
        )
        body = server.requests[0].body
        assert body["max_tokens"] == 800
        assert "max_completion_tokens" not in body


INSTEAD = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."


@pytest.mark.parametrize(
    "refusal",
    [
        faults.refused(INSTEAD, param="max_tokens", code="unsupported_parameter"),
        faults.refused("Unknown.", param="max_tokens"),
        Answer(
            raw='{"detail": [{"loc": ["body", "max_tokens"], "msg": "extra field"}]}',
            status=422,
        ),
    ],
)
def test_a_server_that_refuses_the_field_of_the_limit_gets_the_other_one(refusal: Answer) -> None:
    with ChatServer(lambda r: refusal if "max_tokens" in r.body else good(r)) as server:
        Llm(endpoint(server)).complete(PROMPT, LEAVE)
        Llm(endpoint(server)).complete(PROMPT, LEAVE)  # another client of the same server
        assert len(server.requests) == 3
        assert server.requests[2].body["max_completion_tokens"] == PROMPT.longest + 2_000
        assert "response_format" in server.requests[2].body


def test_a_server_that_refuses_both_fields_is_asked_twice() -> None:
    def answer(request: Request) -> Answer:
        field = "max_tokens" if "max_tokens" in request.body else "max_completion_tokens"
        return faults.refused(f"Unknown parameter: {field}")

    with ChatServer(answer) as server, pytest.raises(LlmError):
        Llm(endpoint(server)).complete(PROMPT, LEAVE)
    assert len(server.requests) == 2


LIST = {"type": "array", "items": {"type": "string"}, "maxItems": 3}
OTHER = Prompt(
    "other", "Answer.", "{}", {"type": "object", "properties": {"a": LIST}, "required": ["a"]}
)


def sent(request: Request) -> Any:
    """The schema of a request, or its kind of format, or nothing."""
    asked = request.body.get("response_format", {})
    return asked.get("json_schema", {}).get("schema") or asked.get("type")


def test_a_weaker_form_is_learnt_of_one_schema_alone() -> None:
    def answer(request: Request) -> Answer:
        named = request.body.get("response_format", {}).get("json_schema", {}).get("name")
        return faults.refused("Invalid response_format.") if named == "other" else good(request)

    with ChatServer(answer) as server:
        llm = Llm(endpoint(server))
        for prompt in (OTHER, PROMPT, OTHER):
            llm.complete(prompt, LEAVE)
        assert [sent(request) for request in server.requests[2:]] == [
            "json_object",
            PROMPT.schema,
            "json_object",
        ]


def test_a_server_that_takes_no_bounds_gets_the_schema_without_them() -> None:
    def answer(request: Request) -> Answer:
        bounded = "maxItems" in json.dumps(request.body)
        return faults.refused("In json_schema: maxItems.") if bounded else good(request)

    with ChatServer(answer) as server:
        llm = Llm(endpoint(server))
        llm.complete(OTHER, LEAVE)
        assert llm.form == "structured output"
        assert len(server.requests) == 2
        assert sent(server.requests[1])["properties"] == {
            "a": {"type": "array", "items": {"type": "string"}}
        }


def test_what_was_learnt_is_forgotten_after_a_while_and_less_often_each_time() -> None:
    now = 0.0
    forms = Forms(Endpoint("m", "http://127.0.0.1:1/v1"), lambda: now)
    assert forms.best_form(OTHER).reply == "schema"
    forms.record_success(OTHER, Form(reply="object", cold=False))
    assert (forms.best_form(OTHER).reply, forms.best_form(OTHER).cold) == ("object", False)
    assert forms.best_form(PROMPT).reply == "schema"
    now = RETEST
    assert (forms.best_form(OTHER).reply, forms.best_form(OTHER).cold) == ("schema", True)
    forms.record_success(
        OTHER, Form(reply="object")
    )  # it was refused again; the temperature was not
    now = 2 * RETEST
    assert (forms.best_form(OTHER).reply, forms.best_form(OTHER).cold) == ("object", True)
    now = 3 * RETEST
    assert forms.best_form(OTHER).reply == "schema"
    forms.record_success(OTHER, Form())
    forms.record_success(OTHER, Form(reply="text"))
    now = 4 * RETEST
    assert forms.best_form(OTHER).reply == "schema"  # what worked meanwhile begins anew


@pytest.mark.parametrize(
    "message",
    [
        "We could not parse the JSON body of your request.",
        "Invalid JSON in messages[1].content",
        "The format of the message is wrong.",
    ],
)
def test_a_refusal_that_merely_mentions_json_teaches_nothing(message: str) -> None:
    with turning_down(faults.refused(message)) as server:
        llm = Llm(endpoint(server))
        with pytest.raises(RequestRefused):
            llm.complete(BAD, LEAVE)
        assert len(server.requests) == 1
        llm.complete(PROMPT, LEAVE)
        assert llm.form == "structured output"


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (faults.refused("No.", code="content_filter"), "A content filter"),
        (faults.refused("It goes against Azure's content management policy."), "A content filter"),
        (faults.refused("Blocked by safety settings.", 422), "A content filter"),
        (
            faults.refused("This model's maximum context length is 4096 tokens."),
            "longer than the language model's context",
        ),
        (faults.refused("No.", code="context_length_exceeded"), "longer than the language"),
        (faults.refused("request (9000 tokens) exceeds the available context size"), "longer"),
        (Answer("Too large.", status=413), "longer than the language model's context"),
        (faults.refused("max_tokens must be at most 100"), "replies of that length"),
        *[(faults.refused(said), "does not fit into the model's context") for said in NO_ROOM],
        *[(faults.refused(said), "longer than the language model's context") for said in TOO_LONG],
        (Answer("Something.", status=400), "rejected this request"),
        (Answer("", status=400), "rejected this request"),
        (Answer(raw="<html>", status=400), "rejected this request"),
        (Answer(raw="[" * 100_000, status=400), "rejected this request"),
        (Answer(raw='{"error": ' + "1" * 5_000 + "}", status=400), "rejected this request"),
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
        ({"error": "Failed to parse grammar of the json_schema"}, 2),
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
        with pytest.raises(LlmError, match="not accept 'reasoning_effort'") as said:
            llm.complete(PROMPT, LEAVE)
        assert "Correct HOPRAG_LLM_EXTRA" in str(said.value)
        assert not isinstance(said.value, RequestRefused)
        assert len(server.requests) == 1


def test_the_remedy_for_a_reply_without_room_is_less_thinking_or_a_larger_context() -> None:
    with turning_down(faults.refused(NO_ROOM[0])) as server:
        with pytest.raises(RequestRefused, match=r"THINKING lower \(it is 2,000 tokens\), or give"):
            Llm(endpoint(server)).complete(BAD, LEAVE)
        with pytest.raises(RequestRefused, match=r"request\. Give the model a larger context"):
            Llm(replace(endpoint(server), thinking=0)).complete(BAD, LEAVE)
