"""Growing and pruning a neighbourhood by hand, on the five-passage world.

club --owned--> owner --born--> town
club --plays--> stadium --lies--> town
owner --married--> singer
"""

from collections.abc import Sequence

from core.explore.neighbourhood import Neighbourhood
from core.explore.view import View, explore, hidden_neighbours, sibling_rank
from core.types import Edge
from tests.core.worlds import EDGES


def out_edges(passages: Sequence[str]) -> list[list[Edge]]:
    return [[edge for edge in EDGES.values() if edge.source == name] for name in passages]


def in_edges(passages: Sequence[str]) -> list[list[Edge]]:
    return [[edge for edge in EDGES.values() if edge.target == name] for name in passages]


def shown(view: View) -> Neighbourhood:
    return explore(view, out_edges, in_edges)


def test_a_plain_view_is_the_neighbourhood() -> None:
    found = shown(View("club"))
    assert set(found.nodes) == {"club", "owner", "stadium"}
    assert {edge.id for edge in found.edges} == {"owned", "plays"}


def test_opening_a_passage_adds_its_neighbours() -> None:
    found = shown(View("club", opened=("owner",)))
    assert set(found.nodes) == {"club", "owner", "stadium", "town", "singer"}
    # The edge between two that came by different ways is there too.
    assert {edge.id for edge in found.edges} == set(EDGES)


def test_opening_keeps_the_order_of_what_was_there() -> None:
    before, after = shown(View("club")), shown(View("club", opened=("owner",)))
    assert after.nodes[: len(before.nodes)] == before.nodes


def test_a_passage_that_is_not_shown_cannot_be_opened() -> None:
    assert shown(View("club", opened=("singer",))) == shown(View("club"))


def test_opened_passages_open_in_order() -> None:
    chain = View("club", way="out", opened=("owner", "singer"))
    assert set(shown(chain).nodes) == {"club", "owner", "stadium", "town", "singer"}


def test_nothing_is_reached_through_a_closed_passage() -> None:
    found = shown(View("club", way="out", hops=2, closed=("owner",)))
    assert set(found.nodes) == {"club", "owner", "stadium", "town"}
    # Its edges to passages that are shown anyway stay.
    assert "born" in {edge.id for edge in found.edges}


def test_collapsing_takes_back_an_expansion_first() -> None:
    view = View("club")
    opened = view.expand("owner")
    assert opened.opened == ("owner",)
    assert opened.collapse("owner") == view
    assert view.collapse("owner") == View("club", closed=("owner",))
    assert view.collapse("owner").expand("owner") == opened


def test_the_centre_cannot_be_collapsed() -> None:
    assert View("club").collapse("club") == View("club")


def test_the_cap_says_how_many_were_found() -> None:
    found = shown(View("club", hops=2, cap=2))
    assert (len(found.nodes), found.found) == (2, 5)
    assert found.nodes[0] == "club"


def test_hidden_neighbours_are_counted_under_the_same_filter() -> None:
    view = View("club")
    nodes = shown(view).nodes
    assert hidden_neighbours(view, nodes, "owner", out_edges, in_edges) == 2
    assert hidden_neighbours(View("club", way="in"), nodes, "owner", out_edges, in_edges) == 0
    strict = View("club", min_similarity=0.6)
    assert hidden_neighbours(strict, nodes, "owner", out_edges, in_edges) == 0


def test_rank_among_siblings_goes_by_similarity_then_id() -> None:
    [siblings] = out_edges(["owner"])
    assert [sibling_rank(edge, siblings) for edge in siblings] == [1, 2]


def test_a_hop_is_read_in_one_go_and_no_passage_twice() -> None:
    asked: list[Sequence[str]] = []

    def read(passages: Sequence[str]) -> list[list[Edge]]:
        asked.append(passages)
        return out_edges(passages)

    found = explore(View("club", hops=2, way="out"), read, in_edges)
    assert found == shown(View("club", hops=2, way="out"))
    assert [set(names) for names in asked if names] == [
        {"club"},
        {"owner", "stadium"},
        {"town", "singer"},
    ]
