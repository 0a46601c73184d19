"""Columns: left what leads to the centre, right what it leads to, each in depth-first order."""

from core.explore.between import Way
from core.explore.columns import neighbourhood_data
from core.explore.contract import ColumnData, NeighbourhoodData
from core.explore.focus import BESIDE, CHILDREN, select_focus
from core.explore.neighbourhood import Neighbourhood
from core.explore.view import View
from core.types import Passage
from tests.core.explore.test_focus import edge, found, star

WHOLE = found(edge("a", "c", 0.9), edge("c", "b", 0.8), edge("z", "a", 0.7), edge("b", "y", 0.6))


def drawn(view: View, whole: Neighbourhood, held: str = "", way: Way | None = None):
    def passage(name: str) -> Passage:
        return Passage(name, "d", 0, name.upper(), f"Text of {name}.")

    return neighbourhood_data(
        passage,
        view,
        whole,
        select_focus(view, whole),
        gold={"a": "given"},
        raised=lambda one: f"{one.id}?",
        held=held,
        way=way,
    )


def names(data: NeighbourhoodData) -> list[list[str]]:
    return [[one["id"] for one in column["passages"]] for column in data["columns"]]


def counts(column: ColumnData) -> list[tuple[str, str]]:
    return [(count["passage"], count["label"]) for count in column["counts"]]


def test_what_leads_here_stands_left_and_what_it_leads_to_right() -> None:
    data = drawn(View("c", hops=2), WHOLE)
    assert names(data) == [["z"], ["a"], ["c"], ["b"], ["y"]]
    assert [column["side"] for column in data["columns"]] == [-1, -1, 0, 1, 1]


def test_no_branches_cross_and_the_strongest_come_first() -> None:
    into = [edge(f"i{i}", "c", 0.9 - i / 10) for i in range(3)]
    behind = [
        edge(f"z{i}{j}", f"i{i}", 0.9 - j / 10) for i, many in ((2, 2), (0, 3)) for j in range(many)
    ]
    left, near, _ = names(drawn(View("c", hops=2), found(*behind, *into)))
    assert near == ["i0", "i1", "i2"]
    assert left == ["z00", "z01", "z02", "z20", "z21"]


def test_what_is_opened_changes_no_order_and_stands_with_those_of_its_passage() -> None:
    first, second = edge("a", "c", 0.9), edge("b", "c", 0.8)
    behind = [edge(f"{name}{i}", name, 0.9 - i / 10) for name in "ab" for i in range(6)]
    whole = found(first, second, *behind)
    before, _, _ = names(drawn(View("c", hops=2), whole))
    after, _, _ = names(drawn(View("c", hops=2, opened=("a",)), whole))
    assert [name for name in after if name in before] == before
    assert after == [*(f"a{i}" for i in range(6)), *(f"b{i}" for i in range(CHILDREN))]


def test_what_is_not_drawn_is_counted_at_the_passage_it_is_behind() -> None:
    centre, right = drawn(View("c"), star(100))["columns"]
    assert counts(centre) == []
    assert counts(right) == [("c", f"+{100 - BESIDE} more")]
    assert right["counts"][0]["told"].startswith("82 more passages with edges out.")
    behind = [edge("i0", f"z{i}", 0.9 - i / 10) for i in range(CHILDREN + 2)]
    _, near, far = drawn(View("c", hops=2), found(edge("c", "i0", 0.9), *behind))["columns"]
    assert counts(near) == [("i0", "+2")]
    assert near["counts"][0]["told"].startswith("2 more passages behind I0.")
    assert counts(far) == []


def test_headings_name_the_columns_and_how_their_edges_run() -> None:
    turned = edge("b", "q", 0.5), edge("a", "t", 0.5)
    for whole, left, right in (
        (WHOLE, "2 hops away, edges in", "2 hops away, edges out"),
        (found(*WHOLE.edges, *turned), "2 hops, first an edge in", "2 hops away, edges out"),
    ):
        headings = [one["heading"] for one in drawn(View("c", hops=2), whole)["columns"]]
        assert headings == [left, "Edges in", "Centre", "Edges out", right]


def test_roles_say_what_a_passage_and_an_edge_are() -> None:
    across = edge("z", "b", 0.9)
    whole = found(*WHOLE.edges, across)
    view = View("c", hops=2, opened=("b",), closed=("y",))
    data = drawn(view, whole, held="a", way=Way(("a", "c"), (WHOLE.edges[0],)))
    passages = {one["id"]: one for column in data["columns"] for one in column["passages"]}
    roles = {name: passage["role"] for name, passage in passages.items()}
    assert (roles["c"], roles["a"]) == ("centre", "held")
    assert (roles["b"], roles["y"], roles["z"]) == ("expanded", "collapsed", "neighbour")
    assert {name for name, one in passages.items() if one["gold"]} == {"a"}
    edges = {one["id"]: one["role"] for one in data["edges"]}
    assert edges == {"a>c": "between", "c>b": "tree", "z>a": "across", "b>y": "tree", "z>b": "tree"}
    assert data["edges"][0]["raised"] == "a>c?"


def test_weaker_passages_are_fainter_by_thirds_but_not_the_centre() -> None:
    data = drawn(View("c", everything=True), star(8))
    fades = [one["fade"] for column in data["columns"] for one in column["passages"]]
    assert fades == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert data["edges"][-1]["fade"] == 2
