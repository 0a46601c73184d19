"""LightRAG: both levels, both searches, lists by turns, and passages, against plain loops."""

import json
import shutil
from contextlib import contextmanager

import numpy as np
import pytest

from core.artefacts.entity_graph.relations import RELATIONS
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.token_counts import tokens_of
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.lightrag.levels import HIGH, LOW, levels_by_rules
from core.retrievers.entity_graph.lightrag.searching import edges_of
from core.retrievers.entity_graph.related import with_room
from core.retrievers.list_merging import by_turns
from core.steps import ROOT, Offered, Pooled, Said
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

Q = QUESTION.text


@pytest.fixture(scope="module")
def workbench(five_built, tmp_path_factory):
    """One for all tests here: they only ask."""
    folder = shutil.copytree(five_built, tmp_path_factory.mktemp("lightrag") / "five")
    return bench_on(folder, WordEmbedder())


def walked(bench, question=Q, **settings):
    steps = tuple(make("lightrag", bench, **settings).retrieve(question))
    check(steps)
    return steps


def lists(steps):
    return {(step.at, step.of): step for step in steps if isinstance(step, Offered)}


def targets(listed):
    return [offer.target for offer in listed.taken]


@contextmanager
def saying(bench, reply, folder):
    with ChatServer(lambda _: Answer(json.dumps(reply))) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(folder), LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        oracle.replies.close()


def test_rules_read_both_levels(workbench):
    levels = levels_by_rules(Q, workbench.get(KEYWORDS).mentions(Q))
    assert (levels.low, levels.high) == (["Harbour Rovers"], ["town", "owner", "born"])
    said = next(step for step in walked(workbench) if isinstance(step, Said))
    assert said.by == "rules (keyword extractor)"
    assert {thing.id: thing.label for thing in said.things} == {
        LOW: "Harbour Rovers",
        HIGH: "town, owner, born",
    }


def test_entities_and_relations_are_found_by_the_keywords_of_their_level(workbench):
    found, related = lists(walked(workbench, entities=3, relations=4)), workbench.get(RELATIONS)
    low, high = workbench.embedder.encode(["Harbour Rovers", "town, owner, born"])
    cosine = {
        f"entity:{n}": float(v @ low) for n, v in zip(related.names, related.vectors, strict=True)
    }
    near = found[LOW, "entities"]
    assert [o.score for o in near.offers] == pytest.approx(sorted(cosine.values())[:-4:-1])
    assert {o.target: o.score for o in near.offers}.items() <= cosine.items()
    stated = {}
    for fact, vector in zip(related.told.facts, related.told.vectors, strict=True):
        for name in fact.objects if fact.subject else ():
            ends = sorted((fact.subject, name))
            key = "relation:{}|{}".format(*ends)
            stated[key] = max(stated.get(key, -1.0), float(vector @ high))
    wanted = sorted((score for score in stated.values() if score > 0.2), reverse=True)[:4]
    apt = found[HIGH, "relations"]
    assert [o.score for o in apt.offers] == pytest.approx(wanted)
    assert all(stated[o.target] == pytest.approx(o.score) for o in apt.offers)


def test_what_is_found_says_of_how_many_and_what_is_merged_where_it_comes_from(workbench):
    related, found = workbench.get(RELATIONS), lists(walked(workbench, entities=2, relations=2))
    assert found[LOW, "entities"].considered == len(related.names) > 2
    assert found[HIGH, "relations"].considered == len(related.pairs) > 2
    assert "that the found relations connect" in found[ROOT, "merged entities"].told.reason
    assert "between the found entities" in found[ROOT, "merged relations"].told.reason


def test_relations_of_entities_come_by_degree_then_by_how_often_they_are_stated(workbench):
    related = workbench.get(RELATIONS)
    numbers = [related.number[name] for name in ("harbour rovers", "port selby")]
    degree = dict(related.graph.degree)
    pairs = [pair for pair in related.pairs if set(pair) & set(numbers)]
    wanted = sorted(pairs, key=lambda p: (-degree[p[0]] - degree[p[1]], -len(related.pairs[p]), p))
    assert edges_of(numbers, related, 100) == wanted
    assert edges_of(numbers, related, 2) == wanted[:2]


def test_both_searches_make_one_list_by_turns_as_far_as_there_is_room(workbench):
    found = lists(walked(workbench, entities=3, relations=3))
    ends = [end for one in targets(found[HIGH, "relations"]) for end in ordered_ends(one)]
    wanted = by_turns({"local": targets(found[LOW, "entities"]), "global": ends})
    kept = found["#", "merged entities"]
    assert [(o.target, o.score) for o in kept.taken] == [(h.passage_id, h.score) for h in wanted]
    tight = lists(walked(workbench, room=100))["#", "merged entities"]
    assert sum(offer.size for offer in tight.taken) <= tight.room == 100
    assert {offer.notes for offer in tight.offers if not offer.taken} == {
        (("left out:", "over the token limit"),)
    }
    first = tight.things[0]
    assert tight.offers[0].size == tokens_of(f"{first.label} {first.detail}")


def test_what_is_taken_is_joined_to_what_it_was_come_to_by(workbench):
    steps = walked(workbench, entities=2, relations=2)
    ties, known = {}, {ROOT, LOW, HIGH}
    for step in steps:
        if not isinstance(step, Offered):
            continue
        ties |= {tie.id: tie for tie in step.ties}
        for offer in step.taken:
            tie = ties[offer.tie]
            assert tie.target == offer.target
            assert tie.source in known
        known |= set(targets(step))
    pairs = [frozenset((tie.source, tie.target)) for tie in ties.values()]
    assert len(set(pairs)) == len(pairs)
    assert any(tie.source.startswith("relation:") for tie in ties.values())


def ordered_ends(relation):
    return [f"entity:{name}" for name in relation.removeprefix("relation:").split("|")]


@pytest.mark.parametrize("passages", [0, 2])
def test_passages_come_by_turns_of_three_lists(workbench, passages):
    steps = walked(workbench, entities=2, relations=2, each=3, passages=passages)
    found, related, index = lists(steps), workbench.get(RELATIONS), workbench.index
    own = index.vectors @ workbench.embedder.encode([Q])[0]
    entities = [
        related.number[one.removeprefix("entity:")]
        for one in targets(found["#", "merged entities"])
    ]
    pairs = [
        tuple(related.number[name.removeprefix("entity:")] for name in ordered_ends(one))
        for one in targets(found["#", "merged relations"])
    ]

    def most_told(told, most):
        weight = {n: sum(1 / i for i, of in enumerate(told, 1) if n in of) for n in range(len(own))}
        order = sorted((n for n in weight if weight[n]), key=lambda n: (-weight[n], -own[n], n))
        return [index.passages[n].id for n in order[:most]]

    of_entities = most_told([related.passages(one) for one in entities], 3 * len(entities) // 2)
    brought = {index.number[id_] for id_ in of_entities}
    facts = [[related.told.facts[f].passage for f in related.between(*pair)] for pair in pairs]
    stated = [set(of) - brought for of in facts]
    wanted = {
        "question": [index.passages[n].id for n in np.argsort(-own)[:passages]],
        "entities": of_entities,
        "relations": most_told(stated, 3 * len(pairs) // 2),
    }
    assert steps[-1].hits == by_turns(wanted)[:20]
    pooled = next(step for step in steps if isinstance(step, Pooled))
    for tie in pooled.ties:
        name = tie.source.removeprefix("entity:")
        assert index.number[tie.target] in related.passages(related.number[name])


def test_a_models_keywords_are_searched_with_and_foreseen(workbench, tmp_path):
    with saying(workbench, {"low": ["River  Ash"], "high": []}, tmp_path) as (bench, server):
        told = forecast(make("lightrag", bench.with_leave(None)), Q)
        assert (told.calls, told.likely, len(server.requests)) == (1, 1, 0)
        steps = walked(bench)
    assert server.requests[0].data == {"question": Q}
    found = lists(steps)
    assert targets(found[LOW, "entities"])[0] == "entity:river ash"
    assert (HIGH, "relations") not in found
    said = next(step for step in steps if isinstance(step, Said))
    assert (said.by, said.text) == (
        "keyword extractor",
        "Keywords for entities (low level): River Ash. Keywords for relations (high level): none.",
    )


@pytest.mark.parametrize("reply", [{"low": [], "high": []}, {"low": [" "], "high": ["\n"]}, {}])
def test_no_keyword_is_replaced(workbench, tmp_path, reply):
    with saying(workbench, reply, tmp_path) as (bench, _):
        steps = walked(bench)
    assert steps[-1].hits == walked(workbench)[-1].hits
    assert steps[2].told.fallback


def test_where_nothing_is_like_a_keyword_passages_have_their_cosine(tmp_path):
    build(tmp_path / "i", corpus(Document("a", "", "so it goes")), WordEmbedder(), silent)
    end = walked(bench_on(tmp_path / "i", WordEmbedder()), "so what?")[-1]
    assert [hit.passage_id for hit in end.hits] == ["a"]
    assert "cosine alone" in end.told.fallback


def test_what_does_not_fit_ends_the_list():
    assert with_room([5, 1], 4) == 0
    assert with_room([2, 2, 1], 4) == 2
    assert with_room([], 4) == 0
