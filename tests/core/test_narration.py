"""The sentence of a step at which several edges are followed, or none is looked at."""

from core.playback import sentence, stops
from core.steps import Arrival, Asked, HopBegan, Judged, Offer, Ranked, Seeded
from tests.core.worlds import EDGES, TITLES, WALK, arrival

FELL = "It has fallen below the first 20, so its edges are not looked at."


def told(step: Judged, *seeds: str) -> str:
    start = Seeded("hybrid", tuple(arrival(seed, None) for seed in ("club", *seeds)))
    steps = (WALK[0], start, HopBegan(1, ("club",)), step)
    return sentence(steps, 4, TITLES.__getitem__)


def taken(*names: tuple[str, str, tuple[str, ...]]) -> Judged:
    """`club` judged; each name is an edge, where it leads, and the words that it brings."""
    offers = tuple(
        Offer(edge, target, EDGES[edge].question, 0.5, (), covers=covers)
        for edge, target, covers in names
    )
    arrivals = tuple(Arrival(offer.target, (), offer.edge_id) for offer in offers)
    chosen = tuple(offer.edge_id for offer in offers)
    return Judged(1, "club", offers, chosen, arrivals, "why", considered=9)


def test_a_passage_that_is_not_looked_at_says_why():
    step = Judged(1, "club", (), (), (), FELL)
    assert told(step) == f"Hop 1: 'Harbour Rovers' leaves the queue. {FELL}"
    assert told(Judged(1, "club", (), (), (), "")) == "Hop 1: 'Harbour Rovers' leaves the queue."


def test_an_edge_is_taken_for_its_words():
    assert told(taken(("owned", "owner", ("born", "owner")))) == (
        "Hop 1: at 'Harbour Rovers' the edge 'Who owns the club?' is taken for born, owner; "
        "'Mara Quist' joins the queue."
    )


def test_many_edges_are_told_together():
    step = taken(
        ("owned", "owner", ("born",)),
        ("plays", "stadium", ("town", "born")),
        ("born", "town", ()),
    )
    assert told(step, "town") == (
        "Hop 1: at 'Harbour Rovers' 3 of 9 edges are taken for born, town; "
        "'Mara Quist', 'Lantern Ground' join the queue; 'Port Selby' is visited again."
    )
    assert told(taken(*((name, "owner", ()) for name in ("owned", "plays", "born")))) == (
        "Hop 1: at 'Harbour Rovers' 3 of 9 edges are taken; "
        "'Mara Quist' joins the queue; 'Mara Quist', 'Mara Quist' are visited again."
    )


def test_a_row_of_passages_that_leave_the_queue_is_one_stop():
    reason = "It has fallen below the first 2, so its edges are not looked at."
    row = [Judged(1, name, (), (), (), reason) for name in ("a", "b", "c")]
    seeds = tuple(Arrival(name, ()) for name in "abc")
    steps = (
        Asked("r", "q", 2),
        Seeded("node", seeds),
        HopBegan(1, ("a", "b", "c")),
        *row,
        Ranked(()),
    )
    assert stops(steps, "event") == [1, 2, 3, 6, 7]
    assert (
        sentence(steps, 6, str) == f"Hop 1: 3 passages leave the queue. The last is 'c'. {reason}"
    )
    assert sentence(steps, 4, str) == f"Hop 1: 'a' leaves the queue. {reason}"
