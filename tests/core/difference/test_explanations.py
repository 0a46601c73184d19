"""Why one retrieves gold that another lost: by hand on five passages."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

from core.difference.arrivals import arrival_of
from core.difference.explanations import (
    Account,
    account,
    also_missed,
    by_parts,
    causes,
    first_difference,
    missed_phrase,
    moved,
)
from core.funnel.data import Fate
from core.funnel.near import Near
from core.steps import Asked, Offer, Offered, Ranked, Step, Thing, Tie
from core.traces import record
from core.types import Hit, Part
from tests.core.worlds import ONE_SHOT, QUERY, TITLES, WALK, ScriptedRetriever, WorldIndex


def told(name: str, steps: tuple[Step, ...], fates: Mapping[str, Fate]) -> Account:
    card = SimpleNamespace(key="hoprag-similarity")
    trace = record(ScriptedRetriever(steps, card), QUERY, WorldIndex(), ())  # type: ignore[arg-type]
    return account(name, trace, fates, TITLES)


def kept(gold: str, rank: int) -> Fate:
    return Fate(gold, gold, "kept", rank=rank)


def below(gold: str, rank: int = 42) -> Fate:
    return Fate(gold, gold, "cut", rank=rank, margin=-0.0312, k=20, of=203)


def ranked(*names: str) -> tuple[Step, ...]:
    asked = ONE_SHOT[0]
    assert isinstance(asked, Asked)
    return (replace(asked, top_k=3), Ranked(tuple(Hit(name, 1.0) for name in names), (), "memory"))


def test_gold_of_one_alone_is_told_by_what_it_was_reached_and_where_the_other_lost_it() -> None:
    a = told("A", WALK, {"owner": kept("owner", 2)})
    b = told("B", ONE_SHOT, {"owner": below("owner")})
    cause = (
        "A finds 'Mara Quist' at rank 2, reached in hop 1 from 'Harbour Rovers' via "
        "the edge 'Who owns the club?'. B ranks it 42nd, below its top 20 (score 0.031 "
        "below the cut-off)."
    )
    assert [*map(str, causes([a, b], {"owner": "Mara Quist"}))] == [cause]
    turned = told("A", ONE_SHOT, a.fates), told("B", WALK, b.fates)
    assert [*map(str, causes(turned, {"owner": "Mara Quist"}))] == [
        "A finds 'Mara Quist' at rank 2. B ranks it 42nd, below its top 20 (score 0.031 "
        "below the cut-off)."
    ]


def test_a_seed_is_told_as_one_and_what_a_search_found_by_its_rank_there() -> None:
    a = told("A", WALK, {"club": kept("club", 1)})
    b = told("B", ONE_SHOT, {"club": below("club")})
    [cause] = causes([a, b], {"club": "Harbour Rovers"})
    assert str(cause).startswith("A finds 'Harbour Rovers' at rank 1; it is seed 1. B ranks")
    search = Asked("bm25", "Who toured?", 6, id="#2", parents=("#",))
    steps = (ONE_SHOT[0], search, Ranked((Hit("town", 1.0), Hit("owner", 0.5))), *ONE_SHOT[1:])
    way = arrival_of(steps, "owner")
    assert way is not None
    assert (way.rank, way.search, way.asks) == (2, "#2", "Who toured?")
    assert arrival_of(steps, "stadium") is None


def spreading(*taken: str) -> tuple[Step, ...]:
    """Entities are taken in this order, and lines join two of them with passages."""
    things = tuple(Thing(f"entity:{name}", "entity", name) for name in taken)
    ties = (Tie("1", "owner", "entity:quist"), Tie("2", "club", "entity:rovers"))
    offers = tuple(Offer(one.id, 1.0, taken=True) for one in things)
    return ONE_SHOT[0], Offered("#", "entities", offers, things=things, ties=ties), ONE_SHOT[-1]


def test_gold_that_a_thing_led_to_is_told_by_that_on_both_sides() -> None:
    def title(node: str) -> str:
        return node.removeprefix("entity:")

    late, early = spreading("rovers", "selby", "quist"), spreading("quist", "rovers")
    a = Account("A", late, {"owner": below("owner")}, title)
    b = Account("B", early, {"owner": kept("owner", 2)}, title)
    assert [*map(str, causes([a, b], {"owner": "Mara Quist"}))] == [
        "B finds 'Mara Quist' at rank 2, via the entity 'quist' (rank 1). A ranks it "
        "42nd, below its top 20 (score 0.031 below the cut-off); its entity 'quist' ranks 3rd."
    ]
    assert arrival_of(b.steps, "town") is None
    near = replace(told("A", ONE_SHOT, a.fates), near={"owner": "its nearest fact ranks 9th"})
    assert missed_phrase(near, "owner", "it").endswith("the cut-off); its nearest fact ranks 9th")


def test_why_something_was_not_taken_is_told_before_the_scores() -> None:
    full = "the limit of 15 passages is reached"
    fate = Fate("owner", "owner", "refused", score=23.3, margin=-1.6, beat="Fulmar", why=full)
    assert missed_phrase(Account("A", (), {"owner": fate}), "owner", "it").endswith(
        f"select it: {full}"
    )
    assert fate.brief == f"not followed; {full}"


def test_of_gold_that_both_lost_it_is_told_how_near_each_came() -> None:
    refused = Fate(
        *("owner", "owner", "refused"),
        **{"margin": -0.036, "hop": 1, "round": "hop", "place": "Harbour Rovers", "beat": "Ground"},
    )
    listed = Fate("owner", "owner", "cut", rank=10, k=6, inner=True, search="#3")
    a, b = told("A", ONE_SHOT, {"owner": listed}), told("B", WALK, {"owner": refused})
    assert [*map(str, causes([a, b], {"owner": "Mara Quist"}))] == [
        "A ranks 'Mara Quist' 10th in search #3, below its top 6. B does not select it in hop 1 "
        "at 'Harbour Rovers'."
    ]


def test_what_no_step_ranked_is_told_by_how_near_it_came() -> None:
    near = Near("fact", "Ada", 49, 923, 0.4, 0.5, 7)
    unseen = Fate("owner", "owner", "below", k=20, near=(near,))
    far = Fate("owner", "owner", "far", hop=5)
    offered = Fate("owner", "owner", "unoffered", hop=2)
    ends = [
        missed_phrase(Account("A", (), {"owner": one}), "owner", "it")
        for one in (unseen, far, offered)
    ]
    assert ends == [
        "does not find it: its nearest fact ranks 49th, below the top 7",
        "cannot reach it: the nearest seed is 5 edges away",
        "never considers it as a candidate: the nearest seed is 2 edges away",
    ]


def test_of_several_the_best_and_the_nearest_are_told_and_the_others_in_brief() -> None:
    fates = {"one": kept("owner", 7), "two": below("owner", 60), "three": kept("owner", 3)}
    fates["four"] = below("owner", 25)
    all_ = [told(name, ONE_SHOT, {"owner": fate}) for name, fate in fates.items()]
    assert [*map(str, causes(all_, {"owner": "Mara Quist"}))] == [
        "three finds 'Mara Quist' at rank 3. four ranks it 25th, below its top 20 (score "
        "0.031 below the cut-off). one: rank 7; two: rank 60."
    ]


def test_of_much_that_is_lost_the_rest_is_named() -> None:
    lost = {name: below(name) for name in TITLES}
    a, b = told("A", ONE_SHOT, lost), told("B", ONE_SHOT, {**lost, "club": kept("club", 1)})
    first, second = map(str, causes([a, b], TITLES))
    assert also_missed([a, b], TITLES) == []  # the headline names what both miss
    c = told("C", ONE_SHOT, {name: kept(name, 1) for name in TITLES})
    [rest] = also_missed([a, b, c], TITLES)
    assert first.startswith(
        "B finds 'Harbour Rovers' at rank 1. A ranks it 42nd"
    )  # it tells them apart
    assert second.startswith("A ranks 'Mara Quist' 42nd")
    assert rest == "A and B also miss 'Ilo Venn', 'Lantern Ground' and 'Port Selby'."


def test_where_they_rank_otherwise_first_is_told_and_nothing_where_they_do_not() -> None:
    three = ("club", "owner", "town"), ("club", "owner"), ("club", "town")
    a, b, c = (told(letter, ranked(*names), {}) for letter, names in zip("ABC", three, strict=True))
    assert first_difference([a, b]) == (
        "The rankings differ from rank 3: A has 'Port Selby'; B has no passage."
    )
    assert first_difference([b, c]) == (
        "The rankings differ from rank 2: B has 'Mara Quist'; C has 'Port Selby'."
    )
    assert first_difference([a, b, a, c]) == (
        "The rankings differ from rank 2: A, B and A all have 'Mara Quist'; C has 'Port Selby'."
    )
    assert first_difference([a, a]) == ""
    assert causes([a, b], {}) == []


def test_gold_that_all_retrieve_is_told_by_how_each_got_it_where_its_ranks_differ() -> None:
    a = told("A", WALK, {"owner": kept("owner", 2), "club": kept("club", 1)})
    b = told("B", ONE_SHOT, {"owner": kept("owner", 9), "club": kept("club", 1)})
    [cause] = map(str, moved([b, a], {"owner": "Mara Quist", "club": "Harbour Rovers"}))
    assert cause.startswith(
        "A finds 'Mara Quist' at rank 2, reached in hop 1 from 'Harbour Rovers' via the "
        "edge 'Who owns the club?'"
    )
    assert cause.endswith(" B finds it at rank 9.")
    assert causes([a, b], {"owner": "Mara Quist"}) == []
    c = told("C", ONE_SHOT, {"owner": kept("owner", 5), "club": kept("club", 7)})
    both = [*map(str, moved([a, b, c], {"club": "Harbour Rovers", "owner": "Mara Quist"}))]
    assert both[0].endswith(" B finds it at rank 9. C: rank 5.")  # seven ranks apart, and then six
    assert " C finds it at rank 7." in both[1]
    assert both[1].endswith(" B: rank 1.")


def test_what_ranks_gold_is_told_by_the_greatest_part_of_its_score() -> None:
    hit = Hit("owner", 3.0, (Part("word", 1.0), Part("save", 2.0)))
    steps = (ONE_SHOT[0], Ranked((Hit("club", 4.0), hit), (), "memory"))
    a = told("A", ranked("owner"), {"owner": kept("owner", 1)})
    b = told("B", steps, {"owner": kept("owner", 2)})
    assert [*map(str, moved([a, b], {"owner": "Mara Quist"}))] == [
        "A finds 'Mara Quist' at rank 1. B finds it at rank 2."
    ]
    assert by_parts([a, b], "owner") == (
        "In B, most of the score of 'Mara Quist' comes from the component 'save'."
    )
    even = replace(hit, parts=(Part("word", 1.5), Part("dense", 1.5)))
    steps = (ONE_SHOT[0], Ranked((even,), (), ""))
    told_even = told("HopRAG (similarity)", steps, {"owner": kept("owner", 1)})
    assert by_parts([told_even], "owner") == (
        "In HopRAG (similarity), the largest component of the score of 'Mara Quist' is 'word'."
    )
    dense = replace(hit, parts=(Part("word", 1.0), Part("dense", 2.0)))
    steps = (ONE_SHOT[0], Ranked((dense,), (), ""))
    told_dense = told("HopRAG (similarity)", steps, {"owner": kept("owner", 1)})
    assert by_parts([told_dense], "owner") == (
        "In HopRAG (similarity), most of the score of 'Mara Quist' comes from the component "
        "'dense'."
    )
    assert by_parts([a, a], "owner") == ""


def test_both_scores_are_told_of_what_ranks_below_and_of_what_was_refused() -> None:
    cut = Fate("owner", "owner", "cut", rank=44, score=0.239, margin=-0.118, k=20, of=203)
    refused = Fate(
        *("owner", "owner", "refused", 2, 0.18, -0.037, 1),
        **{"place": "Harbour Rovers", "round": "hop", "beat": "Lantern Ground"},
    )
    a, b = told("A", ONE_SHOT, {"owner": cut}), told("B", WALK, {"owner": refused})
    assert missed_phrase(a, "owner", "it") == (
        "ranks it 44th, below its top 20 (score 0.239, cut-off 0.357)"
    )
    assert missed_phrase(b, "owner", "it") == (
        "does not select it in hop 1 at 'Harbour Rovers': score 0.180, lowest accepted 0.217"
    )
    [cause] = causes([a, b], {"owner": "Mara Quist"})
    assert str(cause) == (
        "A ranks 'Mara Quist' 44th, below its top 20 (score 0.239, cut-off 0.357). B does "
        "not select it in hop 1 at 'Harbour Rovers': score 0.180, lowest accepted 0.217."
    )


def test_where_no_search_names_gold_that_is_the_cause() -> None:
    lost = Fate("owner", "owner", "cut", rank=10, k=6, inner=True, search="#3", unnamed=True)
    assert missed_phrase(Account("A", (), {"owner": lost}), "owner", "it") == (
        "ranks it 10th at best (search #3); no search query contains its title"
    )
