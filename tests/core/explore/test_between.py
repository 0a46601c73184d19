"""The shortest path between two passages, along the edges where one leads that way.

club --owned--> owner --born--> town
club --plays--> stadium --lies--> town
owner --married--> singer
"""

from dataclasses import replace

import pytest

from core.explore.between import shortest_way
from tests.core.lost_gold.test_missed_gold import INDEX, FiveGraph
from tests.core.worlds import EDGES


@pytest.mark.parametrize(
    ("one", "other", "direction", "passages", "edges"),
    [
        ("club", "singer", "forward", ("club", "owner", "singer"), ("owned", "married")),
        ("singer", "club", "backward", ("club", "owner", "singer"), ("owned", "married")),
        ("singer", "town", "either", ("singer", "owner", "town"), ("married", "born")),
    ],
)
def test_a_path_along_the_edges_comes_first_then_one_back(one, other, direction, passages, edges):
    way = shortest_way(INDEX.graph, INDEX.number, one, other)
    assert (way.direction, way.passages) == (direction, passages)
    assert tuple(edge.id for edge in way.edges) == edges


def test_a_longer_path_along_the_edges_is_preferred_to_a_shorter_one_back():
    back = replace(EDGES["owned"], id="back", source="singer", target="club")
    graph = FiveGraph([*EDGES.values(), back])
    assert shortest_way(graph, INDEX.number, "club", "singer").passages == (
        "club",
        "owner",
        "singer",
    )
    assert shortest_way(graph, INDEX.number, "singer", "club").passages == ("singer", "club")


def test_passages_that_nothing_joins_have_no_path():
    graph = FiveGraph([EDGES["owned"]])
    assert shortest_way(graph, INDEX.number, "club", "town") is None
