"""Rankings side by side, on four passages."""

from hypothesis import given
from hypothesis import strategies as st

from core.ranking_comparison import (
    found_by_one,
    gold_ranks,
    overlap,
    rank_moves,
)

A = ("club", "owner", "town")
B = ("town", "club", "singer")
DOCUMENTS = {"club": ("club",), "report": ("report#0", "report#1")}

rankings = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_a_passage_moves_by_the_difference_of_its_ranks() -> None:
    assert rank_moves(B, A) == (3 - 1, 1 - 2, None)


def test_nothing_moves_in_the_ranking_itself() -> None:
    assert rank_moves(A, A) == (0, 0, 0)


def test_an_empty_ranking_has_no_moves_and_makes_all_new() -> None:
    assert rank_moves((), A) == ()
    assert rank_moves(A, ()) == (None, None, None)


@given(rankings, rankings)
def test_a_move_leads_back_to_the_base_rank(ranking: list[str], base: list[str]) -> None:
    for rank, (passage, move) in enumerate(zip(ranking, rank_moves(ranking, base), strict=True), 1):
        if move is None:
            assert passage not in base
        else:
            assert base[rank + move - 1] == passage


def test_found_by_one_names_the_finder() -> None:
    assert found_by_one({"a": A, "b": B, "c": ("club",)}) == {"owner": "a", "singer": "b"}


def test_overlap_counts_the_first_k_only() -> None:
    assert overlap({"a": A, "b": B}, 3) == {("a", "b"): 2}
    assert overlap({"a": A, "b": B}, 1) == {("a", "b"): 0}


def test_overlap_has_every_pair_once() -> None:
    assert list(overlap({"a": A, "b": B, "c": A}, 2)) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_gold_is_found_at_its_rank_or_not_at_all() -> None:
    assert gold_ranks(B, ("club", "owner"), DOCUMENTS) == {"club": 2, "owner": None}


def test_a_gold_document_stands_at_its_best_passage() -> None:
    ranking = ("town", "report#1", "club", "report#0")
    assert gold_ranks(ranking, ("report",), DOCUMENTS) == {"report": 2}


def test_gold_that_is_not_in_the_index_has_no_rank() -> None:
    assert gold_ranks(A, ("elsewhere",), DOCUMENTS) == {"elsewhere": None}


def test_a_document_counts_once_where_its_passage_is_gold_too() -> None:
    passages = {"a": ("a#0", "a#1"), "b": ("b#0", "b#1")}
    ranking = ("a#1", "b#0", "a#0", "b#1")
    ranks = gold_ranks(ranking, ("b", "a", "b#1", "c", "a"), passages)
    assert ranks == {"a": 1, "b#1": 4, "c": None}
