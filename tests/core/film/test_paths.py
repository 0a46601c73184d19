from core.film.paths import best_paths
from core.playback import drawn_lines
from core.steps import ARROW, ROOT, Asked, Offer, Offered, Tie


def path(*nodes, score, taken=True):
    tie = "-".join(nodes) if len(nodes) > 1 else ""
    return Offer(nodes[-1], score, taken=taken, tie=tie, label=ARROW.join(nodes) if tie else "")


def beam(*paths):
    ends = [(offer.tie, offer.label.split(ARROW)) for offer in paths if offer.tie]
    ties = tuple(Tie(name, nodes[-2], nodes[-1], "") for name, nodes in ends)
    return Offered(ROOT, "paths", paths, ties=ties)


def test_of_paths_that_are_taken_all_lines_of_the_best_are_known():
    steps = (
        Asked("any", "?", 3),
        beam(path("a", score=0.5), path("b", score=0.4)),
        beam(path("b", "c", score=0.7), path("a", "b", score=0.6)),
        beam(path("a", "b", "d", score=0.9), path("b", "c", "a", score=0.8)),
        beam(path("a", "b", "d", "e", score=0.9, taken=False)),
    )
    found = best_paths(steps, drawn_lines(steps))
    assert found == {3: ["b-c"], 4: ["a-b-d", "a-b"]}
