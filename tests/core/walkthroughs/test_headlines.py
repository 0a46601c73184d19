"""What a walkthrough says at each stop, of a walk and of a nested retrieval made by hand."""

from core.steps import ROOT, Asked, Began, Offer, Offered, Ranked
from core.traces import Trace
from core.types import Hit, Part
from core.walkthroughs.contract import WalkthroughData
from core.walkthroughs.making import make_walkthrough, with_fix
from tests.core.examples import NESTED
from tests.core.worlds import EDGES, ONE_SHOT, PASSAGES, QUERY, WALK, judged, offer, seeds


def told(steps, gold=("town", "owner"), query=QUERY) -> WalkthroughData:
    trace = Trace(query, "any", "five", "g", tuple(steps), PASSAGES, EDGES, gold, "2026-01-01")
    return make_walkthrough(trace)


def headlines(made: WalkthroughData, which: str = "every") -> list[str]:
    return [made["stops"][number]["headline"] for number in made[which]]


def test_a_walk_is_told_by_its_questions():
    assert headlines(told(WALK)) == [
        "HopRAG (similarity) retrieves 3 passages.",
        "1 seed passage enters the queue.",
        "One of the 2 edges is followed. 'Mara Quist' (gold passage 2 of 2) is new.",
        "Both edges are followed. "
        "'Port Selby' (gold passage 1 of 2) is new; 1 other passage is new.",
        "'Port Selby' leaves the queue. It has no edge.",
        "The only edge is followed and leads back to 'Mara Quist' (gold passage 2 of 2).",
        "3 of 4 ranked passages are retrieved; 'Harbour Rovers' ranks first.",
        "The chain is complete: both gold passages are retrieved.",
    ]


def test_a_fold_names_what_it_reaches_and_shows_that_first():
    steps = (
        Asked("any", QUERY, 1),
        seeds("club"),
        Began("hop", 1, ("club",)),
        judged("club", offer("plays", 0.9), offer("owned", 0.8, taken=True)),
        Began("hop", 2, ("owner",)),
        judged("owner", offer("born", 0.9), offer("married", 0.2, taken=True)),
        Ranked(WALK[-1].hits[:1]),
    )
    made = told(steps, ("nobody",))
    [fold] = [stop for stop in made["stops"] if stop["kind"] == "fold"]
    assert fold["headline"] == (
        "The next 2 passages lead to 2 new passages, 'Mara Quist' and 'Ilo Venn'; "
        "none of them is in the final top 1."
    )
    nodes = [one["card"]["node"] for one in fold["candidates"]]
    assert nodes[:2] == ["owner", "singer"]
    assert fold["helpfulness"]["row"]["node"] == nodes[0]


def test_the_passage_that_a_headline_names_is_the_first_candidate():
    steps = (
        Asked("any", QUERY, 3),
        seeds("club"),
        Began("hop", 1, ("club",)),
        judged("club", offer("owned", 0.9, taken=True), offer("lies", 0.2, taken=True)),
        *WALK[-1:],
    )
    stop = told(steps, ("town",))["stops"][2]
    assert "'Port Selby' (gold passage) is new" in stop["headline"].replace(" 1 of 1", "")
    assert [one["card"]["node"] for one in stop["candidates"]] == ["town", "owner"]
    assert stop["helpfulness"]["row"]["node"] == "town"


def test_the_first_stops_say_nothing_of_what_comes_later():
    made = told(WALK)
    short = told((*WALK[:4], Ranked(())))
    assert headlines(made)[:3] == headlines(short)[:3]


def test_what_falls_short_is_told_by_both_scores():
    steps = (
        Asked("any", QUERY, 1),
        seeds("club"),
        Began("hop", 1, ("club",)),
        judged("club", Offer("owner", 0.1, (Part("dense", 0.1),), tie="owned", margin=-0.2)),
        Ranked(()),
    )
    # The last one kept has 0.275, and the edge would bring its passage to 0.2 less.
    expected = (
        "The only edge is not followed: it would score 0.075, below the cut-off of 0.275 (rank 1)."
    )
    assert headlines(told(steps))[2] == expected


def test_words_that_a_passage_brings_are_named_as_the_query_has_them():
    made = told(WALK, query="Was Mara born in Selby or at the port?")
    assert (
        "'Mara Quist' (gold passage 2 of 2) is new and adds the query term 'Mara'."
        in headlines(made)[2]
    )
    assert "is new and adds the query terms 'Selby' and 'port'" in headlines(made)[3]


def test_lost_gold_breaks_the_chain_with_its_stage():
    made = told(ONE_SHOT)
    chain = made["stops"][-1]["chain"]
    assert (
        headlines(made)[-1] == "The chain breaks at 'Mara Quist' (gold passage 2 of 2): not found."
    )
    assert [link["kind"] for link in chain["links"]] == ["found", "gap", "gap"]
    assert [card["state"] for card in chain["cards"]] == ["visited", "retrieved", "missed"]


def test_the_chain_shows_the_path_to_lost_gold_through_passages_without_evidence():
    chain = told(WALK, ("club", "singer"))["stops"][-1]["chain"]
    assert [(card["node"], card["state"]) for card in chain["cards"]] == [
        (ROOT, "visited"),
        ("club", "retrieved"),
        ("owner", "retrieved"),
        ("singer", "missed"),
    ]
    assert [(link["kind"], link["edge"], link["source"]) for link in chain["links"]] == [
        ("found", "", ""),
        ("edge", "owned", ""),
        ("gap", "married", ""),
        ("gap", "", ""),
    ]


def test_a_seed_that_an_edge_leads_to_is_joined_by_it():
    steps = (
        Asked("any", QUERY, 3),
        seeds("club", "owner"),
        Began("hop", 1, ("club", "owner")),
        judged("club", offer("owned", 0.8, taken=True)),
        *WALK[-1:],
    )
    chain = told(steps, ("club", "owner"))["stops"][-1]["chain"]
    assert [(link["kind"], link["edge"]) for link in chain["links"]] == [
        ("found", ""),
        ("edge", "owned"),
        ("found", ""),
    ]


def test_a_nested_retrieval_says_which_searches_it_is_in():
    made = told(NESTED)
    stacks = [made["stops"][number]["stack"] for number in made["every"]]
    assert stacks[0] == []
    assert [QUERY] in stacks
    assert all(headlines(made, "audience"))


def test_where_nothing_is_gold_the_chain_shows_what_ranks_first():
    made = told(WALK, ())
    chain = made["stops"][-1]["chain"]
    assert (
        headlines(made)[-1] == "No gold is known for this query. The chain shows the top passages."
    )
    assert [card["node"] for card in chain["cards"]] == [ROOT, "club", "owner"]
    assert chain["complete"]  # nothing is known to be missed
    assert "gap" not in {link["kind"] for link in chain["links"]}


def test_the_last_stop_names_the_fix():
    made = told(WALK, ("town",))
    fix = "Smallest change that retrieves it: top k 3 instead of 2. It then ranks 3rd."
    notes = with_fix(made, fix)["stops"][-1]["notes"]
    assert notes[:-1] == made["stops"][-1]["notes"]
    assert notes[-1] == fix
    assert with_fix(made, "") == made


def test_a_list_that_nothing_was_followed_of_keeps_the_best():
    offers = tuple(
        Offer(name, score, taken=score > 0.3) for name, score in (("club", 0.5), ("town", 0.1))
    )
    made = told((Asked("any", QUERY, 2), Offered(ROOT, "texts", offers), Ranked(())))
    assert headlines(made)[1] == "One of the 2 texts is kept: 'Harbour Rovers'."
    kept, cut = made["stops"][1]["candidates"]
    assert (kept["verdict"], cut["verdict"]) == ("kept", "cut_off")
    assert cut["reason"] == "score 0.100, lowest accepted 0.500"


def test_without_edges_the_chain_says_the_rank_and_what_the_score_comes_from():
    def hit(node: str, *parts: Part) -> Hit:
        return Hit(node, sum(part.value for part in parts), parts)

    club = hit("club", Part("rovers", 2.0), Part("was", 0.5), Part("owner", 1.0))
    steps = (Asked("bm25", QUERY, 2), Ranked((club, hit("town"))))
    chain = told(steps, ())["stops"][-1]["chain"]
    assert [link["text"] for link in chain["links"][:2]] == [
        "Rank 1. Highest-scoring terms: 'rovers' and 'owner'.",
        "Rank 2.",
    ]
