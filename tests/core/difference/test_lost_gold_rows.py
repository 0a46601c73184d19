"""What A and B did at gold that one of them lost, beside each other."""

from core.difference.contract import DoneData, GoldData, PlaceData, RoundData
from core.difference.lost_gold_rows import BOTH, gold_blocks

GOLD = 7
SIGNS = ("BM", "HC")


def done(t: int, text: str, nodes: tuple[int, ...] = (), refused: tuple[int, ...] = ()) -> DoneData:
    return {"t": t, "text": text, "nodes": [*nodes], "refused": [*refused]}


def place(name: str, node: int | None = None, **sides: DoneData) -> PlaceData:
    return {"name": name, "node": node, "same": False, "a": None, "b": None, **sides}  # type: ignore[typeddict-item]


ROUNDS: list[RoundData] = [
    {"label": "Seeds", "places": [place("Seeds", a=done(1, "starts at 'Ada'"))]},
    {"label": "Hop 1", "places": [place("Ada", 1, a=done(2, "takes 'Ben'", (GOLD,)))]},
    {"label": "Hop 1", "places": [place("Cleo", 2, b=done(3, "takes 'Dan'", refused=(GOLD,)))]},
    {"label": "Result", "places": [place("Retrieved passages", a=done(4, "…", (GOLD,)))]},
]


def beside(*, lost: tuple[bool, bool]) -> GoldData:
    ends = ("rank 3", "not followed")
    told = {"node": GOLD, "name": "Ben", "marked": "set", "by": "", "ends": ends, "whose": "a"}
    return {**told, "lost": lost}  # type: ignore[typeddict-item]


def test_the_steps_of_both_stand_in_one_row() -> None:
    (block,) = gold_blocks(ROUNDS, [beside(lost=(False, True))], SIGNS)
    assert block["label"] == "Gold that HC misses"
    (row,) = block["places"]
    assert (row["name"], row["node"]) == ("★ Ben", GOLD)
    assert row["a"]["text"] == "Rank 3. In hop 1, at 'Ada', it takes 'Ben'"
    assert row["b"]["text"] == "Not followed. In hop 1, at 'Cleo', it takes 'Dan' instead"
    assert (row["a"]["t"], row["b"]["t"]) == (2, 3)


def test_gold_is_listed_by_the_side_that_misses_it() -> None:
    lost = {"Ann": (True, True), "Bea": (True, False), "Cy": (False, False), "Di": (False, True)}
    gold: list[GoldData] = [{**beside(lost=own), "name": name} for name, own in lost.items()]
    blocks = gold_blocks(ROUNDS, gold, SIGNS)
    assert {block["label"]: [row["name"] for row in block["places"]] for block in blocks} == {
        "Gold that BM misses": ["★ Bea"],
        "Gold that HC misses": ["★ Di"],
        BOTH: ["★ Ann"],
    }


def test_gold_that_a_person_marked_has_an_open_star() -> None:
    by_hand: GoldData = {**beside(lost=(False, True)), "marked": "hand"}
    (block,) = gold_blocks(ROUNDS, [by_hand], SIGNS)
    assert block["places"][0]["name"] == "☆ Ben"


def test_what_has_no_step_has_its_end() -> None:
    (block,) = gold_blocks(ROUNDS[3:], [beside(lost=(False, True))], SIGNS)
    assert block["places"][0]["a"]["text"] == "Rank 3"


def test_where_both_keep_all_gold_there_is_no_such_block() -> None:
    assert gold_blocks(ROUNDS, [beside(lost=(False, False))], SIGNS) == []
