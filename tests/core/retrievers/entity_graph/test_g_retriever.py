"""G-Retriever: the tree against all there are, prizes by rank, passages as formulas."""

import itertools
import random

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.entity_graph.mentions import FACT_LINKS
from core.playback import check
from core.retrievers import make
from core.retrievers.entity_graph.g_retriever.steiner import FAR, best_tree, steps_between, way
from core.steps import Offered, Pooled
from tests.core.five import QUESTION

Q = QUESTION.text


def walked(bench, spec="g-retriever", question=Q):
    steps = tuple(make(spec, bench).retrieve(question))
    check(steps)
    return steps


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def graph_of(seed, nodes=9, edges=11):
    rng = random.Random(seed)
    graph = nx.gnm_random_graph(nodes, edges, seed=seed)
    prizes = {node: float(rng.randrange(1, 6)) for node in rng.sample(range(nodes), 4)}
    return graph, prizes


def links_of(graph):
    return sparse.csr_matrix(
        nx.to_scipy_sparse_array(graph, nodelist=sorted(graph)), dtype=np.float32
    )


def least_paid_and_left(graph, prizes, cost):
    """Of all trees in the graph, by trying every set of nodes."""
    least = np.inf
    for count in range(1, len(graph) + 1):
        for nodes in itertools.combinations(graph, count):
            if nx.is_connected(graph.subgraph(nodes)):
                left = sum(prize for node, prize in prizes.items() if node not in nodes)
                least = min(least, left + cost * (count - 1))
    return least


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cost", [0.5, 2.0])
def test_what_is_left_and_paid_is_at_most_twice_the_least(seed, cost):
    graph, prizes = graph_of(seed)
    links, prized = links_of(graph), list(prizes)
    steps = steps_between(links, prized, 20)
    tree = best_tree(list(prizes.values()), steps[prized], cost)
    nodes, edges = set(), set()
    for place, to in tree:
        path = (
            (prized[place],)
            if to == FAR
            else way(links, prized[place], steps[:, to], np.zeros(len(graph)))
        )
        assert path[-1] == (prized[place] if to == FAR else prized[to])
        nodes |= set(path)
        edges |= {frozenset(pair) for pair in itertools.pairwise(path)}
    assert all(graph.has_edge(*edge) for edge in edges)
    assert nx.is_connected(graph.edge_subgraph(map(tuple, edges))) if edges else len(nodes) == 1
    left = sum(prize for node, prize in prizes.items() if node not in nodes)
    assert left + cost * len(edges) <= 2 * least_paid_and_left(graph, prizes, cost) + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_steps_are_those_of_the_shortest_ways(seed):
    graph, prizes = graph_of(seed, edges=8)
    prized = list(prizes)
    steps = steps_between(links_of(graph), prized, 20)
    for place, start in enumerate(prized):
        known = nx.single_source_shortest_path_length(graph, start)
        for other in prized:
            assert steps[other, place] == known.get(other, FAR)


def test_what_costs_more_than_it_brings_is_left_out():
    steps = np.array([[0, 2, 4], [2, 0, 4], [4, 4, 0]], np.int16)
    assert best_tree([3, 2, 1], steps, 0.5) == [(0, FAR), (1, 0)]
    assert best_tree([3, 2, 2.5], steps, 0.5) == [(0, FAR), (1, 0), (2, 0)]
    apart = np.array([[0, FAR], [FAR, 0]], np.int16)
    assert best_tree([1, 3], apart, 0.5) == [(1, FAR)]


def test_of_two_ways_the_one_that_is_liked():
    links = links_of(nx.Graph([(0, 1), (0, 2), (1, 3), (2, 3)]))
    steps = steps_between(links, [3, 0], 5)[:, 0]
    assert way(links, 0, steps, np.array([0, 0.1, 0.2, 0])) == (0, 2, 3)
    assert way(links, 0, steps, np.array([0, 0.2, 0.2, 0])) == (0, 1, 3)


def test_prizes_go_by_rank(workbench):
    steps = walked(workbench, "g-retriever(entities=2,facts=3)")
    asked = workbench.embedder.encode([Q])[0]
    facts, entities = workbench.get(FACTS), workbench.get(ENTITIES)
    order = np.argsort(-(facts.vectors @ asked), kind="stable")[:3]
    assert [(o.target, o.score) for o in listed(steps, "facts").offers] == [
        (f"fact:{n}", float(3 - place)) for place, n in enumerate(order)
    ]
    order = np.argsort(-(entities.vectors @ asked), kind="stable")[:2]
    names = [entities.names[entities.linkable[n]] for n in order]
    assert [(o.target, o.score) for o in listed(steps, "entities").offers] == [
        (f"entity:{name}", 2.0 - place) for place, name in enumerate(names)
    ]


def test_a_passage_has_the_prizes_and_the_best_likeness_of_its_facts(workbench):
    steps = walked(workbench)
    tree, facts = listed(steps, "prized nodes"), workbench.get(FACTS)
    prizes = {offer.target: offer.score for offer in listed(steps, "facts").offers}
    asked = workbench.embedder.encode([Q])[0]
    wanted = {}
    for number, fact in enumerate(facts.facts):
        if f"fact:{number}" in {thing.id for thing in tree.things}:
            name = workbench.index.passages[fact.passage].id
            prize, likeness = wanted.get(name, (0.0, -1.0))
            likeness = max(likeness, float(facts.vectors[number] @ asked))
            wanted[name] = (prize + prizes.get(f"fact:{number}", 0), likeness)
    assert {hit.passage_id: hit.score for hit in steps[-1].hits} == pytest.approx(
        {name: sum(both) for name, both in wanted.items()}, abs=1e-5
    )
    (pooled,) = [step for step in steps if isinstance(step, Pooled)]
    assert {tie.source for tie in pooled.ties} <= {thing.id for thing in tree.things}


def test_dear_edges_leave_prizes_out_and_that_is_said(workbench):
    steps = walked(workbench, "g-retriever(cost=5)")
    tree = listed(steps, "prized nodes")
    left = [offer for offer in tree.offers if not offer.taken]
    assert left
    for offer in left:
        assert offer.notes[0][0] == "left out:"
    best = max(listed(steps, "facts").offers, key=lambda offer: offer.score)
    assert best.target in {offer.target for offer in tree.taken}


def test_facts_are_linked_to_all_that_they_name(workbench):
    facts, entities = workbench.get(FACTS).facts, workbench.get(ENTITIES)
    links = workbench.get(FACT_LINKS)
    for number, fact in enumerate(facts):
        near = {entities.names[n - len(facts)] for n in links[number].indices}
        assert near == set(fact.names)
    assert (links != links.T).nnz == 0
