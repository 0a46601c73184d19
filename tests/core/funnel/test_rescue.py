"""Every rescue is a change that was run, and none that keeps the gold asks for less."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.artefacts.hop_graph import GRAPH
from core.counterfactual import Take, parse
from core.funnel.attempts import attempts, rescues
from core.funnel.changes import dials, in_words, turns
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.near import Near
from core.funnel.replay import ReplayBudget
from core.funnel.rescue import Rescue, cost, nothing_keeps, tried
from core.funnel.search.edges import neighbours
from core.playback.account import account
from core.ranking_comparison import gold_ranks
from core.retrievers import Spec, make
from core.steps import Offered, result
from tests.core.five import QUESTION
from tests.core.funnel.worlds import NAMES, documents, opened


def asked(workbench, spec, question, amendments=()):
    return tuple(make(spec, workbench.amended(amendments)).retrieve(question))


def saved(workbench, text, question, names):
    """Steps, fates and rescues of `names` by the retriever `text`."""
    spec = Spec.parse(text)
    steps = asked(workbench, spec, question)
    found = fates(steps, names, workbench.index)
    return steps, found, rescues(question, spec, workbench, steps, found)


def all_of_them(workbench, spec, question, before):
    """What each single change comes to that a rescue is the cheapest of: kind, target, steps.

    How many are kept is not among those of a walk, where more seeds may push a passage out again.
    """
    index, graph = workbench.index, workbench.get(GRAPH)
    for dial in dials(spec):
        if dial.kind == "hop" or (dial.kind == "top_k" and spec.key == "bm25"):
            for value in range(dial.low, min(dial.high, len(index.passages)) + 1):
                yield dial.kind, "", asked(workbench, dial.to(value).spec, question)
    places = {s.at for s in before if isinstance(s, Offered) and not s.entry}
    for at in places & index.number.keys():
        for edge, end in neighbours(graph, index.number[at]):
            take = Take(at, index.graph.edge_ids([edge])[0])
            yield "edge", index.passages[end].id, asked(workbench, spec, question, (take,))


@settings(max_examples=8, deadline=None)
@given(documents(), st.data())
@pytest.mark.parametrize("key", ["bm25", "hoprag-similarity", "hoprag-coverage"])
def test_no_single_change_asks_for_less(tmp_path_factory, key, given_, data):
    workbench = opened(tmp_path_factory.mktemp("world") / "drawn", given_)
    index = workbench.index
    about = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2))
    question = f"Where was {' '.join(about)} born?"
    top_k, n_hop = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    text = f"{key}(top_k={top_k})" if key == "bm25" else f"{key}(top_k={top_k},n_hop={n_hop})"
    spec = Spec.parse(text)
    before, found, kept = saved(workbench, text, question, sorted(index.document_passages))
    assert kept.keys() == {fate.gold for fate in found if fate.lost}
    runs = list(all_of_them(workbench, spec, question, before))
    for gold, rescue in kept.items():
        costs = [
            (
                lost_by(steps, before, index),
                kind == "start",
                kind == "top_k",
                max(0, account(steps).judgements - account(before).judgements),
            )
            for kind, target, steps in runs
            if kept_rank(steps, gold, index) and target in ("", gold)
        ]
        assert rescue or not costs, gold
        if rescue:
            again = asked(
                workbench, Spec.parse(rescue.retriever), question, parse(rescue.amendments)
            )
            assert rescue.rank == kept_rank(again, gold, index)
            extra = account(again).judgements - account(before).judgements
            assert rescue.extra == max(0, extra)
            assert rescue.seeds == max(0, seeds_of(again) - seeds_of(before))
            assert cost(rescue)[:4] <= min(costs, default=cost(rescue)[:4]), (gold, rescue)
            assert bool(rescue.lost) == lost_by(again, before, index)
            for other in rescue.others:
                assert other.short or cost(rescue) <= cost(other)
                assert (other.rank > other.short) == bool(other.short) or not other.short


def lost_by(steps, before, index):
    """Whether gold is lost that was kept before."""
    names = index.document_passages
    return any(kept_rank(before, n, index) and not kept_rank(steps, n, index) for n in names)


def seeds_of(steps):
    return sum(len(one.arrivals) for one in steps if isinstance(one, Offered) and one.entry)


def kept_rank(steps, gold, index):
    hits = [hit.passage_id for hit in result(steps).hits]
    return gold_ranks(hits, [gold], index.document_passages)[gold]


def test_what_is_ranked_below_needs_as_many_as_its_rank(workbench):
    *_, kept = saved(workbench, "dense(top_k=2)", QUESTION.text, [*workbench.index.number])
    whole = result(asked(workbench, Spec("dense"), QUESTION.text)).hits
    ranks = {hit.passage_id: rank for rank, hit in enumerate(whole, start=1)}
    assert len(kept) == 3
    for gold, rescue in kept.items():
        assert rescue == Rescue(
            *(gold, "top_k", f"top_k 2 to {ranks[gold]}", f"dense(top_k={ranks[gold]})", ""),
            extra=0,
            rank=ranks[gold],
            steady=rescue.steady,
            kept=ranks[gold],
            of=5,
            ranked=ranks[gold] - 2,
        )
        assert rescue.steady.endswith(f"values tried from {ranks[gold]} to 100 work")
        assert Rescue.from_json(rescue.to_json()) == rescue


def test_a_reranker_may_read_more(workbench):
    text = "rerank(over=dense,depth=2,top_k=2)"
    _, found, kept = saved(workbench, text, QUESTION.text, [*workbench.index.number])
    assert {fate.stage for fate in found} == {"kept", "below"}
    changes = {rescue.kind for rescue in kept.values() if rescue}
    assert changes <= {"count", "weight", "top_k"}
    told = [each for rescue in kept.values() if rescue for each in (rescue, *rescue.others)]
    assert any(each.change.startswith("depth 2 to ") for each in told)


def test_what_is_not_there_cannot_be_kept(workbench):
    _, found, kept = saved(workbench, "bm25", QUESTION.text, ["nobody"])
    assert [fate.stage for fate in found] == ["absent"]
    assert kept == {"nobody": None}


def test_what_is_kept_needs_no_rescue(workbench):
    fate = Fate("club", "club", "kept", 1)
    steps = asked(workbench, Spec("bm25"), QUESTION.text)
    assert rescues(QUESTION.text, "bm25", workbench, steps, [fate]) == {}


def test_what_was_tried_is_said():
    assert tried("bm25(top_k=20)") == "top k up to 100 instead of 20"
    told = tried("rerank(over=hoprag-coverage(n_hop=8))")
    assert told == (
        "top k up to 100 instead of 20, "
        "seeds up to 100 instead of 20 in HopRAG (coverage), "
        "edges followed per passage up to 100 instead of 6 "
        "in HopRAG (coverage), "
        "passages to rerank up to 100 instead of 40, "
        "one more followed edge, to it or to a neighbour (at most 24 of each), "
        "make it a seed, other values of seed selection, name bonus, base score of an edge, "
        "weight of new query terms, weight of out-question similarity, factor for backward edges, "
        "smaller counts, "
        "some combinations of these"
    )


def test_in_words():
    one = Rescue("a", "edge", "take edge 7 of 'Port Selby' at hop 2", "bm25", "y", 1, 3)
    assert str(one) == "at 'Port Selby' (hop 2), follow the 7th edge: rank 3; 1 more list examined"
    far = Rescue("a", "top_k", "top_k 2 to 3", "hoprag-similarity(top_k=3)", "", 2, 3, seeds=1)
    assert str(far) == (
        "top k and seeds 3 instead of 2: rank 3; 2 more passages examined; 1 more seed"
    )
    both = Rescue("a", "hop", "n_hop 2 to 3", "hoprag-similarity(n_hop=3)", "", 0, 3, kept=2, of=2)
    assert str(both).endswith("; both gold passages retrieved")
    dear = replace(both, lost=1, kept=1)
    assert str(dear).endswith("; 1 of 2 gold passages retrieved, 1 newly lost")
    assert str(replace(both, short=2)).endswith(": rank 3, still below the top 2")
    assert Rescue.from_json(replace(both, others=(dear,)).to_json()).others == (dear,)
    for text, told in (
        ("top_k 20 to 24", "top k 24 instead of 20"),
        ("seeds 5 to 8", "seeds 8 instead of 5"),
        ("n_hop 2 to 3 in hoprag-similarity", "hops 3 instead of 2 in HopRAG (similarity)"),
        ("depth 40 to 80", "passages to rerank 80 instead of 40"),
    ):
        assert in_words(text, Spec("hoprag-coverage" if "seeds" in text else "rerank")) == told


def test_that_a_change_makes_it_stop_sooner_and_what_it_ranks_more_is_said():
    text = "each 6 to 20"
    one = Rescue(
        "a", "count", text, "ircot(each=20)", "", 0, 16, ranked=5, fewer="1 search instead of 3"
    )
    assert str(one) == (
        "passages per search 20 instead of 6 (then 1 search instead of 3): rank 16; 5 more "
        "passages ranked"
    )
    assert one.facts == (*("rank 16", "then 1 search instead of 3", "5 more passages ranked"),)


def test_a_start_at_what_is_looked_for_is_called_that_and_is_the_dearest():
    start = Rescue("a", "start", "start at it", "hoprag-coverage", "start(a)", 1, 18, seeds=1)
    assert str(start) == ("make it a seed: rank 18; 1 more passage examined")
    assert not start.can_be_set
    more = Rescue("a", "top_k", "top_k 20 to 71", "hoprag-coverage(top_k=71)", "", 52, 25, seeds=51)
    assert more.can_be_set
    assert cost(more) < cost(start)
    assert str(more).endswith("rank 25; 52 more passages examined; 51 more seeds")


def test_when_the_budget_is_used_up_nothing_more_is_tried(workbench):
    steps = asked(workbench, Spec.parse("bm25(top_k=1)"), QUESTION.text)
    found = fates(steps, [*workbench.index.number], workbench.index)
    spec = "bm25(top_k=1)"
    assert attempts(QUESTION.text, spec, workbench, steps, found, budget=ReplayBudget(0)) == {}


def searching(workbench):
    """A search that lists 1 passage, of which the gold that is lost is the next ones."""
    spec = Spec.parse("ircot(each=1,thoughts=1,top_k=4,room=4)")
    steps = asked(workbench, spec, QUESTION.text)
    gold = [*workbench.index.number]
    found = fates(steps, gold, workbench.index, lists=Lists(workbench))
    return spec, steps, [fate for fate in found if fate.lost]


def single_changes(spec):
    yield from (dial.to(n) for dial in dials(spec) for n in range(dial.low, min(dial.high, 9) + 1))
    yield from (change for changes in turns(spec) for change in changes)


@pytest.mark.parametrize("replays", [3, 10, 30, 100, 1000])
def test_that_no_single_change_does_is_said_only_where_all_were_tried(workbench, replays):
    spec, steps, lost = searching(workbench)
    alone = {
        fate.gold
        for fate in lost
        for change in single_changes(spec)
        if kept_rank(asked(workbench, change.spec, QUESTION.text), fate.gold, workbench.index)
    }
    assert alone
    budget = ReplayBudget(replays)
    best = attempts(QUESTION.text, spec, workbench, steps, lost, budget=budget)
    assert best == attempts(QUESTION.text, spec, workbench, steps, lost, budget=budget)
    for gold, rescue in best.items():
        single = rescue is not None and rescue.keeps and not rescue.paired
        assert single or gold not in alone or (rescue and rescue.undecided), gold
    if replays == 1000:
        assert best.keys() == {fate.gold for fate in lost}
        assert not any(one and one.undecided for one in best.values())


def test_what_the_nearest_miss_suggests_is_tried_first(workbench):
    """As long a list as the rank that it has, of all that was lost, before anything else."""
    spec, steps, lost = searching(workbench)
    near = [fate for fate in lost if fate.k == 1 and fate.rank]
    assert near
    few = ReplayBudget(2 * len(lost) + 1)
    best = attempts(QUESTION.text, spec, workbench, steps, lost, budget=few)
    for fate in near:
        again = asked(workbench, spec.with_settings(each=fate.rank), QUESTION.text)
        if kept_rank(again, fate.gold, workbench.index):
            rescue = best[fate.gold]
            assert rescue
            assert rescue.change.startswith("each 1 to ")
            assert not rescue.paired
            assert not rescue.undecided


def test_a_seed_is_not_to_be_started_at(workbench):
    """Of what the walk starts at and prunes another start is no change."""
    text, gold = "hoprag-coverage(top_k=1,n_hop=1,seeds=3)", [*workbench.index.number]
    _, found, kept = saved(workbench, text, QUESTION.text, gold)
    seeds = {fate.gold for fate in found if fate.lost and fate.hop == 0 and fate.stage == "cut"}
    assert seeds
    for name in seeds:
        one = kept[name]
        assert "start" not in {each.kind for each in ((one, *one.others) if one else ())}
    (fate, *_) = (fate for fate in found if fate.gold in seeds)
    assert "make it a seed" not in nothing_keeps(text, fate, None)
    assert "make it a seed" in nothing_keeps(text, replace(fate, stage="far", hop=3), None)


def test_what_nothing_keeps_has_the_change_that_came_nearest(workbench):
    """A most of one passage is kept whatever is changed, as top_k is as high as it may be."""
    text, gold = "hoprag-coverage(top_k=1,n_hop=1)", [*workbench.index.number]
    spec = Spec.parse(text)
    steps = asked(workbench, spec, QUESTION.text)
    found = fates(steps, gold, workbench.index)
    every = attempts(QUESTION.text, spec, workbench, steps, found)
    kept = rescues(QUESTION.text, spec, workbench, steps, found)
    assert kept == {name: one if one and one.keeps else None for name, one in every.items()}
    for one in (one for one in every.values() if one and not one.keeps):
        steps = asked(workbench, Spec.parse(one.retriever), QUESTION.text, parse(one.amendments))
        last = result(steps)
        ranked = [hit.passage_id for hit in (*last.hits, *last.pruned)]
        assert ranked.index(one.gold) + 1 == one.rank > one.short == len(last.hits)


def test_how_near_the_best_change_came_is_said():
    fate = Fate("a", "a", "cut", rank=9, k=2)
    near = Rescue("a", "hop", "n_hop 1 to 2", "hoprag-coverage(n_hop=2)", "", 0, 4, short=2)
    assert nothing_keeps("hoprag-coverage", fate, near).startswith(
        "No single change tried retrieves it. Closest: hops 2 instead of 1: rank 4, still "
        "below the top 2. Tried: "
    )


def test_of_several_changes_a_larger_top_k_comes_last(workbench):
    text = "hoprag-coverage(top_k=1,n_hop=1)"
    *_, kept = saved(workbench, text, QUESTION.text, [*workbench.index.number])
    several = [one for one in kept.values() if one and one.others]
    assert several
    for one in several:
        kinds = [each.kind for each in (one, *one.others) if not each.short]
        assert len(set(kinds)) == len(kinds)
        assert "top_k" not in kinds[:-1] or one.kind == "top_k"


@pytest.mark.parametrize("key", ["lightrag", "graphrag-local", "hirag", "raptor", "sirerag"])
def test_a_room_is_one_for_tokens(key):
    told = in_words("room 2000 to 4000", Spec(key))
    assert told == "token limit 4,000 instead of 2,000"


def test_where_no_change_reaches_it_is_said_how_near_it_is_as_it_was():
    near = (Near("passage", "", 6, 9, 0.1, 0.2, 5, "in hop 1"),)
    fate = Fate("a", "a", "below", k=5, near=near)
    assert nothing_keeps("treehop", fate, None).startswith(
        "No single change tried retrieves it, and none reaches it. Closest without a change: "
        "rank 6 of 9 in hop 1 (score 0.100, lowest accepted 0.200 at rank 5). Tried: "
    )
