"""HippoRAG 2: weights as formulas, the whole against a slow reading of the paper."""

import json
import random
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import ENTITIES, ENTITY_GRAPH, FACTS, Fact
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.ranking import min_max
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.hipporag2 import (
    SOURCES,
    fact_weights,
    question_weights,
    read_keep,
    reset_of,
)
from core.steps import Offered, Spread
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

Q = QUESTION.text


def walked(bench, question=Q, **settings):
    steps = tuple(make("hipporag2", bench, **settings).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def reference(
    bench, question, linked=5, enough=0.9, dense=0.05, damping=0.5, published=False, keep=None
):
    """What the paper describes, dictionary by dictionary: score by passage id, None without facts.

    `keep` are numbers of facts from 1, by likeness, that a model keeps. If it is `published`, it is
    what the paper's code does.
    """
    index, facts, entities = bench.index, bench.get(FACTS), bench.get(ENTITIES)
    asked = bench.embedder.encode([question])[0]
    named = set(bench.get(KEYWORDS).of(question))
    bearers = {e: sum(e in k for k in index.passage_keywords) for e in entities.names}

    scores = min_max((facts.vectors @ asked).astype(np.float64))
    best = sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:linked]
    kept = []
    for place, n in enumerate(best, start=1):
        fact = facts.facts[n]
        alike = scores[n] >= enough or named & set(fact.names)
        if place in keep if keep is not None else alike:
            kept.append((fact, scores[n]))
    if not kept:
        return None
    found = defaultdict(list)
    for fact, score in kept:
        for name in fact.names:
            if bearers[name] >= (1 if published else 2):
                found[name].append(score / bearers[name])
    reset = defaultdict(float)
    means = {name: sum(values) / len(values) for name, values in found.items()}
    heaviest = sorted(means, key=lambda name: (-means[name], name))
    for name in heaviest[:5] if published else heaviest:
        reset["e", name] += means[name]
    for name in () if published else named:
        if bearers.get(name):
            reset["e", name] += 1 / bearers[name]
    cosine = (index.vectors @ asked).astype(np.float64)
    for passage, value in zip(index.passages, min_max(cosine), strict=True):
        reset["p", passage.id] += dense * value
    total = sum(reset.values())
    reset = {node: value / total for node, value in reset.items()}

    weights = defaultdict(lambda: defaultdict(float))

    def join(one, other, weight):
        weights[one][other] += weight
        weights[other][one] += weight

    for passage, names in zip(index.passages, index.passage_keywords, strict=True):
        for name in entities.number.keys() & names:
            join(("p", passage.id), ("e", name), 1)
    for fact in facts.facts:
        for name in fact.objects:
            if fact.subject:
                join(("e", fact.subject), ("e", name), 2 if published else 1)
    for one, other, near in zip(*entities.synonyms, strict=True):
        join(("e", entities.names[one]), ("e", entities.names[other]), near)

    nodes = [("p", p.id) for p in index.passages] + [("e", name) for name in entities.names]
    mass = {node: reset.get(node, 0.0) for node in nodes}
    for _ in range(60):
        then = dict.fromkeys(nodes, 0.0)
        lost = 0.0
        for node in nodes:
            degree = sum(weights[node].values())
            if not degree:
                lost += mass[node]
            for other, weight in weights[node].items():
                then[other] += damping * mass[node] * weight / degree
        for node in nodes:
            then[node] += (1 - damping + damping * lost) * reset.get(node, 0.0)
        mass = then
    return {p.id: mass["p", p.id] for p in index.passages}


def assert_as_read(bench, question, found, keep=None, **settings):
    wanted = reference(bench, question, keep=keep, **settings)
    if wanted is None:
        assert found[-1].told.fallback
        return
    scores = {hit.passage_id: hit.score for hit in found[-1].hits}
    assert scores == pytest.approx(wanted, abs=1e-3)
    for one, other in zip(found[-1].hits, found[-1].hits[1:], strict=False):
        assert wanted[one.passage_id] >= wanted[other.passage_id] - 1e-3


@pytest.mark.parametrize(
    "settings",
    [
        *({}, {"linked": 2}, {"dense": 0.5}, {"damping": 0.3}, {"enough": 0.0}),
        *({"published": True}, {"published": True, "linked": 8, "enough": 0.0}),
    ],
)
def test_the_ranking_is_that_of_the_paper(workbench, settings):
    for question in (Q, "Who married Ilo Venn?", "Where is the river?"):
        steps = walked(workbench, question, **settings)
        assert_as_read(workbench, question, steps, **settings)


@pytest.mark.parametrize("seed", range(4))
def test_on_a_random_world(tmp_path, seed):
    rng = random.Random(seed)
    names = [f"{a} {b}" for a in ("Ada", "Bo", "Cy") for b in ("Birch", "Ash", "Elm")]
    documents = []
    for number in range(9):
        own = rng.choice([names[number], ""])
        told = [
            f"{own or 'It'} {rng.choice(['met', 'left', 'saw'])} {rng.choice(names)}."
            for _ in range(rng.randrange(1, 4))
        ]
        documents.append(Document(f"d{number}", own, " ".join(told)))
    embedder = WordEmbedder()
    build(tmp_path / "i", corpus(*documents), embedder, silent)
    bench = bench_on(tmp_path / "i", embedder)
    for question in (f"Who met {rng.choice(names)}?", "Who left whom?"):
        assert_as_read(bench, question, walked(bench, question))


def test_as_published_probability_starts_at_five_entities_of_facts(workbench):
    steps = walked(workbench, published=True, linked=8, enough=0.0)
    entities = listed(steps, "entities")
    assert len(entities.offers) == 5
    assert not any(dict(part_values(offer))["question"] for offer in entities.offers)
    assert entities.told.reason == "Entities named in the kept facts."
    usual = listed(walked(workbench, linked=8, enough=0.0), "entities")
    assert any(dict(part_values(offer))["question"] for offer in usual.offers)


def part_values(offer):
    return [(part.name, part.value) for part in offer.parts]


def test_entities_of_facts_weigh_by_their_bearers(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    kept = [
        (Fact(1, "mara quist", "", ("port selby", "ilo venn")), 0.8),
        (Fact(3, "lantern ground", "", ("port selby",)), 0.4),
        (Fact(4, "port selby", "", ("river ash",)), 1.0),
    ]
    assert fact_weights(graph, kept) == pytest.approx(
        {
            "mara quist": 0.8 / 2,
            "ilo venn": 0.8 / 2,
            "lantern ground": 0.4 / 2,
            "port selby": (0.8 / 3 + 0.4 / 3 + 1.0 / 3) / 3,
        }
    )  # one passage alone names the River Ash
    assert fact_weights(graph, []) == {}


def test_entities_of_the_question_weigh_by_their_bearers(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    names = ("harbour rovers", "nobody", "port selby", "")
    assert question_weights(graph, names) == pytest.approx(
        {"harbour rovers": 1 / 1, "port selby": 1 / 3}
    )


def test_the_reset_sums_to_one_by_source(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    dense = np.array([0, 0.01, 0.02, 0.03, 0.04])
    reset = reset_of(graph, {"ilo venn": 0.4}, {"ilo venn": 0.5, "port selby": 0.3}, dense)
    total = 0.4 + 0.5 + 0.3 + dense.sum()
    assert reset.sum() == pytest.approx(1)
    assert reset.sum(axis=0) == pytest.approx([0.4 / total, 0.8 / total, dense.sum() / total])
    assert reset[graph.node("ilo venn")] == pytest.approx([0.4 / total, 0.5 / total, 0])
    assert reset[4] == pytest.approx([0, 0, 0.04 / total])
    nothing = reset_of(graph, {}, {}, np.zeros(5))
    assert nothing.sum() == pytest.approx(1)
    assert nothing.min() == pytest.approx(nothing.max())


def test_scores_split_into_where_they_came_from(workbench):
    steps = walked(workbench)
    for hit in steps[-1].hits:
        assert tuple(part.name for part in hit.parts) == SOURCES
        assert all(part.value >= 0 for part in hit.parts)
        assert hit.score == pytest.approx(sum(part.value for part in hit.parts))
    without = walked(workbench, dense=0.0)[-1]
    assert {
        part.value for hit in without.hits for part in hit.parts if part.name == "passages"
    } == {0}
    for step in steps:
        if isinstance(step, Spread):
            assert sum(hit.score for hit in step.hits) <= 1 + 1e-5


def test_entities_on_offer_are_tied_to_the_facts_that_name_them(workbench):
    steps = walked(workbench)
    facts, entities = listed(steps, "facts"), listed(steps, "entities")
    kept = {offer.target for offer in facts.taken}
    assert {tie.source for tie in entities.ties} <= kept
    assert {tie.target for tie in entities.ties} <= {offer.target for offer in entities.offers}
    assert facts.considered == len(workbench.get(FACTS).facts)


def test_no_fact_no_spreading(workbench):
    steps = walked(workbench, "zzzz qqqq", enough=1.0, linked=1)
    if not listed(steps, "facts").taken:
        assert not any(isinstance(step, Spread) for step in steps)
    with saying(workbench, []) as (bench, _):
        steps = walked(bench)
    assert not any(isinstance(step, Spread) for step in steps)
    assert "cosine alone" in steps[-1].told.fallback
    dense = list(make("dense", workbench).retrieve(Q))[-1].hits
    assert [h.passage_id for h in steps[-1].hits] == [h.passage_id for h in dense]
    assert listed(steps, "facts").told.verdict == "0 of 5 help"
    assert listed(steps, "facts").told.fallback == ""


@contextmanager
def saying(bench, keep):
    with ChatServer(lambda _: Answer(json.dumps({"keep": keep}))) as server:
        replies = Replies(bench.index.path)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        replies.close()


@pytest.mark.parametrize("keep", [[1], [2, 4], [5, 1], [3, 3, 3], [1, 2, 3, 4, 5]])
def test_the_model_keeps_what_it_names(workbench, keep):
    with saying(workbench, keep) as (bench, server):
        steps = walked(bench)
        facts = listed(steps, "facts")
        places = [n for n, offer in enumerate(facts.offers, start=1) if offer.taken]
        assert places == sorted(set(keep))
        assert facts.told.verdict == f"{len(set(keep))} of 5 help"
        assert facts.told.cost.calls == len(server.requests) == 1
        shown = server.requests[0].data
        assert [one["fact"] for one in shown["facts"]] == [thing.label for thing in facts.things]
        assert_as_read(bench, Q, steps, keep=set(keep))


def test_a_number_that_is_not_listed_does_not_cost_the_others(workbench):
    with saying(workbench, [1, 1, 2, 9]) as (bench, server):
        facts = listed(walked(bench), "facts")
    assert [n for n, offer in enumerate(facts.offers, start=1) if offer.taken] == [1, 2]
    assert facts.told.verdict == "2 of 5 help; numbers that were not listed: 1"
    assert len(server.requests) == 1


@pytest.mark.parametrize("keep", [[0], [6], [-1], [6, 99], [True], ["one"], [1.5], [10**30], 1])
def test_numbers_out_of_range_are_no_choice(workbench, keep):
    alone = walked(workbench)
    with saying(workbench, keep) as (bench, server):
        steps = walked(bench)
    assert steps[-1].hits == alone[-1].hits
    assert listed(steps, "facts").told.fallback
    assert len(server.requests) == 2
    with pytest.raises(ReplyUnreadable):
        read_keep(5, json.dumps({"keep": keep}))


def test_one_call_is_foreseen(workbench):
    with saying(workbench, [1]) as (bench, server):
        bench = bench.with_leave(None)
        bench.get(ENTITY_GRAPH)
        told = forecast(make("hipporag2", bench), Q)
        assert (told.calls, told.likely) == (1, 1)
        assert server.requests == []
        walked(bench.with_leave(LEAVE))
        assert len(server.requests) == 1
        assert forecast(make("hipporag2", bench), Q).calls == 0
