from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.drawing.staggered import HEIGHT, ROWS, WIDTH, box, headings, staggered

COLUMNS = st.lists(st.integers(0, 4), min_size=1, max_size=25).map(
    lambda found: {f"n{i}": column for i, column in enumerate(found)}
)


@settings(deadline=None)
@given(COLUMNS, st.data())
def test_no_label_meets_another_nodes_box(columns, data):
    labels = {name: "x" * data.draw(st.integers(1, 40)) for name in columns}
    pairs = st.tuples(st.sampled_from(list(columns)), st.sampled_from(list(columns)))
    links = data.draw(st.lists(pairs, max_size=12))
    places = staggered(columns, labels, links)
    assert places == staggered(columns, labels, links)
    assert places.keys() == columns.keys()
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places.values())
    boxes = [box(places[name], labels[name]) for name in columns]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))


def test_columns_go_to_the_right():
    columns = {"a": 0, "b": 3, "c": 7}
    places = staggered(columns, dict.fromkeys(columns, "label"))
    assert places["a"][0] < places["b"][0] < places["c"][0]


def test_a_node_stands_beside_what_it_was_reached_from():
    columns = {"a": 0, "b": 0, "of b": 1, "of a": 1}
    links = [("a", "of a"), ("b", "of b")]
    places = staggered(columns, dict.fromkeys(columns, "label"), links)
    up = (places["a"][1] < places["b"][1], places["of a"][1] < places["of b"][1])
    assert up[0] == up[1]


def test_a_long_column_has_what_leads_on_to_its_right():
    columns = {**{f"n{i}": 0 for i in range(ROWS + 1)}, "next": 1}
    places = staggered(columns, dict.fromkeys(columns, "label"), [("n0", "next")])
    assert places["n0"][0] == max(places[name][0] for name in columns if name != "next")


def test_columns_with_one_name_have_one_heading():
    columns = {"a": 0, "b": 1, "c": 2}
    places = staggered(columns, dict.fromkeys(columns, "label"))
    bands = headings(columns, places, {0: "Hop 1", 1: "Hop 1", 2: "Hop 2"})
    assert [band.label for band in bands] == ["Hop 1", "Hop 2"]
    assert (bands[0].left, bands[0].right, bands[1].right) == (0, bands[1].left, WIDTH)


def test_nothing_has_no_places():
    assert staggered({}, {}) == {}
    assert headings({}, {}, {}) == ()


def test_what_comes_first_stands_above_what_comes_later():
    columns = dict.fromkeys(["a", "b", "c"], 0)
    places = staggered(columns, dict.fromkeys(columns, "label"), since={"a": 3, "b": 1, "c": 2})
    assert sorted(columns, key=lambda name: places[name][1]) == ["b", "c", "a"]


def test_what_comes_first_stands_above_only_where_no_more_lines_cross():
    columns = {"a": 0, "b": 0, "of a": 1, "of b": 1}
    links = [("a", "of a"), ("b", "of b")]
    since = {"a": 1, "b": 2, "of a": 4, "of b": 3}
    places = staggered(columns, dict.fromkeys(columns, "label"), links, since=since)
    assert places["a"][1] < places["b"][1]
    assert places["of a"][1] < places["of b"][1]


def test_two_of_a_column_change_places_where_fewer_lines_cross_then():
    columns = {"a": 0, "b": 0, "kept": 1, "lost": 1}
    links, tiers = [("a", "lost"), ("b", "kept")], {"lost": 1}
    labels, since = dict.fromkeys(columns, "label"), {"a": 1, "b": 2}
    places = staggered(columns, labels, links, tiers=tiers, since=since)
    assert places["kept"][1] < places["lost"][1]
    assert places["b"][1] < places["a"][1]
    unseen = staggered(columns, labels, links, tiers=tiers, since=since, drawn=[])
    assert unseen["a"][1] < unseen["b"][1]
    held = staggered(columns, labels, [*links, ("a", "b")], tiers=tiers, since=since)
    assert held["a"][1] < held["b"][1]
