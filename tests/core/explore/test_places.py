"""Places in columns: left what leads here, right what it leads to, and nobody is moved."""

from itertools import pairwise

from core.explore.focus import focus
from core.explore.places import ROWS, headings, in_columns, on_canvas
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


def test_each_has_a_place_of_its_own_and_the_strongest_are_in_the_middle() -> None:
    slots = in_columns([focus(View("c", everything=True), star(100))]).slots
    assert len(set(slots.values())) == 101
    assert slots["n000"] == (1, 0, 0)
    assert max(abs(row) for _, _, row in slots.values()) <= ROWS // 2
    assert len(set(on_canvas({(n, 0): s for n, s in slots.items()}).values())) == 101


def test_what_is_opened_moves_nobody_and_the_order_is_the_same_each_time() -> None:
    whole = star(100)
    base, more = focus(View("c"), whole), focus(View("c", opened=("c",)), whole)
    before, after = in_columns([base]).slots, in_columns([base, more]).slots
    assert before.items() < after.items()
    assert in_columns([base, more]).slots == after


def test_neighbours_with_others_behind_them_leave_room_for_names() -> None:
    into = [edge(f"i{i}", "c", 0.9 - i / 10) for i in range(3)]
    slots = in_columns([focus(View("c", hops=2), found(*into, edge("z", "i0", 0.5)))]).slots
    rows = sorted(slots[f"i{i}"][2] for i in range(3))
    assert rows == [-2, 0, 2]


def test_a_count_stands_beside_the_passage_it_is_reached_through() -> None:
    seen = focus(View("c"), star(100))
    columns = in_columns([seen])
    counts = columns.add_counts(seen)
    assert set(counts) == {("c", 1)}
    assert counts["c", 1] not in columns.slots.values()
    assert counts["c", 1][0] == 1


def test_headings_touch_and_name_the_columns() -> None:
    slots = in_columns([focus(View("c", hops=2), WHOLE)]).slots
    bands = headings([*slots.values()])
    assert [band.label for band in bands] == [
        "2 hops away",
        "Leads in",
        "Centre",
        "Leads out",
        "2 hops away",
    ]
    assert all(left.right == right.left for left, right in pairwise(bands))
    assert headings([]) == ()
