"""What of a neighbourhood is drawn: the strongest, what is wanted, and the way to each."""

from core.explore.focus import BATCH, BESIDE, CHILDREN, FARTHER, select_focus
from core.explore.neighbourhood import Neighbourhood
from core.explore.view import View, explore
from core.types import Edge
from tests.core.explore.test_view import in_edges, out_edges


def edge(source: str, target: str, similarity: float) -> Edge:
    name = f"{source}>{target}"
    return Edge(name, source, target, f"{name}+", f"{name}-", "Who?", (), 0, 0, similarity)


def found(*edges: Edge) -> Neighbourhood:
    nodes = tuple(dict.fromkeys(end for e in edges for end in (e.source, e.target)))
    return Neighbourhood(nodes, edges, len(nodes))


def star(leaves: int) -> Neighbourhood:
    """A centre with edges to its leaves, the later the weaker."""
    return found(*(edge("c", f"n{i:03}", 1 - i / 1000) for i in range(leaves)))


def test_a_small_neighbourhood_is_drawn_whole() -> None:
    view = View("club", hops=2)
    whole = explore(view, out_edges, in_edges)
    seen = select_focus(view, whole)
    assert set(seen.drawn) == set(whole.nodes)
    assert seen.drawn[0] == "club"
    assert seen.hidden == {}


def test_strength_is_the_product_along_the_best_way() -> None:
    near, far = edge("c", "a", 0.5), edge("a", "z", 0.8)
    weak, strong = edge("c", "b", 0.9), edge("b", "z", 0.4)
    seen = select_focus(View("c", hops=2), found(near, far, weak, strong))
    assert seen.strengths["z"] == max(0.5 * 0.8, 0.9 * 0.4)
    assert seen.parents["z"] == "a"
    assert seen.ways["z"] == far
    assert seen.distance["z"] == 2


def test_the_strongest_are_drawn_and_the_others_counted_where_they_are_reached() -> None:
    seen = select_focus(View("c"), star(100))
    assert seen.drawn == ("c", *(f"n{i:03}" for i in range(BESIDE)))
    assert seen.hidden == {"c": tuple(f"n{i:03}" for i in range(BESIDE, 100))}


def test_everything_is_drawn_when_it_is_asked_for() -> None:
    seen = select_focus(View("c", everything=True), star(100))
    assert len(seen.drawn) == 101
    assert seen.hidden == {}


def test_what_one_hop_draws_two_hops_draw_too_and_all_parents_share_the_room_behind() -> None:
    into = [edge(f"i{i:02}", "c", 0.9 - i / 100) for i in range(20)]
    out = [edge("c", f"o{i:02}", 0.5 - i / 100) for i in range(20)]
    behind = [
        edge(f"z{i}{j}", f"i{i:02}", 0.9 - j / 100)
        for i in range(FARTHER)
        for j in range(CHILDREN + 1)
    ]
    near, whole = found(*into, *out), found(*into, *out, *behind)
    once, seen = select_focus(View("c"), near), select_focus(View("c", hops=2), whole)
    assert set(once.drawn) < set(seen.drawn)
    kinds = [name[0] for name in seen.drawn]
    assert (kinds.count("i"), kinds.count("o"), kinds.count("z")) == (BESIDE, BESIDE, FARTHER)
    assert seen.hidden["i00"] == (f"z0{CHILDREN}",)
    assert (seen.sides["i00"], seen.sides["o00"], seen.sides["z00"]) == (-1, 1, -1)


def test_gold_is_drawn_however_weak_with_all_that_leads_to_it() -> None:
    chain = found(*star(100).edges, edge("n099", "gold", 0.1))
    seen = select_focus(View("c", hops=2), chain, wanted=("gold", "nobody"))
    assert {"n099", "gold"} <= set(seen.drawn)
    assert "n098" in seen.hidden["c"]


def test_opening_a_passage_draws_a_batch_of_its_neighbours_and_again_the_next() -> None:
    whole = star(100)
    once = select_focus(View("c", opened=("c",)), whole)
    twice = select_focus(View("c", opened=("c", "c")), whole)
    assert len(once.drawn) == 1 + BESIDE + BATCH
    assert len(twice.drawn) == 1 + BESIDE + 2 * BATCH
    assert set(once.drawn) < set(twice.drawn)


def test_a_passage_joined_by_an_edge_that_the_view_does_not_follow_is_found_all_the_same() -> None:
    seen = select_focus(View("c", way="out"), found(edge("c", "a", 0.5), edge("b", "a", 0.5)))
    assert seen.parents["b"] == "a"
