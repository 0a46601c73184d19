import json
import re
from dataclasses import replace

import pytest

from core.models.diagnose import diagnose
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

KEY = "sk-1234567890"
SUM = {"sum": 42}


def added(request: Request) -> Answer:
    first, second = (int(word) for word in request.user.split(" and "))
    return Answer(json.dumps({"sum": first + second}))


def line(
    server: ChatServer, *, works: bool = False, model: str = "scripted", time_limit: float = 10
) -> str:
    found = diagnose(endpoint(server, model, KEY), LEAVE, time_limit=time_limit)
    assert found.works == works, found.line
    assert KEY not in found.line
    assert server.url not in found.line
    assert "\n" not in found.line
    return found.line


def test_what_works_is_said_with_one_call() -> None:
    with ChatServer(added) as server:
        said = r"scripted works: \d+\.\d s per reply, structured output\. .* it replied 42\."
        assert re.fullmatch(said, line(server, works=True))
        assert len(server.requests) == 1


def test_a_server_that_has_another_model_than_it_was_asked_for_is_told() -> None:
    body = {"model": f"cheap {KEY}\n", "choices": [{"message": {"content": '{"sum": 42}'}}]}
    with ChatServer(lambda request: Answer("", raw=json.dumps(body).encode())) as server:
        assert "reports the model as 'cheap [key]'" in line(server, works=True)


@pytest.mark.parametrize("host", ["169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]"])
def test_where_a_machine_hands_out_its_own_keys_nothing_is_asked(host: str) -> None:
    found = diagnose(Endpoint("m", f"http://{host}/v1", KEY), LEAVE, time_limit=5)
    assert "link-local address" in found.line


def test_a_guarded_server_is_a_public_one() -> None:
    with ChatServer(added) as server:
        guarded = replace(endpoint(server, key=KEY), guarded=True)
        assert "private network" in diagnose(guarded, LEAVE).line
        assert server.requests == []


@pytest.mark.parametrize("answer", [faults.with_prose(SUM), faults.other_language(SUM)])
def test_prose_round_the_json_works(answer: Answer) -> None:
    with ChatServer(lambda request: answer) as server:
        line(server, works=True)


def test_a_model_without_structured_output_works() -> None:
    def answer(request: Request) -> Answer:
        unknown = "response_format" in request.body
        return Answer("Unknown field response_format", status=400) if unknown else added(request)

    with ChatServer(answer) as server:
        assert "plain text." in line(server, works=True)


def test_a_model_that_adds_wrongly_is_told_apart() -> None:
    with ChatServer(lambda request: Answer('{"sum": 5}')) as server:
        assert "The sum is wrong" in line(server, works=True)


@pytest.mark.parametrize(
    "answer",
    [Answer("It is 42."), faults.wrong_types(SUM), faults.refusal(), Answer("")],
)
def test_a_model_that_cannot_return_json_is_said(answer: Answer) -> None:
    with ChatServer(lambda request: answer) as server:
        assert "but not in the requested JSON" in line(server)


@pytest.mark.parametrize("answer", [faults.half(SUM), faults.thought()])
def test_a_reply_that_has_no_room_is_said(answer: Answer) -> None:
    with ChatServer(lambda request: answer) as server:
        assert "HOPRAG_LLM_THINKING higher" in line(server)


def test_a_setting_that_cannot_be_used_is_said() -> None:
    found = diagnose(Endpoint("m", unusable="HOPRAG_LLM_TRIES is no number."), LEAVE)
    assert (found.works, found.line) == (False, "HOPRAG_LLM_TRIES is no number.")


def test_a_model_that_is_not_there_is_said_with_those_that_are() -> None:
    def answer(request: Request) -> Answer:
        return Answer("No such model.", status=404)

    models = [f"model-{number}" for number in range(7)]
    with ChatServer(answer, models=models) as server:
        assert line(server, model="gone") == (
            "The server has no model 'gone'. Set HOPRAG_LLM to one it has: "
            "model-0, model-1, model-2, model-3, model-4 and 2 more."
        )


def test_a_server_that_calls_an_unknown_model_a_bad_request_is_understood() -> None:
    with ChatServer(lambda request: Answer("Bad.", status=400), models=["a"]) as server:
        assert line(server, model="gone").endswith("one it has: a.")
        assert line(server, model="a").endswith("Server message: Bad.")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("Wrong key.", status=401), "rejected the key"),
        (faults.page(), "not a model reply"),
        (faults.broken(), "failed (error 500)"),
        (faults.too_many(7), "wait 7 seconds"),
        (faults.cut(SUM), "connection"),
    ],
)
def test_what_is_wrong_is_said(answer: Answer, words: str) -> None:
    with ChatServer(lambda request: answer) as server:
        assert words in line(server)


def test_a_model_that_answers_too_slowly_is_said() -> None:
    with ChatServer(lambda request: faults.slow(SUM, 5)) as server:
        assert "did not answer in time" in line(server, time_limit=0.2)


def test_a_server_without_such_an_address_is_said() -> None:
    with ChatServer(added, models=Answer("Nothing.", status=404)) as server:
        elsewhere = Endpoint("m", server.url.replace("/v1", ""), KEY)
        assert "not OpenAI-compatible" in diagnose(elsewhere, LEAVE).line


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://no-such-host.invalid/v1", "host in HOPRAG_LLM_URL"),
        ("http://127.0.0.1:9/v1", "No server is running"),
        ("localhost:11434/v1", "not a server URL"),
    ],
)
def test_a_server_that_is_not_there_is_said(url: str, words: str) -> None:
    found = diagnose(Endpoint("m", url, KEY), LEAVE, time_limit=2)
    assert not found.works
    assert words in found.line
