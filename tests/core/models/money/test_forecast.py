"""What prompts will take, and what a model said before."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import BaseModel

from core.errors import LlmError
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.money.forecast import Forecast, Sample, foreseen
from core.models.money.prices import price_of
from core.models.money.spread import Estimate, Range, of_many, share
from core.models.oracle import Oracle
from core.models.prompt import Prompt, Reply
from core.prompts import read
from core.settings import Endpoint
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

PROMPT = Prompt("any", "s" * 1000, "u" * 1000, {})


class Number(BaseModel):
    number: int


def a_number(text: str) -> int:
    return read(text, Number).number


ONE = Estimate(1, 1)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Forecast(0), "no calls: all replies are cached"),
        (Forecast(0, Range(0, 0)), "no calls: all replies are cached"),
        (Forecast(1, Range(0, 0), tries=ONE), "about 1 call, free of charge"),
        (
            Forecast(1, near=True, tries=Estimate(1, 2), tokens=Estimate(899.6, 4000)),
            "about 1 call (at most 2), 900 tokens (at most 4,000), free of charge if the server is "
            "your own",
        ),
        (
            Forecast(1200, Range(0.5, 0.5), tries=Estimate(1200, 2400)),
            "about 1,200 calls (at most 2,400), $0.50",
        ),
        (
            Forecast(2, Range(0.02, 0.3), 5, tries=Estimate(5.2, 9.1)),
            "about 5 calls (at most 10), $0.0200 (at most $0.30)",
        ),
        (Forecast(1, tries=ONE), "about 1 call, price unknown"),
        (
            Forecast(20, Range(0.5, 2.5), 40, sample=Sample(4, 9), tries=Estimate(40, 1200)),
            "about 40 calls (at most 1,200), $0.50 (at most $2.50); estimated from 4 of 9 "
            "questions, drawn at random",
        ),
        (
            Forecast(0, kept=9, sample=Sample(4, 9)),
            "no calls, estimated from 4 of 9 questions, drawn at random",
        ),
    ],
)
def test_in_words(found, said):
    assert str(found) == said


@pytest.fixture
def oracle(tmp_path):
    return Oracle(Llm(Endpoint("gpt-4.1-mini", thinking=500)), Replies(tmp_path), LEAVE)


def test_without_any_reply_it_may_be_as_long_as_is_allowed(oracle):
    price = price_of(oracle.llm.endpoint)
    found = foreseen(oracle, [PROMPT] * 3, None)
    assert (found.calls, found.likely) == (3, 0)
    assert found.price.high >= 3 * price.of(0.3 * 2000, PROMPT.longest + 500)
    # An expected value, and a bound that is not hundreds of times as much.
    assert found.price.low == pytest.approx(3 * price.of(0.3 * 2000, 0.3 * PROMPT.longest))
    assert found.price.high < 12 * found.price.low
    assert (found.tries, found.tokens.expected) == (Estimate(3, 6), 3 * (600 + 300))
    more = foreseen(oracle, [PROMPT], None, [PROMPT] * 3)
    assert (more.calls, more.likely) == (1, 3)
    assert more.price == found.price


def test_kept_replies_tell_how_long_they_are(oracle):
    price = price_of(oracle.llm.endpoint)
    for number in range(100):
        reply = Reply("x", 500, 90 + number % 21)
        oracle.replies.put(str(number), PROMPT, oracle.llm.model, reply)
    found = foreseen(oracle, [PROMPT] * 100, None).price
    truth = 100 * price.of(500, 100)
    assert found.low == pytest.approx(truth, rel=0.01)
    assert truth < found.high < 2 * 1.3 * truth  # each may need a second try
    other = replace(PROMPT, name="other")  # of which nothing is known but how the model writes
    by_others = foreseen(oracle, [other] * 100, None).price
    assert by_others.low == pytest.approx(truth, rel=0.01)
    assert by_others.high > 2 * truth


def test_second_tries_are_learnt_from_kept_replies(oracle):
    for number in range(10):
        oracle.replies.put(f"{number}", PROMPT, oracle.llm.model, Reply("x", 500, 100))
    assert foreseen(oracle, [PROMPT] * 20, None).tries == Estimate(20, 40)
    for number in range(5):
        oracle.replies.put(f"{number}b", PROMPT, oracle.llm.model, Reply("x", 500, 100), attempt=1)
    found = foreseen(oracle, [PROMPT] * 20, None)
    assert found.tries == Estimate(20 * 1.5, 20 * 2)
    assert found.tokens.expected == pytest.approx(30 * 600)
    assert str(found).startswith("about 30 calls (at most 40), 18,000 tokens (at most")


def test_of_a_server_near_by_no_price_is_known(tmp_path):
    near = Oracle(Llm(Endpoint("m", "http://localhost:1/v1")), Replies(tmp_path), LEAVE)
    assert foreseen(near, [PROMPT], None).near


def worlds(kind, drawn, number):
    """Tokens of replies: uneven, very uneven, some that think ten times as long, from-to."""
    if kind == "lognormal":
        return drawn.lognormal(5, drawn.uniform(0.1, 0.9), number)
    if kind == "gamma":
        return drawn.gamma(drawn.uniform(1, 20), 30, number)
    if kind == "thinking":
        thinks = drawn.random(number) < drawn.uniform(0.05, 0.4)
        return np.where(thinks, drawn.uniform(3, 10), 1) * drawn.lognormal(5, 0.2, number)
    return drawn.uniform(100, drawn.uniform(150, 1500), number)


def test_in_nine_of_ten_worlds_it_takes_no_more_than_the_most_that_five_foretell():
    drawn = np.random.default_rng(0)
    held = []
    for kind in ("lognormal", "gamma", "thinking", "uniform") * 100:
        took = worlds(kind, drawn, 205)
        between = of_many(200, took[:5].tolist())
        held.append((took[5:].sum() <= between.high, took[5:].sum() >= between.low))
    high, low = np.mean(held, axis=0)
    assert high >= 0.9
    assert low >= 0.9


def test_a_share_that_was_never_seen_may_yet_be_there():
    assert share(0, 5).low == 0
    assert 0.2 < share(0, 5).high < 0.6
    assert share(0, 1000).high < 0.01
    assert share(5, 5).high > 0.99


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
