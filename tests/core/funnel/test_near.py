"""The nearest miss of gold: by rank, over the lists of each kind."""

from dataclasses import replace

import numpy as np
import pytest

from core.funnel.data import Fate
from core.funnel.near import Near, nearby, nearest
from core.retrievers.searched_lists import Searched

SCORES = np.array([0.5, 0.9, 0.1, 0.7, 0.3])


def test_the_nearest_of_the_lists_of_a_kind_is_told():
    lists = [
        Searched.from_scores("passage", SCORES, 2, where="in hop 1"),
        Searched.from_scores("passage", SCORES[::-1], 2, where="in hop 2"),
    ]
    (near,) = nearest(lists, 4)
    assert (near.rank, near.where) == (3, "in hop 2")
    assert str(near) == "rank 3 of 5 in hop 2 (score 0.500, lowest accepted 0.700 at rank 2)"


def test_every_list_that_leads_there_is_told_nearest_first():
    lists = [
        Searched.from_scores("passage", SCORES, 2, where="in hop 1"),
        Searched.from_scores("passage", SCORES[::-1], 2, where="in hop 2"),
        Searched("passage", [0], {0: 0.5}, 1, where="in hop 3"),
    ]
    assert [near.where for near in nearby(lists, 4)] == ["in hop 2", "in hop 1"]


def test_what_leads_to_gold_is_named():
    names = ["ada", "ilo", "kit", "lena", "mara"]
    one = Searched.from_scores("entity", SCORES, 1, lambda p: {p, 2}, names.__getitem__)
    (near,) = nearest([one], 4)
    assert str(near).startswith("its nearest entity, 'mara', ranks 4th of 5")
    assert near.brief == "its nearest entity ranks 4th, below the top 1"


def test_a_taken_lead_comes_last_and_says_so():
    taken = Searched.from_scores("fact", SCORES, 1, lambda _: [1], str)
    missed = Searched.from_scores("passage", SCORES, 1)
    assert [near.of for near in nearest([taken, missed], 0)] == ["passage", "fact"]
    (near,) = nearest([taken.with_after({1: "but it exceeds the token limit"})], 0)
    assert str(near).endswith("ranks 1st of 5, but it exceeds the token limit")


def test_misses_come_first_by_their_rank_over_the_number_taken():
    def listed(where: str, rank: int, taken: int, **more: str) -> Searched:
        order = [*range(1, rank), 0, *range(rank, 20)]
        scores = {number: 1 / place for place, number in enumerate(order, start=1)}
        return Searched("passage", order, scores, taken, where=where, **more)

    refused = listed("refused", 1, 5).with_after({0: "but it exceeds the token limit"})
    lists = [
        listed("last taken", 3, 3),
        listed("rank 4 of 2", 4, 2),
        listed("rank 10 of 8", 10, 8),
        listed("rank 3 of none", 3, 0),
        refused,
    ]
    order = ["refused", "rank 10 of 8", "rank 4 of 2", "rank 3 of none", "last taken"]
    assert [near.where for near in nearby(lists, 0)] == order


def test_what_no_list_has_is_said_only_where_no_other_of_the_kind_has_it():
    nowhere = Searched("neighbour", [], {}, 0, absent="no neighbour of a seed")
    beside = Searched("neighbour", [3, 0], {3: 0.7, 0: 0.5}, 1)
    assert [str(near) for near in nearest([nowhere], 0)] == ["no neighbour of a seed"]
    assert [near.rank for near in nearest([nowhere, beside], 0)] == [2]
    assert nearest([beside], 4) == ()


@pytest.mark.parametrize(
    ("near", "said"),
    [
        (Near("entity", "ada", 9, 20, 0.15, 0.2, 4, least=0.2),
         "its nearest entity, 'ada', ranks 9th of 20 (score 0.150, threshold 0.2)"),
        (Near("passage", "", 2, 5, 0.15, 0.4, 1),
         "rank 2 of 5 (score 0.150, lowest accepted 0.400 at rank 1)"),
        (Near("passage", "", 2, 5, 0.15), "rank 2 of 5; none was selected"),
        (Near("passage", "", 6, 9, 0.1, 0.2, 5, "in hop 1", word="found"),
         "rank 6 of 9 in hop 1 (score 0.100, lowest accepted 0.200 at rank 5)"),
        (Near("passage", "", 5, 9, 0.3, 0.3, 5), "rank 5 of 9, selected"),
        (Near("passage", "", 6, 9, 0.1, 0.3, 5, after="left out"), "rank 6 of 9, left out"),
    ],
)  # fmt: skip
def test_it_is_told_as_the_list_ended(near, said):
    assert str(near) == said


def test_the_nearest_misses_of_two_kinds_are_told() -> None:
    summary = Near("summary", "Ada", 43, 234, 0.252, 0.366, 20)
    text = Near("text", "", 48, 234, 0.241, 0.366, 20)
    fate = Fate("a", "a", "below", k=8, near=(summary, text))
    assert str(fate) == f"not found: {summary}. {text.whole}"


def test_a_fate_tells_it_and_is_read_again():
    near = (Near("entity", "ada", 9, 20, 0.1, 0.2, 4), Near("passage", "", 6, 9, 0.1, 0.2, 5))
    fate = Fate("a", "a", "below", k=8, near=near, lists=near[:1])
    assert str(fate) == f"not found: {near[0]}. {near[1].whole}"
    assert fate.brief == "not found; its nearest entity ranks 9th, below the top 4"
    assert Fate.from_json(fate.to_json()) == fate
    assert Fate.from_json({"gold": "a", "passage": "a", "stage": "below"}).near == ()


def test_in_a_few_words_only_what_has_no_name_is_told_of_each_list():
    named = Near("entity", "Ada", 3, 9, 0.4, 0.5, 2, "in hop 2")
    assert named.brief == "its nearest entity ranks 3rd, below the top 2"
    assert replace(named, name="").brief == "best rank 3, below the top 2"
    assert replace(named, name="", rank=2).brief == "best rank 2, selected"
