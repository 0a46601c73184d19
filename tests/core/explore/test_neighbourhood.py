from collections.abc import Callable, Sequence

from core.explore.neighbourhood import Neighbourhood, neighbourhood
from core.types import Edge


def edge(source: str, target: str, similarity: float) -> Edge:
    id_ = f"{source}{target}"
    return Edge(id_, source, target, f"o{id_}", f"i{id_}", "?", (), 0.0, 0.0, similarity)


# a -> b -> d, a -> c, e -> a, d -> b
EDGES = [
    edge("a", "b", 0.5),
    edge("a", "c", 0.9),
    edge("b", "d", 0.7),
    edge("d", "b", 0.6),
    edge("e", "a", 0.8),
]


def leaving(passages: Sequence[str]) -> list[list[Edge]]:
    return [[edge for edge in EDGES if edge.source == name] for name in passages]


def coming(passages: Sequence[str]) -> list[list[Edge]]:
    return [[edge for edge in EDGES if edge.target == name] for name in passages]


def around(*centres: str, hops: int = 1, cap: int = 100, **settings: object) -> Neighbourhood:
    call: Callable[..., Neighbourhood] = neighbourhood
    return call(leaving, coming, centres, hops, cap, **settings)


def edge_ids(found: Neighbourhood) -> set[str]:
    return {edge.id for edge in found.edges}


def test_neighbours_come_by_similarity_in_both_directions() -> None:
    assert around("a").nodes == ("a", "c", "e", "b")


def test_one_direction_follows_and_shows_only_that() -> None:
    assert around("a", direction="out").nodes == ("a", "c", "b")
    assert around("a", direction="in").nodes == ("a", "e")


def test_nearer_passages_come_before_more_similar_ones() -> None:
    assert around("a", hops=2).nodes == ("a", "c", "e", "b", "d")


def test_the_edges_between_two_neighbours_are_there_too_and_only_once() -> None:
    found = around("b", hops=1)
    assert found.nodes == ("b", "d", "a")
    assert sorted(edge.id for edge in found.edges) == ["ab", "bd", "db"]


def test_the_cap_cuts_nodes_and_says_how_many_there_were() -> None:
    found = around("a", hops=2, cap=3)
    assert found.nodes == ("a", "c", "e")
    assert found.found == 5
    assert edge_ids(found) == {"ac", "ea"}


def test_a_weak_edge_is_neither_followed_nor_shown() -> None:
    found = around("a", hops=2, min_similarity=0.6)
    assert found.nodes == ("a", "c", "e")
    assert edge_ids(found) == {"ac", "ea"}


def test_no_hop_is_the_centres_alone() -> None:
    found = around("a", "b", hops=0)
    assert found == Neighbourhood(("a", "b"), (EDGES[0],), 2)


def test_several_centres_grow_side_by_side() -> None:
    assert around("e", "d").nodes == ("e", "d", "a", "b")


def test_a_passage_without_edges() -> None:
    assert around("lone", hops=3) == Neighbourhood(("lone",), (), 1)
