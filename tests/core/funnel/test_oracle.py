"""No choice of edges does better than the oracle, and one does as well."""

from itertools import chain, combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.funnel.oracle import Oracle, oracle
from core.retrievers.hoprag.traverse import Policy, Verdict, traverse
from core.steps import Arrival, Asked, Offer, Offered, Ranked
from core.types import Hit
from tests.core.funnel.worlds import index_of
from tests.core.lost_gold.test_missed_gold import INDEX, SHORT
from tests.core.walks import graphs
from tests.core.worlds import WALK, seeds


class Told(Policy):
    """Follows at each vertex what it is told."""

    def __init__(self, choices):
        self.choices = choices

    def judge(self, vertex):
        chosen = self.choices.get(vertex, ())
        return Verdict(chosen, chosen, "", len(chosen))

    def arrive(self, vertex, offer):
        return Arrival(offer.target, ())


def choices(edges, way):
    """Every way to choose at every vertex."""
    offers = {}
    for edge in edges.values():
        offers.setdefault(edge.source, []).append(Offer(edge.target, 0.0, tie=edge.id))
        if way == "both":
            offers.setdefault(edge.target, []).append(Offer(edge.source, 0.0, tie=edge.id))
    subsets = (
        tuple(chain.from_iterable(combinations(each, n) for n in range(len(each) + 1)))
        for each in offers.values()
    )
    for told in product(*subsets):
        yield dict(zip(offers, told, strict=True))


def best(start, edges, way, rounds, top_k, gold, index):
    """The most gold that any choices visit, and any order of what is visited keeps."""
    found = 0
    for told in choices(edges, way):
        walk = traverse(Told(told), [Arrival(seed, ()) for seed in start], rounds)
        visited = {*start, *(a.id for s in walk if isinstance(s, Offered) for a in s.arrivals)}
        kept = [name for name in gold if visited & {name, *index.document_passages.get(name, ())}]
        found = max(found, min(len(kept), top_k))
    return found


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
@pytest.mark.parametrize(
    ("key", "way"), [("hoprag-similarity", "out"), ("hoprag-coverage", "both")]
)
def test_brute_force_over_all_choices(key, way, graph, data):
    vertices, edges = graph
    assume(len(edges) <= (8 if way == "out" else 4))
    index = index_of(vertices, edges)
    start = data.draw(st.lists(st.sampled_from(vertices), unique=True, max_size=2))
    known = st.sampled_from([*vertices, "d0", "nobody"])
    gold = data.draw(st.lists(known, unique=True, min_size=1, max_size=3))
    rounds, top_k = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
    offers = tuple(Offer(seed, 0.0, taken=True) for seed in start)
    arrivals = tuple(Arrival(seed, ()) for seed in start)
    steps = (
        Asked(key, "q", top_k, settings={"n_hop": rounds}),
        Offered("#", "passages", offers, arrivals, entry=True),
        Ranked(tuple(Hit(seed, 0.0) for seed in start[:top_k])),
    )
    bound = oracle(steps, gold, index)
    assert bound is not None
    counted = [name for name in gold if name != "d0" or not {"v0", "v1"} & {*gold}]
    assert bound.gold == len(counted)
    assert bound.kept == best(start, edges, way, rounds, top_k, counted, index)


def test_by_hand():
    short = (WALK[0], seeds("club"), *SHORT[2:])
    assert oracle(short, ["town", "alone", "nobody"], INDEX) == Oracle(1, 3, 3, 3)
    assert oracle(short, ["town", "singer"], INDEX).recall == 1.0
    assert oracle(short, [], INDEX) is None
    assert oracle((Asked("bm25", "q", 3), Ranked(())), ["town"], INDEX) is None


def test_a_cut_off_bounds_it_too():
    assert Oracle(within=3, gold=4, rounds=1, top_k=2).recall == 2 / 4
    assert str(Oracle(3, 4, 1, 2)) == (
        "from these seeds, 3 of 4 gold passages can be reached within 1 hop; "
        "at most 2 of them fit in the top 2"
    )
