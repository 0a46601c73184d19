from pathlib import Path
from statistics import fmean

import pytest

from core.errors import InputError, LlmError
from core.hop_graph.model_questions import ByModel
from core.hop_graph.pilot import PILOT, estimate
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.money.prices import Price
from core.models.money.spread import Range, of_many
from core.models.oracle import Oracle
from core.types import Passage
from tests.llm.client import LEAVE
from tests.llm.replies import questions
from tests.llm.server import Answer, ChatServer, Request, endpoint

PASSAGES = [
    Passage(f"p{n:02}", "d", n, f"Place {n:02}", "It lies by the River Ash. " * 3)
    for n in range(50)
]
TOKENS = {"Place 05": (100, 20), "Place 15": (80, 30), "Place 45": (120, 25)}


def script(request: Request) -> Answer:
    answer = questions(request)
    return Answer(answer.text, tokens=TOKENS.get(request.data["title"], (100, 25)))


def test_a_few_passages_tell_what_the_rest_will_take(tmp_path: Path) -> None:
    price = Price(1.0, 2.0)
    with ChatServer(script) as server:
        maker = ByModel(Oracle(Llm(endpoint(server), at_once=8), Replies(tmp_path), LEAVE))
        found = estimate(PASSAGES, maker, price)
        asked = sorted(request.data["title"] for request in server.requests)
        assert asked == [f"Place {n:02}" for n in (5, 15, 25, 35, 45)]

        left = len(PASSAGES) - PILOT
        assert (found.passages, found.kept, found.at_once) == (50, PILOT, 8)
        assert found.calls.low == left
        assert left < found.calls.high < 1.6 * left  # none of five was asked twice
        seen_in, seen_out = [100, 80, 100, 100, 120], [20, 30, 25, 25, 25]
        assert found.tokens_in.low < left * fmean(seen_in) < found.tokens_in.high
        out = of_many(left, seen_out)
        assert found.tokens_out == Range(
            pytest.approx(out.low), pytest.approx(out.high * found.calls.high / left)
        )
        assert found.price == Range(
            price.of(found.tokens_in.low, found.tokens_out.low),
            price.of(found.tokens_in.high, found.tokens_out.high),
        )
        assert 0 < found.seconds.low <= found.seconds.high

        again = estimate(PASSAGES, maker)
        assert len(server.requests) == PILOT  # they are kept
        assert again.price is None
        list(maker(PASSAGES))
        assert len(server.requests) == len(PASSAGES)
        assert estimate(PASSAGES, maker, price).price == Range(0.0, 0.0)


def test_second_tries_are_counted(tmp_path: Path) -> None:
    def stubborn(request: Request) -> Answer:
        return Answer("no") if request.data["title"] == "Place 25" else questions(request)

    with ChatServer(stubborn) as server:
        maker = ByModel(Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE))
        found = estimate(PASSAGES, maker).calls
        assert 45 <= found.low < 45 + 9 < found.high <= 90


def test_fewer_passages_than_a_pilot_and_none(tmp_path: Path) -> None:
    with ChatServer(script) as server:
        maker = ByModel(Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE))
        assert estimate(PASSAGES[:3], maker).calls == Range(0, 0)
        with pytest.raises(InputError, match="no passage"):
            estimate([], maker)


def test_what_cannot_be_used_is_said_and_a_pilot_without_any_is_an_error(tmp_path: Path) -> None:
    def some(request: Request) -> Answer:
        return Answer("no") if request.data["title"] == "Place 25" else questions(request)

    with ChatServer(some) as server:
        maker = ByModel(Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE))
        found = estimate(PASSAGES, maker)
        assert found.unusable == 1
        assert found.warning.startswith("For 1 of the pilot's passages, the model gave no usable")
        assert "no complete JSON object" in found.warning
    with ChatServer(lambda _: Answer("no")) as server:
        maker = ByModel(Oracle(Llm(endpoint(server)), Replies(tmp_path / "other"), LEAVE))
        with pytest.raises(LlmError, match="first 3 replies were not in the requested form"):
            estimate(PASSAGES, maker)
