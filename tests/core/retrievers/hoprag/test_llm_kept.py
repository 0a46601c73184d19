"""What a model said is kept: who asks again pays for nothing twice, and knows it before."""

from core.models.forecast import Forecast
from core.retrievers import make
from tests.core.five import QUESTION
from tests.core.retrievers.hoprag.model_walks import followed, judged, thinking, walked
from tests.llm import faults

HALF = faults.half({"reason": "Why not.", "verdict": "irrelevant", "follow": 1})


def test_the_same_question_again_makes_no_call(workbench):
    with thinking(workbench) as (bench, server):
        first = walked(bench)
        made = len(server.requests)
        again = walked(bench)
        assert len(server.requests) == made
        assert make("hoprag-llm", bench).unasked(QUESTION.text) == ()
    with thinking(workbench) as (bench, server):  # another process, later
        later = walked(bench)
        assert server.requests == []
    for steps in (again, later):
        assert followed(steps) == followed(first)
        for step in judged(steps):
            assert step.exchange.cached
            assert (step.cost.calls, step.cost.tokens, step.cost.cached) == (0, 0, 1)


def test_other_settings_ask_only_what_was_never_asked(workbench):
    with thinking(workbench) as (bench, server):
        walked(bench, top_k=1, n_hop=1)
        few = {request.user for request in server.requests}
        steps = walked(bench, top_k=5, n_hop=4)
        asked = [request.user for request in server.requests]
        assert few < set(asked)
        assert len(set(asked)) == len(asked) == len(judged(steps))
        for wanted in ({"top_k": 2}, {"n_hop": 1}, {"importance": 0.0}, {"importance": 3.0}):
            heavier = walked(bench, **wanted)
            assert heavier[0].importance_weight == wanted.get("importance", 0.5)
        assert len(server.requests) == len(asked)
        walked(bench, f"{QUESTION.text} ")
        assert len(server.requests) > len(asked)


def test_how_many_calls_it_will_be_at_least(workbench):
    with thinking(workbench) as (bench, server):
        near = make("hoprag-llm", bench, top_k=1, n_hop=1)
        before = near.unasked(QUESTION.text)
        assert server.requests == []
        list(near.retrieve(QUESTION.text))
        assert {prompt.user for prompt in before} == {request.user for request in server.requests}
        far = make("hoprag-llm", bench, top_k=5, n_hop=4)
        at_least = {prompt.user for prompt in far.unasked(QUESTION.text)}
        forecast = far.forecast(QUESTION.text)
        made = len(server.requests)
        list(far.retrieve(QUESTION.text))
        asked = {request.user for request in server.requests[made:]}
        assert at_least
        assert at_least <= asked
        assert forecast == Forecast(len(at_least), 0.0, forecast.likely)
        assert forecast.likely >= len(at_least)
        assert far.unasked(QUESTION.text) == ()


def test_a_reply_that_cannot_be_read_is_kept_too(workbench):
    with thinking(workbench, lambda _: HALF) as (bench, server):
        first = walked(bench)
        made = len(server.requests)
        assert make("hoprag-llm", bench).unasked(QUESTION.text) == ()
        assert followed(walked(bench)) == followed(first)
        assert len(server.requests) == made
