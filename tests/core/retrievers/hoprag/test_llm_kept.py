"""What a model said is kept: who asks again pays for nothing twice, and knows it before."""

from core.retrievers import make
from core.retrievers.cost_forecast import forecast
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
        assert forecast(make("hoprag-llm", bench), QUESTION.text).calls == 0
    with thinking(workbench) as (bench, server):  # another process, later
        later = walked(bench)
        assert server.requests == []
    for steps in (again, later):
        assert followed(steps) == followed(first)
        for step in judged(steps):
            assert step.told.exchange.cached
            cost = step.told.cost
            assert (cost.calls, cost.tokens, cost.cached) == (0, 0, 1)


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
            assert heavier[0].weight_of_visits == wanted.get("importance", 0.5)
        assert len(server.requests) == len(asked)
        walked(bench, f"{QUESTION.text} ")
        assert len(server.requests) > len(asked)


def test_how_many_calls_it_will_be_at_least(workbench):
    with thinking(workbench) as (bench, server):
        near = make("hoprag-llm", bench, top_k=1, n_hop=1)
        before = forecast(near, QUESTION.text)
        assert server.requests == []
        list(near.retrieve(QUESTION.text))
        near_calls = len(server.requests)
        assert (before.calls, before.likely, before.kept) == (near_calls, near_calls, 0)
        far = make("hoprag-llm", bench, top_k=5, n_hop=4)
        before = forecast(far, QUESTION.text)
        assert 0 < before.calls <= before.likely
        assert (before.kept, before.price) == (near_calls, None)
        list(far.retrieve(QUESTION.text))
        assert before.calls <= len(server.requests) - near_calls
        assert forecast(far, QUESTION.text).calls == 0


def test_a_reply_that_cannot_be_read_is_kept_too(workbench):
    with thinking(workbench, lambda _: HALF, proven=True) as (bench, server):
        first = walked(bench)
        made = len(server.requests)
        assert forecast(make("hoprag-llm", bench), QUESTION.text).calls == 0
        assert followed(walked(bench)) == followed(first)
        assert len(server.requests) == made
