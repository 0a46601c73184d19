"""A larger top k is tried with the seeds that it adds and without; the cheaper one is told."""

import pytest

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.funnel.attempts import search_fixes
from core.funnel.changes import (
    TOP_K,
    Change,
    dials,
    followers,
    holding,
    in_words,
    joined,
    turns,
    variants,
)
from core.funnel.fates import fates
from core.funnel.rescue import Rescue, cost
from core.models.embedder import load_embedder
from core.playback.account import account
from core.retrievers import Spec, make
from core.reviews.losses.group_values import mend
from core.settings import BUNDLED_EMBEDDER
from core.shipping.sample import install
from core.steps import Offered, result
from core.store.index import Index
from tests.core.five import QUESTION

WALK = Spec("hoprag-similarity")
SWIMMER = "What had the founder of the ferry company that vanished in 2022 never learned?"


def top_k(spec):
    return next(one for one in dials(spec) if one.kind == TOP_K)


def test_seeds_that_are_as_many_as_top_k_are_held():
    change = holding(WALK, top_k(WALK).to(34))
    assert str(change.spec) == "hoprag-similarity(top_k=34,seeds=20)"
    assert in_words(change.text, change.spec) == "top k 34 instead of 20, still with 20 seeds"
    assert not change.paired
    with_edge = joined(Change("edge", "take edge 3 of 'Ada' at hop 1", WALK), top_k(WALK).to(34))
    assert in_words(holding(WALK, with_edge).text, WALK) == (
        "at 'Ada' (hop 1), follow the 3rd edge and top k 34 instead of 20, still with 20 seeds"
    )


def test_nothing_is_held_where_nothing_follows_the_top_k():
    of_their_own = Spec.parse("hoprag-similarity(seeds=5)")
    for spec in (of_their_own, Spec("bm25")):
        change = top_k(spec).to(34)
        assert holding(spec, change) is change
        assert [one.held for one in variants(spec, top_k(spec))] == [False]
    hops = next(one for one in dials(WALK) if one.kind == "hop").to(6)
    assert holding(WALK, hops) is hops
    more = next(one for one in dials(WALK) if one.kind == "count").to(30)
    assert more.text == "seeds 0 to 30"
    both = joined(more, top_k(more.spec).to(34))
    assert holding(WALK, both) is both


def test_a_setting_whose_0_stands_for_another_is_turned_from_that_one():
    spec = Spec.parse("higra(top_k=20,k0=8)")
    told = [[each.text for each in some] for some in turns(spec)]
    assert [some for some in told if some and some[0].startswith("k0_graph ")] == [
        ["k0_graph 0 to 6", "k0_graph 0 to 4", "k0_graph 0 to 2"],
        ["k0_graph 0 to 12", "k0_graph 0 to 16", "k0_graph 0 to 24", "k0_graph 0 to 40"],
    ]
    assert followers(spec) == {}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("indexes")
    assert install(folder, BUNDLED_EMBEDDER)
    return Workbench(Index.open(folder / "sample"), load_embedder(BUNDLED_EMBEDDER))


@pytest.mark.embedder
def test_an_edge_needs_no_more_room_than_its_passage_has_a_rank(sample):
    """With as many seeds as the top k it is at rank 72, and at 34 with 20 of them.

    Ranks depend on the processor (`test_sample`), so they are read from the replay.
    """
    gold = ["company-petrel-line", "person-osgood-petrie"]
    steps = tuple(make(WALK, sample).retrieve(SWIMMER))
    look = search_fixes(SWIMMER, WALK, sample, steps, fates(steps, gold, sample.index))[gold[1]]
    found = look.rescue
    assert found
    fixed = Spec.parse(found.retriever)
    kept = fixed.values[TOP_K]
    assert found.told == (
        "at 'Petrel Line' (hop 1), follow the 3rd edge, to 'Osgood Petrie' and "
        f"top k {kept} instead of 20, still with 20 seeds"
    )
    assert (found.rank, found.seeds, found.kept) == (kept, 0, 2)
    assert kept < 50
    bench = sample.amended(parse(found.amendments))
    hits = [hit.passage_id for hit in result([*make(fixed, bench).retrieve(SWIMMER)]).hits]
    assert hits.index(gold[1]) + 1 == found.rank
    rows = {one.what: one.told for one in look.trials}
    assert rows["Top k with seeds kept at 20"] == "still not found; the maximum is 100"


def test_of_both_ways_to_a_larger_top_k_the_cheaper_one_is_told(workbench):
    """Each value is replayed here both ways, and none that keeps it costs less."""
    spec = Spec.parse("hoprag-similarity(top_k=1,n_hop=2)")
    steps = tuple(make(spec, workbench).retrieve(QUESTION.text))
    ends = fates(steps, [*workbench.index.number], workbench.index)
    found = search_fixes(QUESTION.text, spec, workbench, steps, ends)
    before, held = account(steps).judgements, 0
    for gold, look in found.items():
        every = [look.rescue, *look.rescue.others] if look.rescue else []
        told = next((one for one in every if one.kind == TOP_K and one.keeps), None)
        costs = []
        for other in ("", ",seeds=1"):
            for value in range(2, 6):
                text = f"hoprag-similarity(top_k={value},n_hop=2{other})"
                again = tuple(make(Spec.parse(text), workbench).retrieve(QUESTION.text))
                if gold in [hit.passage_id for hit in result(again).hits]:
                    costs.append(max(0, account(again).judgements - before))
        assert bool(told) == bool(costs)
        if told:
            assert told.extra == min(costs)
            again = tuple(make(Spec.parse(told.retriever), workbench).retrieve(QUESTION.text))
            entries = (one for one in again if isinstance(one, Offered) and one.entry)
            assert told.seeds == sum(len(one.arrivals) for one in entries) - 1
            held += told.change.endswith("keeping seeds 1")
    assert held


def test_what_adds_no_seeds_is_not_said_to_add_some():
    """A group is told of its own seeds: those of another one are not its price."""
    held = Rescue(
        *("a", TOP_K, "top_k 20 to 34 keeping seeds 20"),
        *("hoprag-similarity(top_k=34,seeds=20)", "", 0, 34),
    )
    more = Rescue("c", TOP_K, "top_k 20 to 30", "hoprag-similarity(top_k=30)", "", 9, 30, seeds=10)
    assert cost(held) < cost(more)
    found = mend([held, held, more])
    assert found
    assert (found.retriever, len(found.replayed), found.seeds) == (held.retriever, 2, 0)
    only = mend([more])
    assert only
    assert only.seeds == 10
