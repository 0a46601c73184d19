import base64

from core.maps.heat import GoldOutcome, heat_data
from core.maps.messages import OTHERS, field_data, shown_bits
from core.maps.walk import walk_data
from core.steps import Arrival, Asked, Began, Offer, Offered, Ranked
from core.types import Hit

UNIT = {"a": 0, "b": 1, "c": 2}


def test_bits_of_what_is_shown():
    assert base64.b64decode(shown_bits([0, 9], 10)) == bytes([1, 2])


def test_rare_values_of_a_field_share_a_colour():
    values = [f"v{n}" for n in range(20) for _ in range(20 - n)]
    found = field_data("Source", values)
    assert found["labels"] == [*(f"v{n}" for n in range(7)), OTHERS]
    assert found["of"][0] == 0
    assert found["of"][-1] == 7


def test_heat_counts_gold_and_loss_by_place_with_n():
    outcomes = [
        GoldOutcome("a", lost=True),
        GoldOutcome("a", lost=False),
        GoldOutcome("b", lost=False),
        GoldOutcome("", lost=True),
    ]
    found = heat_data(outcomes, UNIT, 3, "BM25")
    assert found["rows"] == [[0, 2, 1], [1, 1, 0]]
    assert found["note"] == (
        "BM25, 3 questions: 1 of 3 gold passages lost (33%). Each counts once per question. "
        "1 is not in the index, so not on the map."
    )


def offered(at: str, *targets: str, entry: bool = False) -> Offered:
    offers = tuple(Offer(one, 1.0, taken=True) for one in targets)
    arrivals = tuple(Arrival(one, ()) for one in targets)
    return Offered(at, "edges", offers, arrivals, entry=entry)


def test_a_walk_has_its_seeds_its_hops_and_its_end():
    steps = [
        Asked("any", "Who?", 2),
        offered("#", "a", entry=True),
        Began("hop", 1, ("a",)),
        offered("a", "b", "a"),
        Ranked((Hit("a", 1.0), Hit("b", 0.5))),
    ]
    found = walk_data("Who?", steps, ["b", "c", "gone"], UNIT)
    seeds, hop, end = found["frames"]
    assert (seeds["seeds"], seeds["say"]) == ([0], "1 seed")
    assert (hop["hops"], hop["say"]) == ([[0, 1]], "Hop 1: 1 passage reached for the first time")
    assert end["hits"] == [0, 1]
    assert end["say"] == (
        "2 passages retrieved, 1 of 3 gold passages among them; 1 of the gold is not in the index"
        ", so it is not on the map."
    )
    assert found["gold"] == [[1, 0], [2, 1]]


def test_a_ranking_without_a_walk_has_its_end_only():
    steps = [Asked("any", "Who?", 1), Ranked((Hit("c", 1.0),))]
    (end,) = walk_data("Who?", steps, [], UNIT)["frames"]
    assert (end["hits"], end["say"]) == ([2], "1 passage retrieved.")
