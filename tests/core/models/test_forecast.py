"""What prompts will take, and what a model said before."""

import pytest
from pydantic import BaseModel

from core.errors import LlmError
from core.models.forecast import Forecast, priced
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.prices import FREE, Price
from core.models.prompt import Prompt
from core.models.replies import Replies
from core.prompts import read
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

PROMPT = Prompt("any", "s" * 1000, "u" * 1000, {})


class Number(BaseModel):
    number: int


def a_number(text: str) -> int:
    return read(text, Number).number


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Forecast(0), "all kept: no call"),
        (Forecast(0, 0.0), "all kept: no call"),
        (Forecast(1, 0.0), "at least 1 call, free of charge"),
        (Forecast(1200, 0.5), "at least 1,200 calls, about $0.50"),
        (Forecast(2, 0.0, 2), "at least 2 calls, free of charge"),
        (Forecast(2, 0.02, 5), "at least 2 calls, perhaps 5, about $0.0200"),
        (Forecast(2), "at least 2 calls, of a price that is not known"),
    ],
)
def test_in_words(found, said):
    assert str(found) == said


def test_the_price_is_that_of_the_letters():
    price = Price(tokens_in=1.0, tokens_out=10.0)
    expected = 3 * (0.3 * 2000 * 1.0 + 60 * 10.0) / 1_000_000
    assert priced([PROMPT] * 3, price) == Forecast(3, pytest.approx(expected))
    assert priced([PROMPT], price, [PROMPT] * 3) == Forecast(1, pytest.approx(expected), 3)
    assert priced([PROMPT], FREE) == Forecast(1, 0.0)
    assert priced([PROMPT], None) == Forecast(1)
    assert priced([], price) == Forecast(0, 0.0)


def test_of_several_that_take_the_same():
    assert Forecast(2, 0.5, 3, kept=1).times(10) == Forecast(20, 5.0, 30, kept=10)
    assert Forecast(2).times(10) == Forecast(20)


def test_what_was_said_is_recalled_without_a_call(tmp_path):
    script = faults.first(Answer("prose"), then=lambda _: Answer('{"number": 7}'))
    with ChatServer(script) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path), LEAVE)
        assert oracle.recall(PROMPT, a_number) is None
        assert server.requests == []
        said = oracle.ask(PROMPT, a_number)
        assert said[0] == 7
        value, exchange = oracle.recall(PROMPT, a_number)
        assert (value, exchange.cached) == (7, True)
        assert exchange.replies == said[1].replies == ("prose", '{"number": 7}')
        assert len(server.requests) == 2


def test_half_of_what_would_be_asked_is_not_enough(tmp_path):
    """The second try is not known, as when a process was killed between the two."""
    script = faults.first(Answer("prose"), then=lambda _: faults.broken())
    with ChatServer(script) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path), LEAVE)
        with pytest.raises(LlmError):
            oracle.ask(PROMPT, a_number)
        assert oracle.recall(PROMPT, a_number) is None
