import re

import pytest

from core.models.reach import diagnose_reach
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import KEY, LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

NEEDED = 8_000


def reading(most: int, *, counting: bool = True) -> ChatServer:
    """A server that cuts off the beginning of what is longer, and answers from the rest."""

    def answer(request: Request) -> Answer:
        seen = re.findall(r"\w+|[^\w\s]", request.user)[-most:]
        first = re.search(r"Section (\d+) :", " ".join(seen))
        number = first[1] if first else "0"
        return Answer(f'{{"first": {number}}}', tokens=(len(seen) if counting else 0, 5))

    return ChatServer(answer)


def line(server: ChatServer, *, works: bool) -> str:
    with server:
        found = diagnose_reach(endpoint(server, key=KEY), LEAVE, NEEDED, time_limit=10)
        assert len(server.requests) == 1
    assert found.works == works, found.line
    return found.line


@pytest.mark.parametrize("counting", [True, False])
def test_a_server_that_reads_all_is_told(counting: bool) -> None:
    assert "at least 8,000 tokens" in line(reading(16_384, counting=counting), works=True)


def test_a_context_that_is_too_small_is_told_with_what_mends_it() -> None:
    said = line(reading(4_096), works=False)
    assert "reads only about 4,096 tokens" in said
    assert "OLLAMA_CONTEXT_LENGTH=16384" in said


def test_it_is_told_where_nothing_is_counted() -> None:
    said = line(reading(4_096, counting=False), works=False)
    about = re.search(r"about ([\d,]+) tokens", said)
    assert about
    assert 3_600 < int(about[1].replace(",", "")) <= 4_096


def test_a_model_that_answers_otherwise_is_not_blamed() -> None:
    line(ChatServer(lambda request: Answer("What?", tokens=(0, 0))), works=True)


def test_a_server_that_refuses_what_is_long_is_told() -> None:
    short = faults.refused("This model's maximum context length is 4096 tokens.")
    said = line(ChatServer(lambda request: short), works=False)
    assert "An answer needs up to 8,000 tokens." in said
    assert "larger context" in said


def test_a_setting_that_cannot_be_used_is_said() -> None:
    found = diagnose_reach(Endpoint("m", unusable="HOPRAG_LLM_TRIES is no number."), LEAVE, NEEDED)
    assert found.line == "HOPRAG_LLM_TRIES is no number."
