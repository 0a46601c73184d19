"""PropRAG against a slow reference written from arXiv 2504.18070 and the method's page."""

from functools import cache

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.lexical.keywords import KEYWORDS
from tests.core.retrievers.references.graphs.conftest import asked
from tests.core.retrievers.references.graphs.tables import (
    assert_ranked,
    entities_of,
    found_by,
    ordered,
    spec_of,
)

SETTINGS = (
    {},
    {"top_k": 60, "linked": 3, "width": 1, "length": 2},
    {"width": 6, "length": 4, "best_paths": 2, "dense": 0.4},
    {"again": 7, "length": 3, "best_paths": 9, "dense": 0.0},
    {"linked": 50, "width": 3, "length": 1},
)
BLUR = 5e-7  # probabilities are float32 in the retriever
NEAR = 50


def reference(
    bench,
    question,
    *,
    linked=20,
    width=4,
    length=3,
    again=0,
    best_paths=5,
    dense=0.05,
    top_k=20,
):
    """Return the ranking of passages, all of them if `top_k` exceeds the ones near the question."""
    index, facts, vectors = bench.index, bench.get(FACTS).facts, bench.get(FACTS).vectors
    asked_vector = bench.embedder.encode([question])[0]
    cosine = [float(value) for value in index.vectors @ asked_vector]
    near_question = scaled(cosine)
    weights = edges(bench)
    bearers = {
        name: sum(name in names for names in entities_of(bench))
        for name in bench.get(ENTITIES).names
    }
    start = {}
    for n in ordered(vectors @ asked_vector, linked):
        for name in names_of(facts[n]):
            start.setdefault(name, 1.0)
    if not start:
        return [(index.ids[n], cosine[n]) for n in ordered(cosine)][:top_k]
    named = {
        name: 1 / bearers[name]
        for name in bench.get(KEYWORDS).of(question)
        if bearers.get(name, 0) > 0
    }
    reset = sources(
        {name: 1 / max(1, bearers[name]) for name in list(start)[:40]},
        named,
        {n: dense * value for n, value in enumerate(near_question)},
    )
    wide = page_rank(weights, reset, 0.75, 0.01)
    near = ordered([wide.get(("p", n), 0.0) for n in range(len(cosine))], NEAR)

    paths = on_the_beam(bench, asked_vector, set(near), width, length, again)
    seeds = {}
    ranked = sorted(paths, key=lambda path: -path[1])
    for group in (ranked[:best_paths], [path for path in ranked if len(path[0]) == 1][:best_paths]):
        for name, weight in seeds_of(group, facts).items():
            seeds[name] = max(seeds.get(name, 0.0), weight)
    inside = {("p", n) for n in near}
    inside |= {other for node in inside for other in weights[node]}
    within = {
        node: {other: w for other, w in ends.items() if {node, other} <= inside}
        for node, ends in weights.items()
    }
    reset = sources(
        {name: weight / max(1, bearers[name]) for name, weight in seeds.items()},
        named,
        {n: dense * near_question[n] for n in near},
    )
    mass = page_rank(within, reset, 0.45, 1e-3)
    scores = {n: mass.get(("p", n), 0.0) for n in range(len(cosine))}
    if top_k > len(near):
        lowest = min(scores[n] for n in near)
        scores |= {
            n: 0.999 * lowest * near_question[n] for n in range(len(cosine)) if n not in near
        }
    order = sorted(scores, key=lambda n: (-scores[n], n))
    return [(index.ids[n], scores[n]) for n in order][:top_k]


def scaled(values):
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


def names_of(fact):
    return [name for name in dict.fromkeys((fact.subject, *fact.objects)) if name]


@cache
def edges(bench):
    """Return the weight of each edge: mentions, subjects with objects, and similar names."""
    entities = bench.get(ENTITIES)
    nodes = [("p", n) for n in range(len(bench.index.ids))] + [("e", e) for e in entities.names]
    weights = {node: {} for node in nodes}

    def join(one, other, weight):
        weights[one][other] = weights[one].get(other, 0.0) + weight
        weights[other][one] = weights[other].get(one, 0.0) + weight

    for n, names in enumerate(entities_of(bench)):
        for name in names:
            if name in entities.number:
                join(("p", n), ("e", name), 1.0)
    for fact in bench.get(FACTS).facts:
        for name in fact.objects:
            if fact.subject:
                join(("e", fact.subject), ("e", name), 1.0)
    for one, other, near in synonyms(bench):
        join(("e", one), ("e", other), near)
    return weights


@cache
def synonyms(bench):
    """Return pairs of names with a cosine of at least 0.8, and the cosine."""
    entities = bench.get(ENTITIES)
    names = [entities.names[n] for n in entities.linkable]
    cosine = entities.vectors @ entities.vectors.T
    return [
        (names[i], names[j], float(cosine[i, j]))
        for i in range(len(names))
        for j in range(i + 1, len(names))
        if cosine[i, j] >= np.float32(0.8)
    ]


def sources(entities, named, passages):
    """Return where probability starts, by source; together it is 1."""
    reset = [
        {("e", name): weight for name, weight in entities.items()},
        {("e", name): weight for name, weight in named.items()},
        {("p", n): weight for n, weight in passages.items()},
    ]
    total = sum(sum(some.values()) for some in reset)
    return [{node: weight / total for node, weight in some.items()} for some in reset]


def page_rank(weights, reset, damping, enough):
    """Return the probability of each node when less than `enough` moves, after 30 rounds at most.

    What the sources move is added up; a node without an edge gives all that it has back.
    """
    degree = {node: sum(ends.values()) for node, ends in weights.items()}
    now = [dict(some) for some in reset]
    for _ in range(30):
        lost = sum(share for some in now for node, share in some.items() if not degree[node])
        back, moved, then = 1 - damping + damping * lost, 0.0, []
        for some, starts in zip(now, reset, strict=True):
            after = {node: back * share for node, share in starts.items()}
            for node, share in some.items():
                for other, weight in weights[node].items():
                    flow = damping * share * weight / degree[node]
                    after[other] = after.get(other, 0.0) + flow
            moved += sum(abs(after.get(n, 0) - some.get(n, 0)) for n in {*after, *some})
            then.append(after)
        now = then
        if moved < enough:
            break
    return {
        node: sum(some.get(node, 0.0) for some in now) for node in {n for some in now for n in some}
    }


def on_the_beam(bench, asked_vector, near, width, length, again):
    """Return every path on the beam: its facts in order, and its score."""
    facts, vectors = bench.get(FACTS).facts, bench.get(FACTS).vectors
    some = [n for n, fact in enumerate(facts) if fact.passage in near]
    alike = {frozenset((one, other)) for one, other, _ in synonyms(bench)}

    def shares(one, other):
        return any(
            a == b or frozenset((a, b)) in alike
            for a in names_of(facts[one])
            for b in names_of(facts[other])
        )

    def score(path):
        """The cosine of the question and the mean of the path's vectors."""
        total = sum(vectors[n].astype(float) for n in path)
        square = np.float32((total * total).sum())
        return float(np.float32((total * asked_vector).sum()) / np.sqrt(square))

    alone = {n: float((vectors[n].astype(float) * asked_vector).sum()) for n in some}
    singles = [(n,) for n in sorted(some, key=lambda n: (-alone[n], n))]
    anywhere = {path[0] for path in singles[:3]}
    beam = [(path, alone[path[0]]) for path in singles[:width]]
    found = list(beam)
    for _ in range(length - 1):
        longer = {}
        for path, _ in beam:
            for n in some:
                if n not in path and (n in anywhere or shares(path[-1], n)):
                    longer.setdefault((frozenset((*path, n)), n), (*path, n))
        scored = sorted(((p, score(p)) for p in longer.values()), key=lambda one: (-one[1], one[0]))
        if again:
            texts = [" ".join(facts[n].text for n in path) for path, _ in scored[:again]]
            values = [float(v @ asked_vector) for v in bench.embedder.encode(texts)]
            scored = [(path, v) for (path, _), v in zip(scored[:again], values, strict=True)]
            scored.sort(key=lambda one: (-one[1], one[0]))
        beam = scored[:width]
        found += beam
    return found


def seeds_of(group, facts):
    """Return the five entities with the largest sum of scores, by the best over the largest."""
    scores = {}
    for path, score in group:
        for n in path:
            for name in names_of(facts[n]):
                scores.setdefault(name, []).append(score)
    kept = sorted(scores, key=lambda name: (-sum(scores[name]), name))[:5]
    best = {name: max(scores[name]) for name in kept if max(scores[name]) > 0}
    return {name: value / max(best.values()) for name, value in best.items()}


def assert_as_in_the_reference(bench, question, settings):
    wanted = reference(bench, question, **settings)
    end = found_by(bench, spec_of("proprag", settings), question)
    assert_ranked(end, wanted, settings.get("top_k", 20), BLUR)


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_sample_is_ranked_like_the_reference(sample, questions, settings):
    for question in questions[::2]:
        assert_as_in_the_reference(sample, question, settings)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_random_world_is_ranked_like_the_reference(graph_world, seed, settings):
    for question in asked(seed):
        assert_as_in_the_reference(graph_world(seed), question, settings)


def test_the_worlds_have_similar_names(graph_world):
    assert any(synonyms(graph_world(seed)) for seed in range(4))


def test_without_facts_the_cosine_ranks(no_names):
    assert_as_in_the_reference(no_names, "who says so?", {})


@pytest.mark.parametrize("settings", SETTINGS)
def test_imported_triples_are_ranked_like_the_reference(triples, settings):
    for question in asked(5):
        assert_as_in_the_reference(triples, question, settings)
