"""HippoRAG: links, specificity and mentions as numbers, the whole against a slow reading."""

import json
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.entity_graph.mentions import MENTIONS
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.linking import linked, specific
from core.steps import Offered, Spread
from tests.core.five import QUESTION, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

Q = QUESTION.text


def walked(bench, question=Q, **settings):
    steps = tuple(make("hipporag", bench, **settings).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def reference(bench, names, damping=0.5):
    """What the paper describes, dictionary by dictionary: score by passage id."""
    index, facts, entities = bench.index, bench.get(FACTS).facts, bench.get(ENTITIES)
    tells = defaultdict(float)
    for fact in facts:
        for name in fact.names:
            tells[fact.passage, name] += 1
    for passage, named in enumerate(index.passage_keywords):
        for name in entities.number.keys() & named:
            tells[passage, name] = max(1.0, tells[passage, name])
    bearers = {name: sum(e == name for _, e in tells) for name in entities.names}
    reset = {name: 1 / bearers[name] for name in names}
    total = sum(reset.values())
    weights = defaultdict(lambda: defaultdict(float))
    for fact in facts:
        for name in fact.objects:
            if fact.subject:
                weights[fact.subject][name] += 1
                weights[name][fact.subject] += 1
    for one, other, near in zip(*entities.synonyms, strict=True):
        weights[entities.names[one]][entities.names[other]] += near
        weights[entities.names[other]][entities.names[one]] += near
    mass = {name: reset.get(name, 0) / total for name in entities.names}
    for _ in range(60):
        then = dict.fromkeys(entities.names, 0.0)
        lost = 0.0
        for name in entities.names:
            degree = sum(weights[name].values())
            if not degree:
                lost += mass[name]
            for other, weight in weights[name].items():
                then[other] += damping * mass[name] * weight / degree
        for name in reset:
            then[name] += (1 - damping + damping * lost) * reset[name] / total
        mass = then
    found = defaultdict(float)
    for (passage, name), count in tells.items():
        found[index.passages[passage].id] += count * mass[name]
    return found


@pytest.mark.parametrize("damping", [0.5, 0.2])
@pytest.mark.parametrize(
    "question", [Q, "Who married Ilo Venn?", "Is the Lantern Ground in Port Selby?"]
)
def test_the_ranking_is_that_of_the_paper(workbench, question, damping):
    names = [n for n in workbench.get(KEYWORDS).of(question) if n in workbench.get(ENTITIES).number]
    wanted = reference(workbench, names, damping)
    hits = walked(workbench, question, damping=damping)[-1].hits
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(
        {name: score for name, score in wanted.items() if score > 0}, abs=4e-3
    )


def test_mentions_count_facts_and_at_least_once_what_is_named(workbench):
    told, number = workbench.get(MENTIONS), workbench.get(ENTITIES).number
    club, town = (workbench.index.number[name] for name in ("club", "town"))
    assert told.counts[club, number["harbour rovers"]] == 3  # the subject of three sentences
    assert told.counts[club, number["mara quist"]] == 1
    assert told.counts[town, number["mara quist"]] == 0
    assert told.bearers[number["port selby"]] == 3


def test_a_name_is_linked_to_what_is_called_so_or_else_to_the_nearest(workbench):
    entities = workbench.get(ENTITIES)
    names = ("ilo venn", "old harbour rovers", "1871", "ilo venn")
    same, near, none = linked(names, entities, workbench.embedder)
    assert (same.entity, same.likeness) == ("ilo venn", 1)
    vector = workbench.embedder.encode(["old harbour rovers"])
    assert [(near.entity, near.likeness)] == entities.nearest(vector)
    assert near.entity == "harbour rovers"
    assert none.entity == ""
    bearers = workbench.get(MENTIONS).bearers
    assert specific((same, near, none), entities, bearers) == pytest.approx(
        {"ilo venn": 1 / 2, "harbour rovers": 1 / 1}
    )


def test_the_nearest_name_is_told(workbench):
    with saying(workbench, ["Old Harbour Rovers", "Port Selby"]) as (bench, _):
        entities = listed(walked(bench), "entities")
    assert [offer.target for offer in entities.offers] == [
        "entity:harbour rovers",
        "entity:port selby",
    ]
    assert [offer.score for offer in entities.offers] == pytest.approx([1 / 1, 1 / 3])
    (what, text), *_ = entities.offers[0].notes
    assert what == "closest to"
    assert text.startswith("old harbour rovers (0.")
    assert entities.offers[1].notes == ()


def test_passages_are_tied_to_what_they_stand_there_by(workbench):
    steps = walked(workbench)
    shown = listed(steps, "passages")
    assert [offer.target for offer in shown.offers] == [h.passage_id for h in steps[-1].hits]
    assert shown.offers[0].target == "club"
    assert dict(shown.offers[0].notes)["via"].startswith("harbour rovers")
    assert {tie.source for tie in shown.ties} <= {offer.target for offer in shown.offers}


@pytest.mark.parametrize("question", ["who was it?", "1871"])
def test_without_a_link_passages_are_ranked_by_cosine(workbench, question):
    steps = walked(workbench, question)
    assert not any(isinstance(step, Spread) for step in steps)
    assert "No name in the query matches an entity" in steps[-1].told.fallback
    dense = list(make("dense", workbench).retrieve(question))[-1].hits
    assert [h.passage_id for h in steps[-1].hits] == [h.passage_id for h in dense]


@contextmanager
def saying(bench, names):
    with ChatServer(lambda _: Answer(json.dumps({"names": names}))) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(bench.index.path), LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        oracle.replies.close()


def test_the_model_names_where_it_starts(workbench):
    with saying(workbench, ["the Lantern Ground", " ", "Ilo Venn"]) as (bench, server):
        steps = walked(bench)
    entities = listed(steps, "entities")
    assert {o.target for o in entities.offers} == {"entity:lantern ground", "entity:ilo venn"}
    assert entities.told.cost.calls == len(server.requests) == 1
    assert server.requests[0].data == {"question": Q}
    wanted = reference(workbench, ["lantern ground", "ilo venn"])
    for hit in steps[-1].hits:
        assert hit.score == pytest.approx(wanted[hit.passage_id], abs=4e-3)
    with saying(workbench, []) as (bench, _):
        steps = walked(bench, "Who toured with the Low Tide Band?")
    assert listed(steps, "entities").told.verdict == "no name"
    assert steps[-1].told.fallback


def test_no_name_at_all_is_near_nothing(workbench):
    entities = workbench.get(ENTITIES)
    assert entities.nearest(np.zeros((0, 16), np.float32)) == []


def test_one_call_is_foreseen(workbench):
    with saying(workbench, ["Ilo Venn"]) as (bench, server):
        bench.get(MENTIONS)
        told = forecast(make("hipporag", bench.with_leave(None)), Q)
        assert (told.calls, told.likely) == (1, 1)
        assert server.requests == []
        walked(bench)
        assert len(server.requests) == 1
        assert forecast(make("hipporag", bench.with_leave(None)), Q).calls == 0
