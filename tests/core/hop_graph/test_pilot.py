from pathlib import Path

import pytest

from core.errors import InputError
from core.hop_graph.model_questions import ByModel
from core.hop_graph.pilot import PILOT, Range, estimate
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.prices import Price
from core.models.replies import Replies
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
        assert found.calls == Range(left, left)
        assert found.tokens_in == Range(pytest.approx(80 * left), pytest.approx(120 * left))
        assert found.tokens_out == Range(20 * left, 30 * left)
        assert found.price == Range(
            price.of(found.tokens_in.low, 20 * left), price.of(found.tokens_in.high, 30 * left)
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
        assert estimate(PASSAGES, maker).calls == Range(45, 90)


def test_fewer_passages_than_a_pilot_and_none(tmp_path: Path) -> None:
    with ChatServer(script) as server:
        maker = ByModel(Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE))
        assert estimate(PASSAGES[:3], maker).calls == Range(0, 0)
        with pytest.raises(InputError, match="no passage"):
            estimate([], maker)
