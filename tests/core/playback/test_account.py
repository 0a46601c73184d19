"""Why a passage is where it is, and what a retrieval cost."""

from dataclasses import replace

from core.playback.account import Looked, account
from core.playback.decided import Decided, all_decided, decided
from core.playback.reasons import occasions
from core.steps import Cost, Exchange, Told
from tests.core.worlds import ONE_SHOT, WALK


def test_occasions_of_a_passage_are_every_offer_of_an_edge_to_it() -> None:
    found = occasions(WALK, len(WALK), node="owner")
    assert [(one.t, one.round, one.step.at, one.offer.tie) for one in found] == [
        (4, WALK[2], "club", "owned"),
        (9, WALK[6], "singer", "married"),
    ]
    assert all(one.offer.taken for one in found)
    refused = occasions(WALK, len(WALK), node="stadium")
    assert [(one.offer.taken, one.place, one.step.scored) for one in refused] == [(False, 2, 2)]


def test_occasions_know_nothing_of_later_steps() -> None:
    assert occasions(WALK, 3, line="owned") == []
    assert len(occasions(WALK, 4, line="owned")) == 1


def test_a_vertex_without_an_edge_is_no_judgement() -> None:
    assert account(WALK).judgements == 3
    assert account(WALK).looked == (Looked("edges", 3, 5),)
    assert account(WALK).model == Decided()


def test_what_a_model_took() -> None:
    said = Exchange("m", "s", "u", ("a", "b"))
    nothing = replace(said, replies=(), trouble="No model.")
    steps = (
        *WALK[:3],
        replace(
            WALK[3], told=Told(Cost(calls=2, tokens=30), exchange=said, fallback="Unreadable.")
        ),
        WALK[4],
        replace(WALK[5], told=Told(Cost(cached=2), exchange=said)),
        WALK[6],
        WALK[7],
        replace(WALK[8], told=Told(exchange=nothing, fallback="No model.")),
        WALK[9],
    )
    found = account(steps)
    assert (found.calls, found.tokens, found.kept) == (2, 30, 2)
    assert found.model == Decided(3, (("Unreadable.", 1), ("No model.", 1)))
    assert (found.model.decided, found.model.fallbacks) == (1, 2)
    assert str(found.model) == (
        "The model's reply was used in 1 of 3 steps. In 1: Unreadable. In 1: No model."
    )
    assert not found.model.nothing
    assert decided(WALK).to_json() is None
    assert str(decided(WALK)) == ""


def test_several_retrievals_together() -> None:
    one = Decided(3, (("A.", 1),))
    two = Decided(2, (("B.", 2),))
    both = all_decided((one, two, Decided()))
    assert both == Decided(5, (("B.", 2), ("A.", 1)))
    assert two.nothing
    assert two.called("bm25") == "bm25 (no model)"
    assert (both.called("bm25"), Decided().called("bm25")) == ("bm25", "bm25")
    many = Decided(9, tuple((f"{n}.", 1) for n in range(5)))
    assert str(many).endswith("In 1: 2. And 2 more reasons.")


def test_seconds_are_those_of_the_embedding_and_of_the_rest() -> None:
    asked, ranked = ONE_SHOT
    steps = (
        replace(asked, told=Told(Cost(seconds=0.25))),
        replace(ranked, told=Told(Cost(seconds=0.5))),
    )
    found = account(steps)
    assert (found.embed_seconds, found.seconds, found.looked) == (0.25, 0.5, ())
