import math
from itertools import combinations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from core.drawing.layout import APART, CANVAS, ROW, SUBCOLUMN, around, bands, layered

COLUMNS = {"s1": 0, "s2": 0, "a": 1, "b": 1, "c": 2}


def test_a_column_stands_to_the_right_of_the_one_before() -> None:
    places = layered(COLUMNS)
    assert places["s1"][0] == places["s2"][0] < places["a"][0] == places["b"][0] < places["c"][0]


def test_a_child_stands_beside_its_first_parent() -> None:
    places = layered(COLUMNS, [("s1", "b"), ("s2", "a"), ("s1", "a")])
    assert places["s1"][1] < places["s2"][1]
    assert places["b"][1] < places["a"][1]


def test_a_link_backwards_or_within_a_column_orders_nothing() -> None:
    assert layered(COLUMNS, [("c", "a"), ("b", "a"), ("a", "gone")]) == layered(COLUMNS)


def test_a_single_vertex_and_none() -> None:
    assert layered({"only": 3}) == {"only": (0.0, 0.0)}
    assert layered({}) == {}
    assert bands({}, {}, {}) == ()


def test_a_long_column_is_wrapped_to_the_shape_of_the_canvas() -> None:
    places = layered({f"p{i}": 0 for i in range(40)} | {"q": 1})
    ys = [y for _, y in places.values()]
    assert max(ys) - min(ys) <= CANVAS[1]
    assert len({x for id_, (x, _) in places.items() if id_ != "q"}) > 1


@given(st.lists(st.integers(0, 5), min_size=1, max_size=120))
def test_no_two_are_in_one_place_and_the_same_input_gives_the_same_places(
    numbers: list[int],
) -> None:
    columns = {f"p{i}": number for i, number in enumerate(numbers)}
    places = layered(columns)
    assert places == layered(columns)
    assert len(set(places.values())) == len(columns)
    for (ax, ay), (bx, by) in combinations(places.values(), 2):
        assert abs(ax - bx) >= SUBCOLUMN - 1e-6 or abs(ay - by) >= min(ROW, CANVAS[1] / 120) - 1e-6


def test_bands_touch_and_each_holds_its_passages() -> None:
    places = layered(COLUMNS)
    seeds, first, second = bands(COLUMNS, places, {0: "Seeds", 1: "Hop 1"})
    assert (seeds.label, first.label, second.label) == ("Seeds", "Hop 1", "")
    assert seeds.right == first.left
    assert first.right == second.left
    for band, id_ in ((seeds, "s1"), (first, "a"), (second, "c")):
        assert band.left < places[id_][0] < band.right


def ids(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def random_links(count: int) -> list[tuple[str, str]]:
    return [(f"p{a}", f"p{b}") for a, b in nx.barabasi_albert_graph(count, 2, seed=1).edges]


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
