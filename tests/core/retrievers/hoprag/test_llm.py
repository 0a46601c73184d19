"""The walk by a model: what it is asked, and what it follows.

The real client talks to a scripted server; the expected walk is computed without either.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.playback import frame
from core.retrievers import make
from core.steps import Began
from core.store.index import Index
from core.traces import dump, load, record
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.core.meetings import NAMES, invariants, meetings
from tests.core.retrievers.hoprag.model_walks import (
    followed,
    judged,
    looked_at,
    reference,
    thinking,
    walked,
)
from tests.llm import faults
from tests.llm.replies import choice, choose


def asked_at(server, bench, vertex):
    """The request about a vertex."""
    title = bench.index.passage(vertex).title
    return next(r for r in server.requests if r.data["passage"]["title"] == title)


@pytest.mark.parametrize("top_k", [1, 2, 5])
@pytest.mark.parametrize("n_hop", [1, 2, 4])
def test_the_walk_is_that_of_algorithm_1(workbench, top_k, n_hop):
    choices, calls, helpfulness = reference(workbench, QUESTION.text, top_k, n_hop)
    with thinking(workbench) as (bench, server):
        steps = walked(bench, top_k=top_k, n_hop=n_hop)
    assert followed(steps) == choices
    assert len(server.requests) == calls
    scores = {hit.passage_id: hit.score for hit in (*steps[-1].hits, *steps[-1].pruned)}
    assert scores == pytest.approx(helpfulness, abs=1e-6)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(meetings(), st.sampled_from(NAMES), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_random_worlds_walk_as_the_reference(
    tmp_path_factory, documents, name, top_k, n_hop, offered
):
    folder = tmp_path_factory.mktemp("random") / "index"
    embedder = WordEmbedder(32)
    build(folder, corpus(*documents), embedder, silent)
    plain = Workbench(Index.open(folder), embedder)
    question = f"Whom did {name} meet?"
    choices, calls, _ = reference(plain, question, top_k, n_hop, offered)
    with thinking(plain) as (bench, server):
        steps = walked(bench, question, top_k=top_k, n_hop=n_hop, offered=offered)
    invariants(plain.index, steps, top_k)
    assert followed(steps) == choices
    assert len(server.requests) == calls


def test_the_model_sees_the_query_and_the_numbered_questions(workbench):
    with thinking(workbench) as (bench, server):
        steps = walked(bench, offered=1)
    one = next(step for step in judged(steps) if step.considered > 1)
    request = asked_at(server, bench, one.at)
    passage = bench.index.passage(one.at)
    assert request.data == {
        "query": QUESTION.text,
        "passage": {"title": passage.title, "text": passage.text, "goes_on": False},
        "questions": [{"number": 1, "question": one.offers[0].label}],
        "left_out": one.considered - 1,
    }
    assert QUESTION.text not in request.system
    schema = request.body["response_format"]["json_schema"]["schema"]
    assert set(schema["required"]) == schema["properties"].keys()


def test_a_step_has_the_exchange_word_for_word(workbench):
    with thinking(workbench) as (bench, server):
        steps = walked(bench)
    for step in judged(steps):
        request = asked_at(server, bench, step.at)
        said = step.told.exchange
        assert (said.system, said.user) == (request.system, request.user)
        assert said.replies == (json.dumps(choice(request)),)
        assert (said.model, said.cached, said.trouble) == ("scripted", False, "")
        assert (step.told.verdict, step.told.reason) == (
            choice(request)["verdict"],
            choice(request)["reason"],
        )
        assert (step.told.cost.calls, step.told.cost.tokens, step.told.cost.cached) == (1, 120, 0)
        assert 0 < said.seconds <= step.told.cost.seconds
        assert step.told.fallback == ""


def test_all_of_a_round_are_asked_at_the_same_time(workbench):
    _, calls, _ = reference(workbench, QUESTION.text, 20, 1)
    together = threading.Barrier(calls)

    def script(request):
        together.wait(timeout=20)  # nobody is answered before all have asked
        return choose(request)

    with thinking(workbench, script, proven=True) as (bench, server):
        steps = walked(bench, n_hop=1)
    assert len(server.requests) == server.most_at_once == calls > 2
    queues = [step.waiting for step in steps if isinstance(step, Began)]
    assert [step.at for step in looked_at(steps)] == [v for q in queues for v in q]


def test_none_of_them_ends_the_way(workbench):
    nothing = {"answers": "No.", "reason": "No.", "follow": None, "verdict": "irrelevant"}
    with thinking(workbench, lambda _: faults.changed(nothing)) as (bench, _):
        steps = walked(bench)
    assert len(steps[-1].hits) == len(steps[1].arrivals)
    for step in judged(steps):
        assert (step.taken, step.told.verdict, step.told.fallback) == ((), "irrelevant", "")


@pytest.mark.parametrize(
    ("verdict", "follow"),
    [
        ("irrelevant", 0),
        ("irrelevant", 1),
        ("relevant and necessary", 0),
        ("relevant and necessary", None),
        ("indirectly relevant", None),
    ],
)
def test_what_contradicts_itself_is_a_named_fallback(workbench, verdict, follow):
    said = {"answers": "No.", "reason": "No.", "verdict": verdict, "follow": follow}
    with thinking(workbench, lambda _: faults.changed(said)) as (bench, _):
        steps = walked(bench)
    for step in judged(steps):
        assert step.told.fallback.endswith("The most similar edge is followed instead.")
        assert len(step.taken) == 1


def test_where_none_is_no_choice_the_walk_always_hops(workbench):
    """As in the paper: a verdict of `irrelevant` does not keep it from the best there is."""
    last = {"answers": "No.", "reason": "The last.", "verdict": "irrelevant"}

    def script(request):
        return faults.changed(last, follow=len(request.data["questions"]))

    with thinking(workbench, script) as (bench, server):
        steps = walked(bench, none=False)
    for step in judged(steps):
        assert step.taken == (replace(step.offers[-1], taken=True),)
        assert (step.told.verdict, step.told.fallback) == ("irrelevant", "")
    request = server.requests[0]
    form = request.body["response_format"]["json_schema"]["schema"]["properties"]
    assert form["follow"]["type"] == "integer"
    assert "null" not in request.system


def test_questions_from_two_threads_do_not_mix(workbench):
    questions = [QUESTION.text, "Who married Ilo Venn?", "Which town has an old brewery?"]
    expected = [reference(workbench, question, 5, 4)[0] for question in questions]

    def script(request):
        return replace(choose(request), delay=0.005 * (request.number % 3))

    with thinking(workbench, script) as (bench, _), ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda q: followed(walked(bench, q, top_k=5)), questions * 2))
    assert found == expected * 2


def test_a_trace_holds_the_exchanges_and_nothing_of_the_server(workbench):
    with thinking(workbench) as (bench, server):
        bench.oracle.llm.endpoint = replace(bench.oracle.llm.endpoint, key="sk-very-secret")
        trace = record(make("hoprag-llm", bench), QUESTION.text, bench.index)
        address = server.url.split("/")[2]
    data = dump(trace)
    assert load(data) == trace
    assert any(step.told.exchange for step in judged(load(data).steps))
    for secret in (address, "sk-very-secret"):
        assert secret.encode() not in data


def test_the_end_of_a_walk_is_what_the_player_shows(workbench):
    with thinking(workbench) as (bench, _):
        steps = walked(bench)
    assert frame(steps, len(steps)).hits == steps[-1].hits
