"""A walk by a model, of which some choices are made by hand."""

from core.counterfactual import Judge, Take, outcomes
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from tests.core.five import QUESTION
from tests.core.retrievers.hoprag.model_walks import judged, thinking, walked


def at(steps, vertex):
    return next(step for step in judged(steps) if step.at == vertex)


def test_a_vertex_judged_by_hand_is_not_asked_about(workbench):
    with thinking(workbench) as (bench, server):
        plain = walked(bench)
        asked = len(server.requests)
        step = judged(plain)[0]
    with thinking(workbench, folder=workbench.index.path / "anew") as (bench, server):
        steps = walked(bench.amended((Judge(step.at, None),)))
        titles = [request.data["passage"]["title"] for request in server.requests]
    assert workbench.index.passage(step.at).title not in titles
    assert len(titles) < asked
    changed = at(steps, step.at)
    assert (changed.taken, changed.told.exchange, changed.told.cost.calls) == ((), None, 0)
    assert changed.told.reason == "The choice is made by hand."


def test_a_judgement_that_cannot_be_leaves_the_model_its_choice(workbench):
    with thinking(workbench) as (bench, _):
        plain = walked(bench)
        step = judged(plain)[0]
        steps = walked(bench.amended((Judge(step.at, "none"),)))
    assert at(steps, step.at).told.exchange.replies == step.told.exchange.replies
    assert not outcomes(steps)[0].made


def test_an_edge_that_the_model_was_not_shown_can_be_taken(workbench):
    with thinking(workbench) as (bench, _):
        step = next(s for s in judged(walked(bench, offered=1)) if s.considered > 1)
        edges = bench.index.graph.out_edges(step.at)
        hidden = next(e.id for e in edges if e.id not in {o.tie for o in step.offers})
        steps = walked(bench.amended((Take(step.at, hidden),)), offered=1)
    changed = at(steps, step.at)
    assert [offer.tie for offer in changed.offers] == [step.offers[0].tie, hidden]
    assert hidden in {offer.tie for offer in changed.taken}
    assert changed.told.exchange.replies == step.told.exchange.replies


def test_what_an_amended_walk_will_ask_is_foreseen(workbench):
    with thinking(workbench) as (bench, server):
        step = judged(walked(bench))[0]
        asked = len(server.requests)
        hand = bench.amended((Judge(step.at, None),))
        foreseen = forecast(make("hoprag-llm", hand), QUESTION.text)
        assert len(server.requests) == asked
        walked(hand)
        assert foreseen.calls <= len(server.requests) - asked
