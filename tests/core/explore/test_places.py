"""Places in columns: left what leads here, right what it leads to, and nobody is moved."""

from itertools import pairwise

from core.explore.focus import CHILDREN, focus
from core.explore.places import ROWS, headings, in_columns, on_canvas, turns
from core.explore.view import View
from tests.core.explore.test_focus import edge, found, star

WHOLE = found(edge("a", "c", 0.9), edge("c", "b", 0.8), edge("z", "a", 0.7), edge("b", "y", 0.6))


def test_what_leads_here_stands_left_and_what_it_leads_to_right() -> None:
    slots = in_columns([focus(View("c", hops=2), WHOLE)]).slots
    columns = {name: column for name, (column, _, _) in slots.items()}
    assert columns == {"c": 0, "a": -1, "z": -2, "b": 1, "y": 2}
    at = on_canvas({(name, 0): slot for name, slot in slots.items()})
    xs = [at[name, 0][0] for name in ("z", "a", "c", "b", "y")]
    assert xs == sorted(xs)
    assert at["c", 0] == (0.0, 0.0)


def test_a_long_column_is_wrapped_and_each_has_a_place_of_its_own_from_the_strongest_on() -> None:
    slots = in_columns([focus(View("c", everything=True), star(100))]).slots
    assert len(set(slots.values())) == 101
    rows = [row for _, _, row in slots.values()]
    assert (slots["n000"][2], slots["n001"][2]) == (min(rows), min(rows))
    assert max(rows) - min(rows) < ROWS
    assert len(set(on_canvas({(n, 0): s for n, s in slots.items()}).values())) == 101


def test_what_is_opened_moves_nobody_and_the_order_is_the_same_each_time() -> None:
    whole = star(100)
    base, more = focus(View("c"), whole), focus(View("c", opened=("c",)), whole)
    before, after = in_columns([base]).slots, in_columns([base, more]).slots
    assert before.items() < after.items()
    assert in_columns([base, more]).slots == after


def test_each_stands_in_the_middle_of_those_behind_it_and_no_branches_cross() -> None:
    into = [edge(f"i{i}", "c", 0.9 - i / 10) for i in range(3)]
    behind = [
        edge(f"z{i}{j}", f"i{i}", 0.9 - j / 10) for i, many in ((0, 3), (2, 2)) for j in range(many)
    ]
    slots = in_columns([focus(View("c", hops=2), found(*into, *behind))]).slots
    row = {name: at for name, (_, _, at) in slots.items()}
    assert (row["i0"], row["i2"]) == (row["z01"], (row["z20"] + row["z21"]) / 2)
    order = ["z00", "z01", "z02", "i1", "z20", "z21"]
    assert [row[name] for name in order] == [i - 5 / 2 for i in range(6)]


def test_what_is_opened_stands_between_those_of_the_next_ones() -> None:
    first, second = edge("a", "c", 0.9), edge("b", "c", 0.8)
    behind = [edge(f"{name}{i}", name, 0.9 - i / 10) for name in "ab" for i in range(6)]
    whole = found(first, second, *behind)
    base, more = focus(View("c", hops=2), whole), focus(View("c", hops=2, opened=("a",)), whole)
    row = {name: at for name, (_, _, at) in in_columns([base, more]).slots.items()}
    order = [*(f"a{i}" for i in range(6)), "b0"]
    assert [row[name] for name in order] == sorted(row[name] for name in order)


def test_a_count_stands_below_the_neighbours_or_at_the_passage_it_is_behind() -> None:
    seen = focus(View("c"), star(100))
    columns = in_columns([seen])
    counts = columns.add_counts(seen)
    assert set(counts) == {("c", 1)}
    assert counts["c", 1] == (1, 0, max(row for _, _, row in columns.slots.values()) + 1)
    behind = [edge("i0", f"z{i}", 0.9 - i / 10) for i in range(CHILDREN + 2)]
    seen = focus(View("c", hops=2), found(edge("c", "i0", 0.9), *behind))
    columns = in_columns([seen])
    assert columns.add_counts(seen) == {("i0", 1): columns.slots["i0"]}


def test_headings_touch_and_name_the_columns_and_how_their_edges_run() -> None:
    turned = edge("b", "q", 0.5), edge("a", "t", 0.5)
    for whole, left, right in (
        (WHOLE, "2 hops, all edges in", "2 hops, all edges out"),
        (found(*WHOLE.edges, *turned), "2 hops, first an edge in", "2 hops, all edges out"),
    ):
        seen = focus(View("c", hops=2), whole)
        slots = in_columns([seen]).slots
        bands = headings([*slots.values()], turns(slots, seen))
        labels = [band.label for band in bands]
        assert labels == [left, "Edges in", "Centre", "Edges out", right]
        assert all(one.right == next_.left for one, next_ in pairwise(bands))
    assert headings([], {}) == ()
