"""G-Retriever against a slow reference written from arXiv 2402.07630 and the method's page."""

from itertools import combinations

import pytest

from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from tests.core.retrievers.references.graphs.conftest import asked
from tests.core.retrievers.references.graphs.tables import assert_ranked, found_by, ordered

SETTINGS = ((3, 5, 0.5), (1, 1, 0.5), (2, 3, 1.9), (5, 2, 3.0), (1, 6, 5.0), (5, 1, 5.0))
"""Entities and facts with a prize, and the cost of an edge."""
LONGEST = 12  # links of a path


def reference(bench, question, entities=3, facts=5, cost=0.5):
    """Return the ranking of passages by the facts of the best tree."""
    told, known = bench.get(FACTS), bench.get(ENTITIES)
    asked_vector = bench.embedder.encode([question])[0]
    cosine = told.vectors @ asked_vector
    names = [known.names[n] for n in known.linkable]
    near = [names[n] for n in ordered(known.vectors @ asked_vector, entities)]
    like = ordered(cosine, facts)
    prizes = {("entity", name): len(near) - place for place, name in enumerate(near)}
    prizes |= {("fact", n): len(like) - place for place, n in enumerate(like)}
    links = links_of(told.facts)
    apart = {node: distances(links, node) for node in prizes}
    tree = best_tree(prizes, apart, cost / 2)
    nodes = set()
    for node, to in tree:
        nodes |= {node} if to is None else set(path(links, node, apart[to], cosine))

    of = {}
    for kind, number in nodes:
        if kind == "fact":
            of.setdefault(told.facts[number].passage, []).append(number)
    scores = {
        bench.index.ids[passage]: sum(prizes.get(("fact", n), 0) for n in inside)
        + max(float(cosine[n]) for n in inside)
        for passage, inside in of.items()
    }
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))


def links_of(facts):
    """Return the neighbours of each node: facts by number, entities by name."""
    links = {}
    for number, fact in enumerate(facts):
        for name in (fact.subject, *fact.objects):
            if name:
                links.setdefault(("fact", number), set()).add(("entity", name))
                links.setdefault(("entity", name), set()).add(("fact", number))
    return links


def distances(links, start):
    """Return the number of links from `start` to each node within reach."""
    found, front = {start: 0}, [start]
    for step in range(1, LONGEST + 1):
        front = {near for node in front for near in links.get(node, ()) if near not in found}
        found |= dict.fromkeys(front, step)
    return found


def best_tree(prizes, apart, cost):
    """Return the nodes worth joining, each with the node it is attached to.

    Every set of nodes with a prize is tried, small ones first; of equal ones, the first is taken.
    """
    best, most = [], None
    for count in range(1, len(prizes) + 1):
        for some in combinations(prizes, count):
            tree, links = spanned(some, prizes, apart)
            if tree is None:
                continue
            worth = sum(prizes[node] for node in some) - cost * links
            if most is None or worth > most + 1e-9:
                best, most = tree, worth
    return best


def spanned(some, prizes, apart):
    """Return the spanning tree grown from the highest prize, and its links; None if in parts."""
    start = max(some, key=lambda node: prizes[node])
    tree, inside, links = [(start, None)], [start], 0
    while len(inside) < len(some):
        steps, _, _, node, to = min(
            (apart[to].get(node, LONGEST + 1), list(some).index(node), place, node, to)
            for node in some
            if node not in inside
            for place, to in enumerate(inside)
        )
        if steps > LONGEST:
            return None, 0
        tree.append((node, to))
        inside.append(node)
        links += steps
    return tree, links


def path(links, start, steps, cosine):
    """Return the nodes of a shortest path to where `steps` is 0, through the closest facts."""
    nodes = [start]
    while steps[nodes[-1]]:
        nearer = [n for n in links[nodes[-1]] if steps.get(n) == steps[nodes[-1]] - 1]
        nodes.append(
            min(nearer, key=lambda n: (-cosine[n[1]], n[1]) if n[0] == "fact" else (0, n[1]))
        )
    return nodes


def spec(entities, facts, cost):
    return f"g-retriever(entities={entities},facts={facts},cost={cost})"


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_sample_is_ranked_like_the_reference(sample, questions, settings):
    for question in questions:
        wanted = reference(sample, question, *settings)
        assert_ranked(found_by(sample, spec(*settings), question), wanted)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_random_world_is_ranked_like_the_reference(graph_world, seed, settings):
    bench = graph_world(seed)
    for question in asked(seed):
        wanted = reference(bench, question, *settings)
        assert_ranked(found_by(bench, spec(*settings), question), wanted)


@pytest.mark.parametrize("settings", SETTINGS)
def test_prizes_of_a_few_entities_and_facts_end_at_one(small, settings):
    for question in asked(0):
        assert_ranked(
            found_by(small, spec(*settings), question), reference(small, question, *settings)
        )


def test_without_facts_the_cosine_ranks(no_names):
    own = no_names.index.vectors @ no_names.embedder.encode(["who says so?"])[0]
    wanted = [(no_names.index.ids[n], float(own[n])) for n in ordered(own)]
    assert_ranked(found_by(no_names, "g-retriever", "who says so?"), wanted)


@pytest.mark.parametrize("settings", SETTINGS)
def test_imported_triples_are_ranked_like_the_reference(triples, settings):
    for question in asked(5):
        wanted = reference(triples, question, *settings)
        assert_ranked(found_by(triples, spec(*settings), question), wanted)
