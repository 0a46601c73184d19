"""Turning the settings of a retrieval without asking a model."""

import pytest

from core.artefacts.workbench import Workbench
from core.counterfactual import Judge
from core.models.remembered import Remembered
from core.replay import numeric_settings, replay, setting_range, with_maximum_counts
from core.retrievers import CARDS, MODEL_FREE, Spec, make
from core.retrievers.settings import Declared, Setting
from core.steps import Offered, result
from tests.core.five import QUESTION
from tests.core.retrievers.hoprag.model_walks import thinking, walked


def kept(steps):
    return [hit.passage_id for hit in result(steps).hits]


@pytest.mark.parametrize("key", MODEL_FREE)
def test_without_a_model_it_is_the_retrieval_itself(workbench, key):
    spec = Spec(key).with_settings(top_k=3)
    found = replay(workbench, spec, QUESTION.text)
    assert kept(found.steps) == kept(list(make(spec, workbench).retrieve(QUESTION.text)))
    assert (found.unjudged, found.calls.calls) == ((), 0)


@pytest.mark.parametrize("top_k", [1, 2, 5])
@pytest.mark.parametrize("n_hop", [1, 4])
def test_what_is_kept_is_all_that_counts(workbench, top_k, n_hop):
    spec = Spec("hoprag-llm").with_settings(top_k=top_k, n_hop=n_hop, importance=0.25)
    with thinking(workbench) as (bench, server):
        walked(bench)
        asked = len(server.requests)
        found = replay(bench, spec, QUESTION.text)
        assert len(server.requests) == asked
        assert kept(found.steps) == kept(walked(bench, top_k=top_k, n_hop=n_hop, importance=0.25))
        assert len(server.requests) == asked
    assert (found.unjudged, found.calls.calls) == ((), 0)


def test_what_was_never_judged_is_counted_and_not_asked(workbench):
    wide = Spec("hoprag-llm").with_settings(top_k=5, n_hop=1)
    with thinking(workbench) as (bench, server):
        walked(bench, top_k=1, n_hop=1)
        asked, before = len(server.requests), bench.oracle.replies.spent()
        found = replay(bench, wide, QUESTION.text)
        assert (len(server.requests), bench.oracle.replies.spent()) == (asked, before)
        walked(bench, top_k=5, n_hop=1)
        assert found.calls.calls == len(server.requests) - asked > 0
    assert len(found.unjudged) == found.calls.calls
    for number in found.unjudged:
        step = found.steps[number - 1]
        assert isinstance(step, Offered)
        assert step.taken == ()


def test_a_judgement_by_hand_needs_no_call(workbench):
    spec = Spec("hoprag-llm").with_settings(top_k=1, n_hop=1)
    with thinking(workbench) as (bench, server):
        first = replay(bench, spec, QUESTION.text)
        (number,) = first.unjudged
        judged = bench.amended((Judge(first.steps[number - 1].at, None),))
        assert replay(judged, spec, QUESTION.text).calls.calls == 0
        assert server.requests == []


def test_every_number_can_be_turned_within_what_it_takes():
    for key in CARDS:
        spec = Spec(key)
        for one in numeric_settings(spec):
            now = spec.values[one.name]
            low, high = setting_range(one, now)
            assert low <= now <= high
            for value in (low, high):
                spec.with_settings(**{one.name: one.kind(value)})
    assert setting_range(Declared("w", float, 0.2, Setting("any")), 4.0) == (-8.0, 8.0)


def test_the_number_of_seeds_is_a_setting(workbench: Workbench):
    for key in ("hoprag-similarity", "hoprag-coverage"):
        steps = list(make(key, workbench, top_k=4, seeds=2).retrieve(QUESTION.text))
        usual = list(make(key, workbench, top_k=4).retrieve(QUESTION.text))
        assert [len(each[1].arrivals) for each in (steps, usual)] == [2, 4]
        assert steps[1].arrivals == usual[1].arrivals[:2]


def test_what_was_embedded_for_a_question_is_not_embedded_again(workbench):
    memory = Remembered(workbench.embedder)
    bench = workbench.embedding_by(memory)
    first = replay(bench, Spec("ircot"), QUESTION.text)
    before = len(workbench.embedder.texts)
    assert before
    assert kept(replay(bench, Spec("ircot"), QUESTION.text).steps) == kept(first.steps)
    assert len(workbench.embedder.texts) == before
    assert memory.encode([]).shape == (0, workbench.embedder.info.dimension)


def test_the_furthest_reads_whatever_a_lower_count_reads(workbench):
    spec = Spec.parse("rerank(over=dense,depth=2,top_k=2)")
    assert with_maximum_counts(spec).values["depth"] == 100
    replay(workbench, with_maximum_counts(spec), QUESTION.text)
    known = dict(workbench.reread)
    replay(workbench, spec.with_settings(depth=4), QUESTION.text)
    assert workbench.reread == known


def test_what_was_read_again_is_not_read_once_more(workbench, monkeypatch):
    deep = Spec.parse("rerank(over=dense,depth=4)")
    before = replay(workbench, deep, QUESTION.text)
    read = []
    tokens = workbench.embedder.tokens
    monkeypatch.setattr(
        workbench.embedder, "tokens", lambda texts: read.extend(texts) or tokens(texts)
    )
    assert kept(replay(workbench, deep, QUESTION.text).steps) == kept(before.steps)
    assert read == []
    replay(workbench, deep.with_settings(depth=5), QUESTION.text)
    assert len(read) == 2  # the question, and the one passage that is new
