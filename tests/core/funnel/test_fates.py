"""Each gold passage has exactly one stage, with the numbers that decided it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.funnel.data import Entry, Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.stages import MEANINGS, STAGES
from core.playback import check
from core.ranking_comparison import distinct_gold, gold_ranks
from core.retrievers import CARDS, Spec, make
from core.retrievers.nesting import run_nested
from core.steps import Asked, Offer, Offered, Ranked, Step, Tie, result
from core.types import Hit
from tests.core.funnel import literal
from tests.core.funnel.worlds import NAMES, documents, index_of, opened
from tests.core.lost_gold.test_missed_gold import INDEX, SHORT
from tests.core.walks import walks
from tests.core.worlds import QUERY, WALK, judged, offer, seeds

FREE = [key for key in CARDS if not Spec(key).needs_model]
COMPOSED = (
    "rerank(over=bm25,depth=2)",
    "rerank(over=hoprag-similarity(n_hop=1),depth=3)",
    "ircot(over=hoprag-coverage(n_hop=1),each=2,room=3)",
    "rerank(over=ircot(over=rerank(over=dense,depth=2),each=1),depth=2)",
)


def one(steps, name, index=INDEX, **given) -> Fate:
    (fate,) = fates(steps, (name,), index, **given)
    return fate


def test_every_stage_has_words():
    assert STAGES.keys() == MEANINGS.keys()


def test_the_walk_by_hand():
    short = replace(WALK[0], settings={"n_hop": 1})
    steps = (short, *SHORT[1:])
    assert one(steps, "nobody") == Fate("nobody", "", "absent")
    assert one(steps, "alone") == Fate("alone", "alone", "far")
    assert one(steps, "town") == Fate("town", "town", "far", hop=2)
    assert one(steps, "owner") == Fate("owner", "owner", "unoffered", hop=1)
    assert one(SHORT, "town") == Fate("town", "town", "unoffered", hop=2)
    assert one(WALK, "stadium") == Fate(
        *("stadium", "stadium", "refused", 2, 0.3, 0.3 - 0.8, 1),
        at="club",
        tie="plays",
        place="Harbour Rovers",
        asks="Where does the club play?",
        beat="Mara Quist",
        round="hop",
    )
    hits, pruned = WALK[-1].hits, WALK[-1].pruned
    assert one(WALK, "club") == Fate(
        "club", "club", "kept", 1, hits[0].score, hits[0].score - pruned[0].score, 0
    )
    assert one(WALK, "singer") == Fate(
        "singer", "singer", "cut", 4, pruned[0].score, pruned[0].score - hits[-1].score, 2, k=3
    )


def test_edges_are_followed_as_the_card_says():
    steps = (WALK[0], seeds("town"), Ranked((Hit("town", 0.5),)))
    assert one(steps, "owner").stage == "far"
    both = (replace(WALK[0], retriever="hoprag-coverage"), *steps[1:])
    assert one(both, "owner") == Fate("owner", "owner", "unoffered", hop=1)
    nobody_knows = (replace(WALK[0], retriever="of-elsewhere"), *steps[1:])
    assert one(nobody_knows, "owner").stage == "unoffered"


def test_what_ranks_all_passages_ranked_the_rest_below():
    steps = (Asked("bm25", QUERY, 2), Ranked((Hit("club", 1.0),)))
    assert one(steps, "town") == Fate("town", "town", "below", k=1)


def test_a_search_within_a_retrieval_has_a_scale_of_its_own():
    class Dense:
        def retrieve(self, query):
            yield Asked("dense", query, 1)
            yield Ranked((Hit("club", 0.7),), (Hit("owner", 0.5),))

    steps = (Asked("ircot", QUERY, 2), *run_nested(Dense(), QUERY, 1), Ranked((Hit("club", 1.0),)))
    lost = one(steps, "owner")
    assert (lost.search, lost.over, lost.rank, lost.score) == ("#1", "dense", 2, 0.5)
    assert str(lost).endswith("in search #1, Dense score 0.500, cut-off 0.700")


def test_searches_that_ask_for_themselves_and_never_by_its_name_are_told_so():
    class Dense:
        def retrieve(self, query):
            yield Asked("dense", query, 1)
            yield Ranked((Hit("club", 0.7),), (Hit("owner", 0.5),))

    def asking(*queries: str) -> Fate:
        inner = [
            step for n, query in enumerate(queries, 1) for step in run_nested(Dense(), query, n)
        ]
        return one((Asked("ircot", QUERY, 2), *inner, Ranked((Hit("club", 1.0),))), "owner")

    assert asking(QUERY, "Who owns the ground?").unnamed
    assert asking(QUERY, "Who owns the ground?").brief == (
        "best rank 2 in search #1; each search keeps 1"
    )
    assert not asking(QUERY, "Where was Mara Quist born?").unnamed
    assert not asking(QUERY, QUERY).unnamed  # it asks nothing of its own


def test_what_was_taken_and_not_ranked_is_cut_without_a_rank():
    taken = judged("club", offer("owned", 0.5, taken=True))
    assert one((*SHORT[:2], taken, SHORT[2]), "owner") == Fate("owner", "owner", "cut", hop=0)


def test_a_document_stands_for_the_passage_that_came_furthest():
    whole = {"all": ("stadium", "singer", "town"), "rest": ("stadium", "alone")}
    index = replace_documents(whole)
    hits = WALK[-1].hits
    assert one(WALK, "all", index).stage == "kept"
    assert one(WALK, "all", index).passage == "town"
    assert one(WALK, "all", index).rank == [hit.passage_id for hit in hits].index("town") + 1
    assert one(WALK, "rest", index).passage == "stadium"
    assert one(WALK, "rest", index).stage == "refused"


def test_a_passage_that_a_person_took_away_does_not_count():
    index = replace_documents({"all": ("stadium", "town")})
    assert one(WALK, "all", index, passages_by_gold={"all": ("stadium",)}).stage == "refused"


def replace_documents(documents):
    return type(INDEX)(**{**vars(INDEX), "document_passages": documents})


def test_an_answer_may_leave_what_was_kept():
    assert one(WALK, "club", answer=["owner"]).stage == "unused"
    assert one(WALK, "club", answer=["club"]).stage == "kept"
    assert one(WALK, "stadium", answer=["club"]).stage == "refused"
    assert str(one(WALK, "club", answer=[])) == "retrieved, not used by the answer: rank 1"


@pytest.mark.parametrize(
    ("fate", "said"),
    [
        (Fate("a", "", "absent"), "not in the index"),
        (
            Fate("a", "a", "far"),
            "out of reach: no path from any seed",
        ),
        (
            Fate("a", "a", "far", hop=5, entry=Entry(31, 0.25, 0.375)),
            "out of reach: 5 edges from the nearest seed. Rank 31 in the seed selection, "
            "score 0.250, lowest accepted 0.375",
        ),
        (
            Fate("a", "a", "far", entry=Entry(71, 0.25, 0.375, 20)),
            "out of reach: no path from any seed. Rank 71 in the seed selection (top 20 selected), "
            "score 0.250, lowest accepted 0.375",
        ),
        (
            Fate("a", "a", "cut", 38, 1 / 38, k=20, held="rank 34 of the 93 entity passages"),
            "below the top 20: rank 38. Rank 34 of the 93 entity passages",
        ),
        (Fate("a", "a", "unoffered", hop=1), "never a candidate: 1 edge from the nearest seed"),
        (
            Fate("a", "a", "refused", 2, 0.5, -0.25, 3),
            "not followed: a candidate in round 3, score 0.250 below the cut-off",
        ),
        (
            Fate("a", "a", "refused", 2, 0.5, margin=-0.25, hop=3, why="only the best 6"),
            "not followed: a candidate in round 3, only the best 6",
        ),
        (
            Fate("a", "a", "refused", 2, 0.5, -0.25, 3, round="hop"),
            "not followed: a candidate in hop 3, score 0.250 below the cut-off",
        ),
        (
            Fate("a", "a", "refused", 1, 0.5, 0.25),
            "not followed: score 0.250 above the cut-off",
        ),
        (
            Fate("a", "a", "cut", 23, 0.5, 0.0, k=20),
            "below the top 20: rank 23, score equal to the cut-off",
        ),
        (Fate("a", "a", "cut"), "reached, not ranked"),
        (
            Fate("a", "a", "cut", 1200, 0.5, -0.5, k=20, of=2000),
            "below the top 20: rank 1,200 of 2,000, score 0.500, cut-off 1.000",
        ),
        (
            Fate("a", "a", "below", k=20, of=28),
            "not found",
        ),
        (
            Fate(
                *("a", "a", "cut", 10, 3.0, -0.25),
                **{"k": 6, "of": 203, "inner": True, "search": "#2", "over": "bm25"},
            ),
            "not in the top 6 of any search: rank 10 of 203 in search #2, BM25 score 3.000, "
            "cut-off 3.250",
        ),
        (
            Fate(
                *("a", "a", "cut", 10, 3.0, -0.25),
                **{"k": 6, "inner": True, "search": "#2", "over": "bm25", "unnamed": True},
            ),
            "not in the top 6 of any search: best rank 10 in search #2, BM25 score 3.000, "
            "cut-off 3.250. No search query contains its title",
        ),
        (Fate("a", "a", "cut", 3, 0.5, search="#1"), "not retrieved: rank 3 in search #1"),
        (Fate("a", "a", "kept", 3, 0.5, 0.1, 0), "retrieved: rank 3"),
    ],
)
def test_in_words(fate, said):
    assert str(fate) == said
    assert Fate.from_json(fate.to_json()) == fate


@dataclass(frozen=True)
class Given:
    steps: tuple[Step, ...]

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from self.steps


@st.composite
def rounds(draw: st.DrawFn):
    """A random walk, or one or two in a bracket of which any end is taken, in part."""
    steps, vertices, edges = draw(walks())
    if draw(st.booleans()):
        return steps, vertices, edges
    outer: list[Step] = [Asked("round", "q", draw(st.integers(1, 3)))]
    for number in range(1, draw(st.integers(1, 2)) + 1):
        found = list(run_nested(Given(steps), "q", number))
        outer += found
        if draw(st.booleans()):
            hits = found[-1].hits
            offers = (Offer(hit.passage_id, 0.5, taken=draw(st.booleans())) for hit in hits)
            outer.append(Offered("#", "paragraphs", tuple(offers)))
    kept = result(steps).hits[: outer[0].top_k]
    kept = tuple(hit for hit in kept if draw(st.booleans()))
    outer.append(Ranked(kept))
    check(outer)
    return tuple(outer), vertices, edges


@given(rounds(), st.data())
def test_stages_partition_the_gold_of_any_walk(walk, data):
    steps, vertices, edges = walk
    index = index_of(vertices, edges)
    names = st.sampled_from([*vertices, *index.document_passages, "nobody"])
    agree(steps, data.draw(st.lists(names, max_size=6)), index)


@settings(max_examples=5, deadline=None)
@given(documents(), st.data())
def test_stages_partition_the_gold_of_every_retriever(tmp_path_factory, given_, data):
    workbench = opened(tmp_path_factory.mktemp("world") / "drawn", given_)
    index = workbench.index
    known = sorted({*index.number, *index.document_passages, "nobody"})
    about = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
    question = f"Where was {' '.join(about)} born?"
    top_k = data.draw(st.integers(1, 4))
    for key in (*FREE, *COMPOSED):
        steps = tuple(make(key, workbench, top_k=top_k).retrieve(question))
        agree(steps, known, index)
        agree(steps, known, index, lists=Lists(workbench))


def agree(steps, gold, index, **given_):
    """Each gold has one fate, with the stage of the literal definition and the rank counted."""
    found = fates(steps, gold, index, **given_)
    names = distinct_gold(gold, index.document_passages)
    assert [fate.gold for fate in found] == list(names)
    for fate in found:
        stage = literal.stage(steps, fate.gold, index)
        # What no step found has a rank where the whole list is known, and is below the top k then.
        assert fate.stage == ("cut" if stage == "below" and fate.rank else stage)
    hits = [hit.passage_id for hit in result(steps).hits]
    ranks = gold_ranks(hits, gold, index.document_passages)
    assert {fate.gold: fate.rank for fate in found if fate.stage == "kept"} == {
        name: rank for name, rank in ranks.items() if rank
    }
    for fate in found:
        assert str(fate)
        assert fate.stage != "kept" or not fate.lost


def test_out_of_reach_says_by_how_much_in_few_words():
    far = Fate("a", "a", "far", entry=Entry(71, 0.25, 0.375, 20))
    assert far.brief == "out of reach; rank 71 in the seed selection (top 20 selected)"
    alone = replace(far, entry=Entry(2, 0.25, 0.375, 1))
    assert alone.brief.endswith("rank 2 in the seed selection (only the first selected)")


def test_where_the_nth_has_one_nth_ranks_are_told_and_the_list_that_held_it():
    """Lists merged by turns: 1/2 - 1/4 is no distance of scores."""
    offers = tuple(
        Offer(name, score, taken=True, tie=f"club>{name}")
        for name, score in (("owner", 0.9), ("singer", 0.8))
    )
    ties = tuple(Tie(one.tie, "club", one.target) for one in offers)
    kept = Offered("#", "merged entities", (Offer("club", 0.7, taken=True),))
    listed = Offered("#", "entity passages", offers, ties=ties)
    hits = tuple(Hit(n, 1 / r) for r, n in enumerate(("club", "owner", "town", "singer"), 1))
    steps = (replace(WALK[0], top_k=2), kept, listed, Ranked(hits[:2], hits[2:]))
    fate = one(steps, "singer")
    assert (fate.stage, fate.rank, fate.margin) == ("cut", 4, None)
    assert str(fate) == (
        "below the top 2: rank 4. Via 'Harbour Rovers' (rank 1 of 1 merged entity), rank "
        "2 of 2 entity passages (score 0.800) before the lists are merged"
    )
    scored = (Hit("club", 0.9), Hit("owner", 0.6))
    other = one((*steps[:3], Ranked(scored, hits[3:])), "singer")
    assert other.margin == 0.25 - 0.6
