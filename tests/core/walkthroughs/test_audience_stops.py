"""What an audience sees step by step, and what is folded."""

from core.lost_gold.rank_drops import Falls
from core.playback import frames
from core.steps import Arrival, Asked, Began, Hit, Offer, Offered, Pooled, Ranked, Said, Step
from core.walkthroughs.audience_stops import AudienceStops

GOLD, SEEDS = "gold", ("a", "b", "c", "d", "e")


def visits(at: str, *targets: str) -> Offered:
    """Return a visit of `at` that follows an edge to each target; none if there is none."""
    offers = tuple(Offer(one, 1.0, taken=True) for one in targets) or (Offer("x", 0.1),)
    return Offered(at, "edges", offers, tuple(Arrival(one, ()) for one in targets))


def stops(*visited: Step) -> list[list[int]]:
    """Return the groups of steps that an audience sees of a walk from the seeds."""
    seeds = Offered(
        "#",
        "passages",
        tuple(Offer(one, 1.0, taken=True) for one in SEEDS),
        tuple(Arrival(one, ()) for one in SEEDS),
        entry=True,
    )
    result = Ranked((Hit(GOLD, 2.0), Hit("a", 1.0)))
    steps = (Asked("walk", "Who?", 2), seeds, Began("hop", 1, SEEDS), *visited, result)
    every = [t for t, step in enumerate(steps, start=1) if not isinstance(step, Began)]
    at = [*frames(steps)]
    kept = {GOLD: 1, "a": 2, "p": 19, "r": 20}
    return AudienceStops(steps, at, every, {GOLD}, kept, Falls(at)).groups()


def test_steps_that_bring_nothing_are_one_stop() -> None:
    walk = visits("a", GOLD), visits("b", "a"), visits("c", "a"), visits("d", "a")
    assert stops(*walk) == [[1], [2], [4], [5, 6, 7], [8]]


def test_the_first_refusal_shows_the_cut_off_and_later_ones_do_not() -> None:
    walk = visits("a", GOLD), visits("b"), visits("c"), visits("d"), visits("e")
    assert stops(*walk) == [[1], [2], [4], [5], [6, 7, 8], [9]]


def test_gold_that_is_met_again_is_nothing_new() -> None:
    walk = visits("a", GOLD), visits("b", GOLD), visits("c", GOLD), visits("d", "a")
    assert stops(*walk) == [[1], [2], [4], [5, 6, 7], [8]]


def test_a_fold_ends_where_a_hop_reaches_more_of_the_result() -> None:
    first = visits("a", GOLD), visits("b", "p"), visits("c", "a")
    second = Began("hop", 2, ("d", "e")), visits("d", "z"), visits("e", "r")
    assert stops(*first, *second) == [[1], [2], [4], [5, 6], [8, 9], [10]]
    second = Began("hop", 2, ("d", "e")), visits("d", "z"), visits("e", "z")
    assert stops(*first, *second) == [[1], [2], [4], [5, 6, 8, 9], [10]]


def test_an_audience_sees_each_thought_and_what_its_search_found() -> None:
    """What only repeats a search is shown with it: its beginning, and the list of its passages."""

    def search(name: str, query: str, found: str) -> tuple[Step, ...]:
        hits = (Hit(found, 1.0),)
        kept = Offered(name, "passages", (Offer(found, 1.0, taken=True),))
        return Asked(name, query, 1), Ranked(hits), kept, Pooled(("the searches",), hits)

    steps = (
        Asked("#", "Who?", 2),
        *search("#1", "Who?", "a"),
        Said("reasoner", "#1", "The club won."),
        *search("#2", "The club won.", GOLD),
        Ranked((Hit(GOLD, 2.0), Hit("a", 1.0))),
    )
    every = range(1, len(steps) + 1)
    at = [*frames(steps)]
    arc = AudienceStops(steps, at, every, {GOLD}, {GOLD: 1, "a": 2}, Falls(at))
    assert arc.groups() == [[1], [2, 3, 4], [5], [6], [7, 8, 9], [10], [11]]
