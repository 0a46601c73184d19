"""A hop as a whole, why a passage is where it is, and what a retrieval cost."""

from dataclasses import replace

from core.playback.account import account, unanswered
from core.playback.reasons import occasions
from core.playback.rounds import round_at, round_sentence
from core.steps import Cost, Exchange
from tests.core.worlds import ONE_SHOT, WALK


def test_a_round_is_all_that_its_hop_has_done_so_far() -> None:
    whole = round_at(WALK, 6)
    assert whole is not None
    assert (whole.hop, whole.began, whole.looked_at) == (2, 5, ("owner",))
    assert [(vertex, offer.edge_id) for vertex, offer in whole.followed] == [
        ("owner", "born"),
        ("owner", "married"),
    ]
    assert whole.new == ("town", "singer")


def test_a_passage_seen_before_is_not_new() -> None:
    whole = round_at(WALK, 9)
    assert whole is not None
    assert whole.looked_at == ("town", "singer")
    assert whole.new == ()
    assert round_sentence(whole).endswith("no new passage joins the queue.")


def test_the_question_the_seeds_and_the_result_are_in_no_round() -> None:
    assert [round_at(WALK, t) for t in (0, 1, 2, len(WALK))] == [None] * 4


def test_occasions_of_a_passage_are_every_offer_of_an_edge_to_it() -> None:
    found = occasions(WALK, len(WALK), passage_id="owner")
    assert [(one.t, one.hop, one.vertex, one.offer.edge_id, one.chosen) for one in found] == [
        (4, 1, "club", "owned", True),
        (9, 3, "singer", "married", True),
    ]
    refused = occasions(WALK, len(WALK), passage_id="stadium")
    assert [(one.chosen, one.place, one.of) for one in refused] == [(False, 2, 2)]


def test_occasions_know_nothing_of_later_steps() -> None:
    assert occasions(WALK, 3, edge_id="owned") == []
    assert len(occasions(WALK, 4, edge_id="owned")) == 1


def test_a_vertex_without_an_edge_is_no_judgement() -> None:
    assert account(WALK).judgements == 3
    assert not account(WALK).asked


def test_what_a_model_took() -> None:
    said = Exchange("m", "s", "u", ("a", "b"))
    nothing = replace(said, replies=(), trouble="No model.")
    steps = (
        *WALK[:3],
        replace(WALK[3], exchange=said, cost=Cost(calls=2, tokens=30), fallback="Unreadable."),
        WALK[4],
        replace(WALK[5], exchange=said, cost=Cost(cached=2)),
        WALK[6],
        WALK[7],
        replace(WALK[8], exchange=nothing, fallback="No model."),
        WALK[9],
    )
    found = account(steps)
    assert (found.calls, found.tokens, found.kept, found.fallbacks) == (2, 30, 2, 2)
    assert found.asked
    assert unanswered(steps) == "The model could not be asked at 1 of 3 passages: No model."
    assert unanswered(WALK) == ""


def test_seconds_are_those_of_the_embedding_and_of_the_rest() -> None:
    asked, ranked = ONE_SHOT
    steps = (
        replace(asked, cost=Cost(seconds=0.25)),
        replace(ranked, cost=Cost(seconds=0.5)),
    )
    found = account(steps)
    assert (found.embed_seconds, found.seconds, found.scored) == (0.25, 0.5, 0)
