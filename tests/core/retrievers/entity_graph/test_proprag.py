"""PropRAG: the beam against all paths there are, weights as formulas, what it shows."""

import itertools
import random

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import ENTITIES, ENTITY_GRAPH, FACTS, Entities, Fact, Facts
from core.playback import check
from core.retrievers import make
from core.retrievers.entity_graph.beam import Beam, Path, search
from core.retrievers.entity_graph.proprag import BEAM, path_weights
from core.steps import Began, Offered
from core.vectors import unit_norm
from tests.core.five import QUESTION

Q = QUESTION.text


def walked(bench, question=Q, **settings):
    steps = tuple(make("proprag", bench, **settings).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return [step for step in steps if isinstance(step, Offered) and step.of == of]


def world(seed, facts=9, alike=()):
    rng = random.Random(seed)
    names = tuple("abcdefg")
    told = tuple(Fact(0, "", f"t{n}", tuple(rng.sample(names, 2))) for n in range(facts))
    vectors = unit_norm(np.random.default_rng(seed).normal(size=(facts + 1, 6)).astype(np.float32))
    pairs = np.array(alike, np.int64).reshape(-1, 2).T
    entities = Entities(
        names,
        {name: n for n, name in enumerate(names)},
        (pairs[0], pairs[1], np.ones(len(alike))),
        np.zeros(0, np.int64),
        np.zeros((0, 6), np.float32),
    )
    return Facts(told, vectors[:-1]), entities, vectors[-1]


def follows(one, other, alike):
    """Whether two facts share an entity, or have two that are alike."""
    pairs = {(name, name) for name in "abcdefg"}
    for i, j in alike:
        pairs |= {("abcdefg"[i], "abcdefg"[j]), ("abcdefg"[j], "abcdefg"[i])}
    return any((a, b) in pairs for a in one.names for b in other.names)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alike", [(), ((0, 6), (1, 5))])
def test_a_beam_as_wide_as_all_finds_the_best_of_all_paths(seed, alike):
    facts, entities, asked = world(seed, alike=alike)
    beam = Beam(width=1_000, length=3, anywhere=0)
    found = list(search(beam, facts, range(9), entities, asked, lambda _: []))

    def score(path):
        mean = np.mean([facts.vectors[n] for n in path], axis=0)
        return float(mean @ asked / np.linalg.norm(mean))

    for length, paths in enumerate(found, start=1):
        wanted = {
            (frozenset(path), path[-1]): score(path)
            for path in itertools.permutations(range(9), length)
            if all(
                follows(facts.facts[a], facts.facts[b], alike) for a, b in itertools.pairwise(path)
            )
        }
        scores = {(frozenset(path.facts), path.facts[-1]): path.score for path in paths}
        assert scores == pytest.approx(wanted, abs=1e-5)
        ordered = [path.score for path in paths]
        assert ordered == sorted(ordered, reverse=True)


def test_a_narrow_beam_goes_on_from_its_best_and_the_best_starts_are_always_allowed():
    facts, entities, asked = world(3)
    one, two = itertools.islice(
        search(Beam(1, 2, anywhere=3), facts, range(9), entities, asked, lambda _: []), 2
    )
    start, allowed = one[0].facts[0], {path.facts[0] for path in one[:3]}
    assert {path.facts[0] for path in two} == {start}
    reached = {path.facts[1] for path in two}
    assert allowed - {start} <= reached
    for path in two:
        last = facts.facts[path.facts[1]]
        assert path.by == tuple(sorted({*facts.facts[start].names} & {*last.names}))
        assert path.by or path.facts[1] in allowed


def test_the_best_are_read_again_as_one_text():
    facts, entities, asked = world(4)
    read = []

    def again(texts):
        read.extend(texts)
        return [-float(place) for place in range(len(texts))]

    one, two = search(Beam(4, 2, again=3), facts, range(9), entities, asked, again)
    plain = list(search(Beam(4, 2), facts, range(9), entities, asked, again))[1]
    assert [path.facts for path in two] == [path.facts for path in plain[:3]]
    assert [path.score for path in two] == [0, -1, -2]
    assert read == [" ".join(facts.facts[n].text for n in path.facts) for path in plain[:3]]
    assert all(len(path.facts) == 1 for path in one)


def test_entities_are_weighted_by_their_best_path_among_all_and_among_single_facts():
    facts = [Fact(0, name, "", ()) for name in "abc"]
    paths = [
        *(Path((0,), 0.6), Path((1,), 0.4), Path((2,), 0.2)),
        *(Path((0, 1), 0.9), Path((1, 2), 0.5)),
    ]
    among_all = {"a": 0.9 / 0.9, "b": 0.9 / 0.9}  # the paths (0, 1) and (0)
    single = {"a": 0.6 / 0.6, "b": 0.4 / 0.6}  # the paths (0) and (1)
    assert path_weights(paths, facts, 2) == pytest.approx(
        {name: max(among_all[name], single[name]) for name in "ab"}
    )
    only_single = [path for path in paths if len(path.facts) == 1]
    assert path_weights(only_single, facts, 2) == pytest.approx(single)
    assert path_weights([Path((2,), 0.3)], facts, 2) == {"c": 1.0}
    assert path_weights([Path((2,), -0.3)], facts, 2) == {}
    assert path_weights([], facts, 2) == {}


def test_the_entities_of_the_most_and_best_paths_seed():
    facts = [Fact(0, name, "", ("shared",)) for name in "abcdef"]
    paths = [Path((n,), 0.9 - n / 10) for n in range(6)]
    assert set(path_weights(paths, facts, 6)) == {"shared", *"abcd"}


def test_a_graph_within_some_nodes_has_their_edges_alone(workbench):
    graph = workbench.get(ENTITY_GRAPH)
    nodes = graph.neighbours(np.array([4, 1]))
    assert {1, 4} <= set(nodes.tolist())
    names = {graph.entities.names[n - graph.passages] for n in nodes if n >= graph.passages}
    assert names == {n for p in (1, 4) for n in workbench.index.passage_keywords[p]}
    inside = graph.within(nodes).edges.toarray()
    whole = graph.edges.toarray()
    kept = np.isin(np.arange(graph.size), nodes)
    assert (inside == whole * kept[:, None] * kept[None, :]).all()
    reset = np.zeros((graph.size, 1), np.float32)
    reset[1] = 1
    *_, (mass, _) = graph.within(nodes).spread(reset, 0.45)
    assert mass.sum() == pytest.approx(1, abs=1e-5)
    assert not mass[~kept].any()


def test_it_steps_as_often_as_a_path_may_be_long_and_shows_each(workbench):
    steps = walked(workbench, length=2, again=0)
    assert [s.number for s in steps if isinstance(s, Began) and s.name == BEAM] == [1, 2]
    linked, first = listed(steps, "propositions")
    (paths,) = listed(steps, "paths")
    assert len(linked.offers) == linked.considered == len(workbench.get(FACTS).facts)
    assert len(first.taken) == 4
    ends = {offer.target for offer in first.taken}
    ties = {tie.id: tie for tie in paths.ties}
    for offer in paths.offers:
        assert ties[offer.tie].target == offer.target
        assert ties[offer.tie].source in ends
    entities = listed(steps, "entities")[0]
    assert {offer.target.removeprefix("entity:") for offer in entities.offers} <= set(
        workbench.get(ENTITIES).names
    )


def test_texts_are_embedded_only_to_be_read_again(workbench):
    workbench.encode(Q)
    walked(workbench, again=0)
    before = len(workbench.embedder.texts)
    walked(workbench, again=0)
    assert workbench.embedder.texts[before:] == [Q]
    walked(workbench, again=3, length=3)
    assert len(workbench.embedder.texts) == before + 2 + 3 + 3


def test_what_is_outside_stays_below(workbench, monkeypatch):
    monkeypatch.setattr("core.retrievers.entity_graph.proprag._NEAR_BY", 2)
    shown = walked(workbench, top_k=5)
    near = {offer.target for offer in listed(shown, "passages")[0].offers}
    order = [hit.passage_id for hit in shown[-1].hits]
    assert set(order[:2]) == near
    assert len(order) == 5
    few = walked(workbench, top_k=2)[-1].hits
    assert [hit.passage_id for hit in few] == order[:2]
    assert {part.name for hit in few for part in hit.parts} == {"paths", "question", "passages"}


def test_the_entities_of_the_best_paths_are_joined_to_the_facts_that_name_them(workbench):
    entities = listed(walked(workbench, again=0), "entities")[0]
    facts = workbench.get(FACTS).facts
    assert {tie.target for tie in entities.ties} == {offer.target for offer in entities.offers}
    for tie in entities.ties:
        names = facts[int(tie.source.removeprefix("fact:"))].names
        assert tie.target.removeprefix("entity:") in names


def test_the_facts_that_it_starts_from_are_joined_to_the_entities_they_name(workbench):
    offered = listed(walked(workbench, again=0), "propositions")[0]
    facts = workbench.get(FACTS).facts
    named = {
        (offer.target, f"entity:{name}")
        for offer in offered.offers
        for name in facts[int(offer.target.removeprefix("fact:"))].names
    }
    assert {(tie.source, tie.target) for tie in offered.ties} == named
    assert {thing.id for thing in offered.things if thing.kind == "entity"} == {b for _, b in named}
    assert f"{len({b for _, b in named})} entities" in offered.told.reason
