"""GraphRAG, local search: relations and texts in its order, against a slow reading of facts."""

import shutil
from itertools import combinations

import pytest

from core.artefacts.entity_graph.relations import RELATIONS
from core.indexing.updates import build
from core.playback import check
from core.retrievers import make
from core.retrievers.entity_graph.reports import with_unique_labels
from core.steps import Offered, Pooled, Thing
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

Q = QUESTION.text


@pytest.fixture(scope="module")
def workbench(five_built, tmp_path_factory):
    """One for all tests here: they only ask."""
    folder = shutil.copytree(five_built, tmp_path_factory.mktemp("graphrag") / "five")
    return bench_on(folder, WordEmbedder())


def walked(bench, question=Q, **settings):
    steps = tuple(make("graphrag-local", bench, **settings).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def taken(steps):
    """Names of the entities, in their order."""
    return [offer.target.removeprefix("entity:") for offer in listed(steps, "entities").taken]


def joined(bench):
    """Pairs of names that a fact has, as the facts say."""
    facts, known = bench.get(RELATIONS).told.facts, bench.get(RELATIONS).number
    return {
        pair
        for fact in facts
        for pair in combinations(sorted({name for name in fact.names if name in known}), 2)
    }


def test_entities_are_taken_by_what_is_told_of_them(workbench):
    related, asked = workbench.get(RELATIONS), workbench.embedder.encode([Q])[0]
    cosine = sorted((related.vectors @ asked).tolist(), reverse=True)
    found = listed(walked(workbench, entities=3), "entities")
    assert [offer.score for offer in found.offers] == pytest.approx(cosine[:3])


@pytest.mark.parametrize(("entities", "each"), [(2, 1), (3, 2), (6, 10)])
def test_relations_within_come_first_then_those_to_what_most_are_related_to(
    workbench, entities, each
):
    steps = walked(workbench, entities=entities, each=each)
    inner, pairs = set(taken(steps)), joined(workbench)
    degree = {name: sum(name in pair for pair in pairs) for pair in pairs for name in pair}
    links = {
        name: sum(name in pair and bool(inner & set(pair) - {name}) for pair in pairs)
        for name in degree
    }

    def order(pair):
        out = [name for name in pair if name not in inner]
        return (len(out), -links[out[0]] if out else 0, -degree[pair[0]] - degree[pair[1]], pair)

    beside = sorted((pair for pair in pairs if inner & set(pair)), key=order)
    within = [pair for pair in beside if inner >= set(pair)]
    leading_out = [pair for pair in beside if pair not in within][: each * entities]
    found = listed(steps, "relations")
    assert [o.target for o in found.taken] == [f"relation:{a}|{b}" for a, b in within + leading_out]


def test_relations_that_a_limit_cuts_are_counted(workbench):
    steps = walked(workbench, entities=2, each=1)
    all_ = {pair for pair in joined(workbench) if set(pair) & set(taken(steps))}
    assert listed(steps, "relations").considered == len(all_)


def test_relations_have_their_room(workbench):
    found = listed(walked(workbench, room=100), "relations")
    assert sum(offer.size for offer in found.taken) <= found.room == 35
    assert {offer.notes for offer in found.offers if not offer.taken} == {
        (("left out:", "over the token limit"),)
    }
    assert listed(walked(workbench, room=1000), "communities").room == 150


@pytest.mark.parametrize("entities", [1, 3, 20])
def test_texts_come_by_entity_then_by_its_relations_then_by_cosine(workbench, entities):
    steps = walked(workbench, entities=entities)
    index, asked = workbench.index, workbench.embedder.encode([Q])[0]
    facts, known = workbench.get(RELATIONS).told.facts, workbench.get(RELATIONS).number
    names = taken(steps)
    keys = {}
    for number, passage in enumerate(index.passages):
        told = [fact.names for fact in facts if fact.passage == number]
        place = next((i for i, one in enumerate(names) if any(one in of for of in told)), None)
        if place is not None:
            beside = {n for of in told if names[place] in of for n in of if n in known}
            cosine = float(index.vectors[number] @ asked)
            keys[passage.id] = (place, -len(beside - {names[place]}), -cosine, number)
    assert [hit.passage_id for hit in steps[-1].hits] == sorted(keys, key=keys.__getitem__)
    pooled = next(step for step in steps if isinstance(step, Pooled))
    assert {tie.target: tie.source for tie in pooled.ties} == {
        id_: f"entity:{names[key[0]]}" for id_, key in keys.items()
    }


def test_where_nothing_is_named_passages_have_their_cosine_alone(tmp_path):
    build(tmp_path / "i", corpus(Document("a", "", "so it goes")), WordEmbedder(), silent)
    end = walked(bench_on(tmp_path / "i", WordEmbedder()), "so?")[-1]
    assert [hit.passage_id for hit in end.hits] == ["a"]
    assert "cosine alone" in end.told.fallback


def test_reports_say_whose_they_are(workbench, thinking):
    assert walked(workbench)[-1].told.reason.startswith("Without a model, a report")
    assert walked(thinking)[-1].told.reason == "3 of 3 reports by scripted."


def test_communities_that_would_be_called_alike_have_a_number():
    long = "Ada Thornquist (ferry). Hybrid search is hers"
    things = [
        Thing(f"community:{n}", "community", told) for n, told in enumerate((long, "B", long))
    ]
    assert [thing.label for thing in with_unique_labels(things)] == [
        "Ada Thornquist (ferry). Hybrid… · 1",
        "B",
        "Ada Thornquist (ferry). Hybrid… · 2",
    ]
