"""The strips that show at which step evidence arrives, in one retrieval and in two."""

from dataclasses import replace

from core.difference import arrival_beside, make_difference
from core.trace_analysis.evidence_arrival import ArrivalData
from core.trace_analysis.gold_passages import arrival_of
from core.trace_analysis.trace_frames import play
from core.types import Evidence
from tests.core.difference.five_passages import GOLD, trace, whose
from tests.core.worlds import (
    ONE_SHOT,
    WALK,
)


def strips(found: ArrivalData) -> list[list[list[tuple[int, str, str]]]]:
    return [
        [[(r["columns"], r["state"], r["text"]) for r in strip["runs"]] for strip in row["strips"]]
        for row in found["rows"]
    ]


def test_evidence_arrives_step_by_step():
    # Steps: 2 before the first hop, 2 of hop 1, 2 of hop 2, 3 of hop 3, the result.
    marks = dict.fromkeys(GOLD, "given")
    found = arrival_beside(trace(WALK), trace(ONE_SHOT), marks)
    assert [(one["label"], one["columns"]) for one in found["phases"]] == [
        ("Seeds", 2),
        ("Hop 1", 2),
        ("Hop 2", 2),
        ("Hop 3", 3),
        ("Result", 1),
    ]
    assert [row["name"] for row in found["rows"]] == ["Mara Quist", "Port Selby"]
    assert strips(found) == [
        [[(3, "", ""), (7, "kept", "2")], [(10, "", "")]],
        [[(5, "", ""), (5, "kept", "3")], [(9, "", ""), (1, "kept", "2")]],
    ]
    assert [[strip["ends"] for strip in row["strips"]] for row in found["rows"]] == [
        ["rank 2", "lost: not found"],
        ["rank 3", "rank 2"],
    ]


def test_of_one_retrieval_a_column_is_a_step_and_what_is_on_offer_is_seen():
    marks = {"stadium": "hand"}
    [row] = arrival_of(play(trace(WALK, ("stadium",)), marks), marks)["rows"]
    assert row["marked"] == "hand"
    [strip] = row["strips"]
    assert [(r["columns"], r["state"], r["t"]) for r in strip["runs"]] == [
        (3, "", 1),
        (7, "offered", 4),
    ]
    assert strip["ends"] == "lost: not followed"


def test_gold_that_neither_reached_is_there_and_says_so():
    found = make_difference(trace(WALK, ("stadium",)), trace(ONE_SHOT, ("stadium",)))
    assert whose(found)["stadium"] == "neither"
    assert {"of": "node", "name": "neither", "label": "Gold, reached by neither"} in found["legend"]
    nowhere = make_difference(trace(WALK, ("nobody",)), trace(ONE_SHOT, ()))
    assert nowhere["gold"] == [
        {
            "node": None,
            "name": "nobody",
            "marked": "given",
            "by": "",
            "ends": ("not found (open the index for details)",) * 2,
            "lost": (True, True),
            "whose": "neither",
        }
    ]


def test_a_passage_with_two_pieces_of_evidence_says_so_in_its_row():
    parts = {"mayor": ("owner",), "ship": ("owner",), "port": ("town",)}
    evidence = {name: Evidence(name, parts=(part,)) for name, part in parts.items()}
    one = replace(trace(WALK), gold=tuple(evidence), evidence=evidence)
    assert one.kept_gold.pieces() == {"owner": 2, "town": 1}
    named = ["Mara Quist (2 pieces of evidence)", "Port Selby"]
    assert [row["name"] for row in make_difference(one, trace(ONE_SHOT))["gold"]] == named
    marks = one.kept_gold.authors(one.ranking)
    found = arrival_beside(one, trace(ONE_SHOT), marks)
    assert [row["name"] for row in found["rows"]] == named
