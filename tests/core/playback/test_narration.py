"""The sentence of a step at which several edges are followed, or none is looked at."""

from dataclasses import replace

from core.playback import frame, sentence, stops
from core.playback import told as told_of
from core.playback.narration import FAILED
from core.playback.wording import TWO_LINES
from core.steps import ROOT, Arrival, Asked, Began, Exchange, Offer, Offered, Ranked, Step, Told
from tests.core.worlds import EDGES, TITLES, WALK, judged, seeds

FELL = "It has fallen below the first 20, so its edges are not looked at."


def told(step: Offered, *others: str) -> str:
    steps = (WALK[0], seeds("club", *others), Began("hop", 1, ("club",)), step)
    return sentence(steps, 4, TITLES.__getitem__)


def taken(*names: tuple[str, str, tuple[tuple[str, str], ...]]) -> Offered:
    """The edges of `club`; each name is an edge, where it leads, and its notes."""
    offers = tuple(
        Offer(target, 0.5, taken=True, tie=edge, label=EDGES[edge].question, notes=notes)
        for edge, target, notes in names
    )
    arrivals = tuple(Arrival(offer.target, (), offer.tie) for offer in offers)
    return Offered("club", "edges", offers, arrivals, considered=9, told=Told(reason="why"))


def brings(text: str) -> tuple[tuple[str, str], ...]:
    return (("brings", text), ("named with", "film"))


def test_a_passage_that_is_not_looked_at_says_why():
    step = judged("club", reason=FELL)
    assert told(step) == f"Hop 1: 'Harbour Rovers' leaves the queue. {FELL}"
    assert told(judged("club")) == "Hop 1: 'Harbour Rovers' leaves the queue."


def test_an_edge_is_taken_for_its_words():
    assert told(taken(("owned", "owner", brings("born, owner")))) == (
        "Hop 1: at 'Harbour Rovers' the edge 'Who owns the club?' is taken (brings born, owner); "
        "'Mara Quist' joins the queue."
    )


def test_many_edges_are_told_together():
    step = taken(
        ("owned", "owner", brings("born")),
        ("plays", "stadium", brings("town, born")),
        ("born", "town", ()),
    )
    assert told(step, "town") == (
        "Hop 1: at 'Harbour Rovers' 3 of its 9 edges are taken (brings born, town); "
        "'Mara Quist' and 'Lantern Ground' join the queue."
    )
    assert told(taken(*((name, "owner", ()) for name in ("owned", "plays", "born")))) == (
        "Hop 1: at 'Harbour Rovers' 3 of its 9 edges are taken; 'Mara Quist' joins the queue."
    )


def test_of_many_edges_the_one_that_it_is_about_is_told_with_its_question():
    step = taken(("owned", "owner", ()), ("plays", "stadium", ()), ("born", "town", ()))
    steps = (WALK[0], seeds("club"), Began("hop", 1, ("club",)), step)

    def about(node: str, steps: tuple[Step, ...] = steps, room: int = TWO_LINES) -> str:
        return told_of(steps, frame(steps, 4), TITLES.__getitem__, room=room, about=node)

    assert about("stadium") == (
        "Hop 1: at 'Harbour Rovers' the edge 'Where does the club play?' is taken; "
        "'Lantern Ground' joins the queue."
    )
    assert about("singer") == about("") == sentence(steps, 4, TITLES.__getitem__)
    long = replace(step.offers[1], label=f"Where {'really ' * 30}is it?")
    step = replace(step, offers=(step.offers[0], long, step.offers[2]))
    cut = about("stadium", (*steps[:3], step))
    assert "the edge 'Where really really" in cut
    assert "…' is taken" in cut
    assert len(cut) <= TWO_LINES
    assert "the edge" not in about("stadium", (*steps[:3], step), 100)


def test_what_is_worth_more_and_is_not_taken_says_what_it_misses():
    refused = Offer("stadium", 0.9, tie="plays", why="it would rank below", margin=-0.163)
    step = taken(("owned", "owner", ()))
    but = replace(step, offers=(refused, replace(step.offers[0], label="")))
    assert told(but) == (
        "Hop 1: at 'Harbour Rovers' 1 of its 9 edges is taken, not that to 'Lantern Ground', "
        "which scores higher but would need 0.163 more to be rank 3; 'Mara Quist' joins the queue."
    )
    less = replace(but, offers=(replace(but.offers[1], score=1.0), refused))
    assert told(less) == (
        "Hop 1: at 'Harbour Rovers' 1 of its 9 edges is taken; 'Mara Quist' joins the queue."
    )


def test_where_a_score_refuses_all_who_came_nearest_is_named():
    far = Offer("town", 0.9, tie="lies", margin=-0.5)
    near = Offer("stadium", 0.1, tie="plays", margin=-0.1)
    assert told(replace(judged("club"), offers=(far, near))) == (
        "Hop 1: at 'Harbour Rovers' neither edge is taken: "
        "even 'Lantern Ground' would need 0.100 more to be rank 3."
    )
    assert told(replace(judged("club"), offers=(far,))) == (
        "Hop 1: at 'Harbour Rovers' the only edge is not taken: "
        "it leads to 'Port Selby' and would need 0.500 more to be rank 3."
    )
    assert "would need 0.00040 more to be rank 3." in told(
        replace(judged("club"), offers=(replace(far, margin=-0.0004),))
    )


def test_those_that_join_the_queue_are_named_before_all_words_are():
    words = ", ".join(f"{letter * 25}" for letter in "abcd")
    step = taken(("owned", "owner", brings(words)), ("plays", "stadium", ()), ("born", "town", ()))
    assert told(step, "town") == (
        f"Hop 1: at 'Harbour Rovers' 3 of its 9 edges are taken (brings {'a' * 25}…); "
        "'Mara Quist' and 'Lantern Ground' join the queue."
    )


def test_what_has_the_name_of_another_one_is_counted():
    def named(*names: str) -> str:
        offers = tuple(Offer(name, 0.5, taken=True) for name in names)
        step = Offered(ROOT, "reports", offers)
        return sentence((WALK[0], step), 2, lambda name: name.rstrip("0123456789"))

    assert named("fire1", "fire2", "flood1", "flood2") == (
        "All 4 reports are taken: 'fire', 'flood' and 2 more."
    )


def test_a_row_of_passages_that_leave_the_queue_is_one_stop():
    reason = "It has fallen below the first 2, so its edges are not looked at."
    row = [judged(name, reason=reason) for name in "abc"]
    offers = tuple(Offer(name, 0.5, taken=True) for name in "abc")
    arrivals = tuple(Arrival(name, ()) for name in "abc")
    steps = (
        Asked("r", "q", 2),
        Offered(ROOT, "passages", offers, arrivals, entry=True),
        Began("hop", 1, ("a", "b", "c")),
        *row,
        Ranked(()),
    )
    assert stops(steps, "event") == [1, 2, 6, 7]
    theirs = "It has fallen below the first 2, so their edges are not looked at."
    assert sentence(steps, 6, str) == f"Hop 1: 3 passages leave the queue, 'c' last. {theirs}"
    other = (*steps[:5], judged("c", reason="It has no edges."), steps[-1])
    assert sentence(other, 6, str) == (
        "Hop 1: 3 passages leave the queue, 'c' last: It has no edges."
    )
    assert sentence(steps, 4, str) == f"Hop 1: 'a' leaves the queue. {reason}"


def test_a_list_of_one_is_the_only_one():
    step = replace(judged("club"), offers=(Offer("town", 0.1, tie="plays"),), considered=1)
    assert told(step) == "Hop 1: at 'Harbour Rovers' the only edge is not taken."


def test_a_sentence_is_read_in_two_lines():
    long = (
        "What is known of the club that was founded by the owner of the ferry, who sold it in 1911?"
    )
    step = taken(("owned", "owner", brings("a, b, c, d, e, f")), ("plays", "stadium", ()))
    step = replace(step, offers=tuple(replace(offer, label=long) for offer in step.offers))
    assert len(told(step)) <= TWO_LINES
    assert "2 of its 9 edges are taken (brings a, b, c, d…); " in told(step)
    one = replace(step, offers=step.offers[:1], arrivals=step.arrivals[:1])
    assert len(told(one)) <= TWO_LINES
    assert told(one).endswith(
        "1 of its 9 edges is taken (brings a, b, c, d…); 'Mara Quist' joins the queue."
    )


def test_a_rule_in_the_stead_of_a_model_is_told_of_as_far_as_there_is_room():
    step = replace(taken(("owned", "owner", ())), told=Told(fallback="The best one is taken."))
    steps = (WALK[0], seeds("club"), Began("hop", 1, ("club",)), step)

    def said(room: int, now: Offered = step) -> str:
        all_ = (*steps[:-1], now)
        return told_of(all_, frame(all_, 4), TITLES.__getitem__, room=room)

    whole = said(300)
    assert whole.endswith(" Fallback: The best one is taken.")
    brief = said(len(whole) - 1)
    assert brief.endswith(" A rule replaces the model.")
    bare = brief.removesuffix(" A rule replaces the model.")
    assert said(len(brief) - 1) == bare
    # That a model failed is told in any case: nothing else says so.
    asked = replace(step, told=replace(step.told, exchange=Exchange("m", "", "?")))
    assert said(len(brief) - 1, asked) == f"{bare} {FAILED}"


def test_a_round_in_which_nothing_happens_is_a_stop():
    steps = (WALK[0], Began("hop", 1), Ranked(()))
    assert stops(steps, "event") == stops(steps, "round") == [1, 2, 3]
