import math
from itertools import combinations

import networkx as nx

from core.drawing.layout import APART, around


def ids(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def random_links(count: int) -> list[tuple[str, str]]:
    return [(f"p{a}", f"p{b}") for a, b in nx.barabasi_albert_graph(count, 2, seed=1).edges]


COLUMNS = {"s1": 0, "s2": 0, "a": 1, "b": 1, "c": 2}


def test_the_centre_is_in_the_middle_and_nobody_is_in_anothers_way() -> None:
    places = around(["p0"], ids(60), random_links(60))
    assert places["p0"] == (0.0, 0.0)
    assert set(places) == set(ids(60))
    closest = min(math.dist(a, b) for a, b in combinations(places.values(), 2))
    assert closest > 0.8 * APART


def test_the_same_neighbourhood_gets_the_same_places() -> None:
    assert around(["p0"], ids(40), random_links(40)) == around(["p0"], ids(40), random_links(40))


def test_expanding_moves_nobody() -> None:
    links = random_links(40)
    before = around(["p0"], ids(20), links)
    after = around(["p0", "p3"], ids(40), links, before)
    assert {id_: after[id_] for id_ in before} == before
    assert len(set(after.values())) == 40


def test_what_is_joined_to_nothing_has_a_place_too() -> None:
    places = around(["p0"], ["p0", "p1", "lone", "other"], [("p0", "p1"), ("p1", "elsewhere")])
    assert set(places) == {"p0", "p1", "lone", "other"}
    assert len(set(places.values())) == 4


def test_nothing_gives_nothing() -> None:
    assert around([], [], []) == {}
    assert around(["gone"], [], []) == {}
