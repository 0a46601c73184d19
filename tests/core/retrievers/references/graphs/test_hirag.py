"""HiRAG against a slow reference written from arXiv 2503.10150 and the method's page."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.summary_entities import HIERARCHY
from core.models.token_counts import tokens_of
from core.steps import Offered
from tests.core.retrievers.references.graphs.conftest import asked
from tests.core.retrievers.references.graphs.tables import (
    assert_ranked,
    end_of,
    ordered,
    related_of,
    spec_of,
)
from tests.core.retrievers.scripted import walked

SETTINGS = (
    {},
    {"entities": 3, "communities": 1, "key": 2},
    {"entities": 40, "communities": 9, "key": 6, "room": 300, "local": 0.0, "bridge": 1.0},
    {"entities": 8, "communities": 3, "key": 10, "room": 100, "local": 1.0, "bridge": 0.4},
    {"entities": 1, "communities": 20, "key": 1},
)
BEHIND = 5  # communities that are looked at beyond those wanted


def reference(
    bench,
    question,
    shown,
    *,
    entities=20,
    communities=4,
    key=3,
    room=2_000,
    local=0.3,
    bridge=0.1,
):
    """Return the ranking of passages.

    Parameters
    ----------
    shown : pairs of nodes, the edges of the bridge of a retrieval. Of paths that are equally
        short, any may be taken; that they are the shortest is asserted.
    """
    index, facts, vectors = bench.index, bench.get(FACTS).facts, bench.get(FACTS).vectors
    related, query = related_of(bench), bench.embedder.encode([question])[0]
    own = index.vectors @ query
    if not related.names:
        return [(index.ids[n], float(own[n])) for n in ordered(own)]
    summaries = summaries_of(bench)
    names = [*related.names, *summaries]
    stacked = np.concatenate((related.vectors, bench.get(HIERARCHY).vectors))
    cosine = dict(zip(names, (stacked @ query).tolist(), strict=True))
    taken = [names[n] for n in ordered(cosine.values(), entities)]
    keys = []
    for members in chosen(bench, query, taken, related, communities, room):
        for n in ordered([cosine[name] for name in members], key):
            keys += [members[n]] if members[n] not in keys else []
    assert_shortest(shown, keys, neighbours(bench))

    about, stated = {}, {}
    for name in taken:
        for fact in related.facts.get(name, ()):
            about.setdefault(facts[fact].passage, cosine[name])
    for one, other in shown:
        for fact in related.pairs.get((min(one, other), max(one, other)), ()):
            value = float(vectors[fact] @ query)
            passage = facts[fact].passage
            stated[passage] = max(stated.get(passage, 0.0), value)
    scores = {
        n: float(own[n]) + local * about.get(n, 0.0) + bridge * stated.get(n, 0.0)
        for n in {*about, *stated}
    }
    order = sorted(scores, key=lambda n: (-scores[n], n))
    return [(index.ids[n], scores[n]) for n in order]


@cache
def summaries_of(bench):
    """Return the members of each summary entity, by its id; its vector is the mean of theirs."""
    related, hierarchy = related_of(bench), bench.get(HIERARCHY)
    found, vector = {}, {}
    for name, row in zip(related.names, related.vectors, strict=True):
        vector[name] = row.astype(float)
    for number, one in enumerate(hierarchy.summaries):
        behind = len(related.names)
        members = [related.names[m] if m < behind else f"summary:{m - behind}" for m in one.members]
        mean = np.mean([vector[name] for name in members], axis=0)
        vector[f"summary:{number}"] = mean / np.linalg.norm(mean)
        stored = hierarchy.vectors[number]
        assert stored == pytest.approx(vector[f"summary:{number}"], abs=1e-6)
        found[f"summary:{number}"] = members
    return found


def chosen(bench, query, taken, related, most, room):
    """Return the members of the communities that hold most of the entities taken."""
    groups = bench.get(COMMUNITIES)
    members = [[related.names[n] for n in one.members] for one in groups.communities]
    held = [sum(name in taken for name in some) for some in members]
    report = groups.vectors @ query
    order = sorted(
        (n for n, count in enumerate(held) if count),
        key=lambda n: (-held[n], -float(report[n]), n),
    )
    kept = []
    for n in order[: most + BEHIND]:
        size = tokens_of(groups.communities[n].report)
        if size <= room and len(kept) < most:
            room -= size
            kept.append(members[n])
    return kept


@cache
def neighbours(bench):
    """Return who is joined to whom: entities named together, summary entities and members."""
    joined = {name: set(near) for name, near in related_of(bench).neighbours.items()}
    for summary, members in summaries_of(bench).items():
        for member in members:
            joined.setdefault(summary, set()).add(member)
            joined.setdefault(member, set()).add(summary)
    return joined


def distances(joined, start):
    """Return the number of edges from `start` to each node within reach."""
    found, front = {start: 0}, [start]
    while front:
        after = []
        for node in front:
            for near in joined.get(node, ()):
                if near not in found:
                    found[near] = found[node] + 1
                    after.append(near)
        front = after
    return found


def assert_shortest(shown, keys, joined):
    """Assert that edges are those of one shortest path from each key entity to the next."""
    drawn = {}
    for one, other in shown:
        assert other in joined[one]
        drawn.setdefault(one, set()).add(other)
        drawn.setdefault(other, set()).add(one)
    useful, most = set(), 0
    for one, other in pairwise(keys):
        here, there = distances(joined, one), distances(joined, other)
        assert distances(drawn, one).get(other) == here.get(other)
        most += here.get(other, 0)
        useful |= {
            (a, b)
            for a, b in shown
            for u, v in ((a, b), (b, a))
            if other in here and here.get(u, 0) + 1 + there.get(v, 0) == here[other]
        }
    assert useful == set(shown)
    assert len(shown) <= most


def bridge_in(steps):
    """Return the edges of the bridge of a retrieval, as pairs of nodes."""
    lists = [step for step in steps if isinstance(step, Offered) and step.of == "bridge nodes"]
    return [
        (tie.source.removeprefix("entity:"), tie.target.removeprefix("entity:"))
        for step in lists
        for tie in step.ties
    ]


def assert_as_in_the_reference(bench, question, settings):
    steps = walked(bench, spec_of("hirag", settings), question)
    assert_ranked(end_of(steps), reference(bench, question, bridge_in(steps), **settings))


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_sample_is_ranked_like_the_reference(sample, questions, settings):
    for question in questions:
        assert_as_in_the_reference(sample, question, settings)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_random_world_is_ranked_like_the_reference(graph_world, seed, settings):
    for question in asked(seed):
        assert_as_in_the_reference(graph_world(seed), question, settings)


def test_without_entities_the_cosine_ranks(no_names):
    assert_as_in_the_reference(no_names, "who says so?", {})


@pytest.mark.parametrize("settings", SETTINGS)
def test_imported_triples_are_ranked_like_the_reference(triples, settings):
    for question in asked(5):
        assert_as_in_the_reference(triples, question, settings)
