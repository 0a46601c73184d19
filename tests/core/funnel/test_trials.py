"""What came of each setting that was tried, from what was asked."""

from core.funnel.replay import Replayed
from core.funnel.trials import AN_EDGE, Trials
from core.retrievers import Spec

GOLD = "gold"


def ran(*, rank: int = 0, below: int = 0) -> Replayed:
    return Replayed({GOLD: rank} if rank else {}, {GOLD: below} if below else {}, 0, 0)


def told(text, asked, *, walks=False, stopped=False, ask=None):
    spec = Spec.parse(text)
    known = {(Spec.parse(one), ()): replayed for one, replayed in asked.items()}
    found = Trials(spec, known, [GOLD], walks, ask, stopped).told()
    return {one.what: one for one in found}


def test_what_retrieves_it_comes_first_and_every_setting_has_a_row():
    asked = {"hipporag2(damping=0.85)": ran(rank=14), "hipporag2(top_k=40)": ran()}
    found = told("hipporag2", asked)
    assert [*found] == [
        *("Damping", "Top k", "Facts considered", "Enough", "Dense", "Published", "Combinations"),
    ]
    damping = found["Damping"]
    assert (damping.now, damping.values, damping.told, damping.came) == (
        *("0.5", "0.85", "retrieved at rank 14 when set to 0.85", "retrieves"),
    )
    assert found["Top k"].told == "still not found"


def test_the_nearest_value_that_retrieves_it_is_told():
    asked = {f"bm25(top_k={k})": ran(rank=k >= 30 and 30) for k in (25, 30, 90)}
    assert told("bm25", asked)["Top k"].told == (
        "retrieved at rank 30 when set to 30; all 2 values tried from 30 to 90 work. Higher values "
        "were not tried"
    )


def test_the_limit_of_a_setting_is_told_as_that():
    found = told("treehop", {"treehop(each=10)": ran(), "treehop(each=30)": ran(below=27)})
    assert found["Passages per query and per layer"].told == (
        "not retrieved: rank 27 at best, when set to 30; the maximum is 30"
    )


def test_why_a_setting_was_not_tried_is_told():
    assert told("ircot", {}, stopped=True)["Thoughts"].told == "not tried: the search stopped first"
    over = told("ircot", {})["Over"]
    assert (over.now, over.told) == ("BM25", "not tried: this would be a different retriever")
    model = told("ircot", {"ircot(thoughts=10)": None})["Thoughts"]
    assert model.told == "unknown: this needs a model call"
    assert told("hoprag-coverage", {}, walks=True)[AN_EDGE.capitalize()].told == (
        "not tried: no edge leads to it from a visited passage"
    )


def test_combinations_that_there_was_no_time_for_are_counted():
    """Of 4 settings as far as they go there are 6 pairs, then 3 and then all of them."""
    asked = {"ircot(top_k=100,each=20)": ran(), "ircot(top_k=100,thoughts=10)": ran()}
    several = told("ircot", asked)["Combinations"]
    assert several.values == "2 combinations"
    assert several.told == "still not found; 6 more were not tried: the search stopped first"


def test_the_rank_in_a_longer_list_is_told_where_all_passages_have_one():
    found = told("hipporag2", {"hipporag2(dense=0)": ran()}, ask=lambda _: ran(rank=34))
    assert found["Dense"].told == "not retrieved: rank 34 at best, when set to 0"


def test_a_larger_top_k_with_its_seeds_held_is_a_row_of_its_own():
    asked = {
        "hoprag-similarity(top_k=40)": ran(),
        "hoprag-similarity(top_k=40,seeds=20)": ran(rank=34),
    }
    found = told("hoprag-similarity", asked)
    assert found["Top k"].told == "still not found"
    held = found["Top k with seeds kept at 20"]
    assert (held.now, held.values) == ("20", "40")
    assert held.told == "retrieved at rank 34 when set to 40"
    assert found["Seeds"].came == "untried"
    assert found["Combinations"].came == "untried"
