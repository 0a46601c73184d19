"""What a film that plays passes over, and what it says of it."""

from dataclasses import replace
from types import SimpleNamespace

from core.film import make_film
from core.film.patch import merged
from core.playback.together import stays
from core.ranking import prune, rank
from core.steps import (
    ARROW,
    ROOT,
    Arrival,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Thing,
    Tie,
    Told,
)
from core.traces import Trace
from core.types import Hit, Part, Passage
from tests.core.film.decoding import unpacked
from tests.core.worlds import EDGES, PASSAGES, QUERY, WALK, arrival, offer

NEW = {f"new {name}": Passage(f"new {name}", name, 1, f"New {name}", "") for name in PASSAGES}
SEEDS = ("club", "owner", "singer", "town")


def film(steps, gold=()):
    trace = Trace(QUERY, "any", "five", "g", steps, PASSAGES | NEW, EDGES, gold, "2026-01-01")
    return make_film(trace)


def timeline(steps, gold=()):
    return film(steps, gold)["timeline"]


def told(made):
    """What is said of several stops as one, by the last of them."""
    return {t: one["caption"] for t, one in made["together"].items() if "caption" in one}


def shown(steps, t, gold=()):
    """What is shown of the stops that are told as one at `t`."""
    made = film(steps, gold)
    frame = next(now for now in unpacked(made, "event") if now["t"] == t)
    return made, merged(frame, made["timeline"]["together"][str(t)])


def walk(*looks, top_k=3):
    """One hop over all but the stadium, which `looks` tell."""
    entry = Offered(
        ROOT,
        "passages",
        tuple(Offer(seed, 1.0, taken=True) for seed in SEEDS),
        tuple(arrival(seed) for seed in SEEDS),
        entry=True,
    )
    counts = dict.fromkeys(SEEDS, 1)
    parts = {visit.id: visit.parts for visit in entry.arrivals}
    for visit in (visit for look in looks for visit in look.arrivals):
        counts[visit.id] = counts.get(visit.id, 0) + 1
        parts[visit.id] = visit.parts
    end = Ranked(*prune(rank(parts, counts, 0), top_k))
    return Asked("any", QUERY, top_k), entry, Began("hop", 1, SEEDS), *looks, end


REFUSED = Offered("club", "edges", (offer("plays", 0.1),))
OTHERS = (
    Offered("owner", "edges", (offer("born", 0.1), offer("married", 0.1))),
    Offered("singer", "edges", (offer("married", 0.1, backwards=True),)),
    Offered("town", "edges", (offer("born", 0.1, backwards=True),)),
)


def test_looks_that_change_nothing_are_told_together_behind_the_first_of_them():
    made = timeline(walk(REFUSED, *OTHERS))
    assert made["still"] == [5, 6]
    assert told(made) == {"7": "Hop 1 goes on and takes no edge. The top 3 stays the same."}
    # The queue counts all that is told together.
    assert made["together"]["7"]["queue"]["note"] == "0 waiting · 0 in, 3 out"


def test_another_kind_of_look_is_seen_once():
    new = brings("singer", "new singer")
    made = timeline(walk(REFUSED, new, OTHERS[0], OTHERS[2]))
    assert made["still"] == [6]
    assert list(made["together"]) == ["7"]
    # One alone that changes nothing is no stop.
    assert timeline(walk(REFUSED, OTHERS[0], new, OTHERS[2]))["still"] == [5, 7]


def test_what_is_only_visited_again_is_passed_over_without_a_word():
    again = replace(
        OTHERS[1],
        offers=(offer("married", 0.1, taken=True, backwards=True),),
        arrivals=(arrival("owner", "married"),),
    )
    made = timeline(walk(again, brings("owner", "new owner"), OTHERS[2], top_k=7))
    assert made["still"] == [4]
    assert told(made) == {}
    assert made["together"]["5"]["queue"]["note"] == "3 waiting · 1 in, 2 out"
    assert told(timeline(walk(REFUSED, again, OTHERS[0], OTHERS[2]))) == {
        "7": "Hop 1 goes on and reaches no new passage. The top 3 stays the same."
    }


def test_what_brings_gold_is_never_passed_over_and_behind_it_no_kind_of_look_is_new():
    taken = replace(
        REFUSED,
        offers=(offer("plays", 0.1, taken=True),),
        arrivals=(Arrival("stadium", (Part("dense", 0.0),)),),
    )
    made = timeline(walk(OTHERS[0], taken, *OTHERS[1:]), ("stadium",))
    assert (made["still"], list(made["together"])) == ([6], ["7"])
    made = timeline(walk(taken, *OTHERS), ("stadium",))
    assert (made["still"], list(made["together"])) == ([5, 6], ["7"])
    assert timeline(walk(taken, *OTHERS))["still"] == [6]


def test_what_is_told_together_says_who_takes_whose_place():
    def again(place, target, line, score):
        """A visit of a passage that was a seed."""
        visit = Arrival(target, (Part("dense", score),), line)
        return Offered(place, "edges", (offer(line, 0.1, taken=True),), (visit,))

    looks = (
        again("club", "owner", "owned", 0.9),
        again("owner", "singer", "married", 1.0),
        again("singer", "singer", "married", 1.0),
    )
    made = timeline(walk(*looks, OTHERS[2]))
    assert told(made) == {
        "6": "Hop 1 reaches no new passage. "
        "'Ilo Venn' takes the place of 'Port Selby' in the top 3."
    }


def test_what_was_chosen_by_hand_is_never_passed_over():
    by_hand = replace(OTHERS[1], told=Told(by_hand=("refuse(married@singer)",)))
    assert 6 not in timeline(walk(REFUSED, OTHERS[0], by_hand, OTHERS[2]))["still"]


def test_a_walk_in_which_each_step_brings_something_is_all_seen():
    made = timeline(WALK[:6] + WALK[9:], ("town",))
    assert (made["still"], made["together"]) == ([], {})


def spread(moved, *order):
    hits = (Hit(name, 1 / n, (Part("links", 1 / n),)) for n, name in enumerate(order, 2))
    return Spread("probability", tuple(hits), moved=2 * moved)


def test_rounds_after_which_the_first_are_in_the_same_order_are_told_together():
    rounds = (
        spread(0.5, "club", "owner", "town"),
        spread(0.2, "club", "town", "owner"),
        spread(0.1, "club", "town", "owner"),
        spread(0.02, "club", "town", "owner"),
        spread(0.0001, "club", "town", "owner"),
    )
    begun = (step for n, one in enumerate(rounds, 1) for step in (Began("round", n), one))
    steps = (Asked("any", QUERY, 3), *begun, Ranked(rounds[-1].hits))
    made = timeline(steps)
    assert {steps[t - 1] for t in made["still"]} == set(rounds[1:4])
    assert told(made) == {
        "11": "Rounds 2 to 5: the probability settles; less than 0.1 % of it moves in the "
        "last round. "
        "The first 3 passages are the same."
    }


def test_a_second_thing_that_spreads_and_leaves_the_ranks_is_told_with_its_first_round():
    orders = ("club", "owner", "town"), ("club", "town", "owner")
    once = [spread(0.5, *orders[0]), spread(0.1, *orders[1]), spread(0.01, *orders[1])]
    again = [spread(0.4, *orders[0]), spread(0.2, *orders[0]), spread(0.01, *orders[0])]
    steps = [
        *(step for n, one in enumerate(once, 1) for step in (Began("first round", n), one)),
        Offered(
            ROOT,
            "entities",
            (Offer("Ada", 1.0, taken=True),),
            things=(Thing("Ada", "entity", "Ada"),),
        ),
        *(step for n, one in enumerate(again, 1) for step in (Began("second round", n), one)),
    ]
    made = timeline((Asked("any", QUERY, 3), *steps, Ranked(again[-1].hits)))
    last = told(made)[str(1 + len(steps))]
    assert last.startswith("Second rounds 1 to 3: the probability settles; 1.0 % of it moves")


def settling(*orders, moved=0.05, gold=("singer",), top_k=2):
    """What is told of rounds in which little moves, behind a first one in which much does."""
    rounds = [spread(0.5 if not n else moved, *order) for n, order in enumerate(orders)]
    begun = (step for n, one in enumerate(rounds, 1) for step in (Began("round", n), one))
    return timeline((Asked("any", QUERY, top_k), *begun, Ranked(rounds[-1].hits[:top_k])), gold)


FIVE = ("club", "owner", "town", "singer", "stadium")


def test_rounds_behind_the_first_are_told_together_with_what_gold_does_in_all_of_them():
    orders = FIVE, ("owner", "club", *FIVE[2:]), ("owner", "club", "singer", "town", "stadium")
    made = settling(*orders)
    assert made["still"] == [5]
    assert told(made) == {
        "7": "Rounds 2 to 3: 5.0 % of the probability moves in each. "
        "The first 5 passages are the same."
    }
    assert "20.0 % of the probability moves in each" in told(settling(*orders, moved=0.2))["7"]
    rising = settling(*orders[:2], ("owner", "club", "singer", "town", "stadium"), top_k=4)
    assert told(rising)["7"].endswith(". Gold 'Ilo Venn' rises from rank 4 to 3.")


def test_a_round_in_which_gold_crosses_the_line_is_seen_however_little_moves():
    made = settling(FIVE, ("owner", "club", *FIVE[2:]), ("singer", "owner", "club", "town"))
    assert 7 not in made["still"]
    assert made["together"] == {}


def test_a_round_alone_in_which_little_moves_is_seen_where_the_order_changes():
    assert settling(FIVE, ("owner", "club", *FIVE[2:]))["still"] == []


def brings(place, new):
    part = (Part("dense", 0.9),)
    taken = Offer(new, 0.9, part, taken=True, tie=f"to {new}", label="?")
    return Offered(place, "edges", (taken,), (Arrival(new, part, taken.tie),))


def test_of_looks_that_lead_to_what_is_retrieved_the_first_is_seen():
    looks = (*(brings(seed, f"new {seed}") for seed in SEEDS[:3]), OTHERS[2])
    made = timeline(walk(*looks, top_k=7))
    assert made["still"] == [5]
    assert told(made) == {
        "6": "Hop 1 goes on and reaches 2 new passages: 'New owner' and 'New singer'. "
        "Both take a place in the top 7."
    }
    gold = timeline(walk(*looks, top_k=7), ("new singer",))
    assert gold["still"] == [7]  # nothing is taken there


def test_a_single_round_that_changes_no_order_is_passed_over():
    rounds = (spread(0.5, "club", "owner"), spread(0.2, "club", "owner"))
    begun = (step for n, one in enumerate(rounds, 1) for step in (Began("round", n), one))
    made = timeline((Asked("any", QUERY, 3), *begun, Ranked(rounds[-1].hits)))
    assert made["still"] == [5]
    assert told(made) == {}


def test_a_list_of_what_was_found_is_told_with_the_search_and_one_that_brings_a_passage_is_seen():
    search = (
        Asked("any", "?", 3, id="#1", parents=("#",)),
        Ranked((Hit("club", 1.0), Hit("town", 0.5))),
    )
    for found, still in (("town", [2, 3]), ("owner", [2])):
        listed = Pooled(("the searches so far",), (Hit("club", 1.0), Hit(found, 0.5)))
        end = Ranked(listed.hits[::-1])
        steps = (Asked("any", QUERY, 3), *search, listed, end)
        assert timeline(steps)["still"] == still
        if found == "town":  # all that is ranked stands there when the search is told
            assert len(shown(steps, 4)[1]["ranking"]["rows"]) == 2


def test_a_list_that_is_the_result_is_passed_over_where_it_tells_nothing_of_gold():
    hits = Hit("club", 1.0), Hit("town", 0.5)
    one, two = Pooled(("one",), hits), Pooled(("one", "other"), hits)
    for listed, result, gold, still in (
        (one, hits, (), [2]),
        (one, hits, ("town",), []),
        (one, hits[::-1], (), []),
        (two, hits, (), []),  # that lists are merged is told
    ):
        made = timeline((Asked("any", QUERY, 3), listed, Ranked(result)), gold)
        assert made["still"] == still


def test_what_asks_stands_there_as_soon_as_it_is_said():
    def asked(query):
        search = Asked("any", query, 3, id="#1", parents=("#",)), Ranked((Hit("club", 1.0),))
        said = Said("reasoner", ROOT, "The club is owned.")
        return (Asked("any", QUERY, 3), said, *search, Ranked((Hit("club", 1.0),)))

    _, frame = shown(asked("The club is owned."), 3)
    assert frame["caption"] == "The reasoner says: 'The club is owned.'"
    assert frame["questions"] == 2
    assert frame["board"]["title"] == "Reasoner"
    other = timeline(asked("Who owns the club?"))
    assert other["still"] == [3]
    assert told(other) == {
        "4": "Search #1 uses any for 'Who owns the club?': 1 passage, 'Harbour Rovers' first."
    }


def test_why_a_search_stopped_is_passed_over_where_the_result_says_it():
    said = Said("reasoner", ROOT, "", ends="the result is full at 1")
    steps = (Asked("any", QUERY, 3), said, Ranked((Hit("club", 1.0),)))
    assert timeline(steps, gold=("club",))["still"] == [2]
    assert timeline(steps)["still"] == []  # the result says nothing where nothing is gold


def test_what_is_told_as_one_is_drawn_as_one():
    looks = (*(brings(seed, f"new {seed}") for seed in SEEDS[:3]), OTHERS[2])
    made, frame = shown(walk(*looks, top_k=7), 6)
    number = {node["id"]: str(i) for i, node in enumerate(made["nodes"])}
    lines = {line["id"]: str(i) for i, line in enumerate(made["lines"])}
    # No one of them is looked at now, and all that they took moves now.
    assert "current" not in frame["nodes"].values()
    assert frame["nodes"][number["owner"]] == frame["nodes"][number["singer"]] == "seed"
    chosen = {lines["to new owner"], lines["to new singer"]}
    assert {line for line, role in frame["lines"].items() if role == "chosen"} == chosen
    assert {str(one["line"]) for one in frame["travels"]} == chosen
    assert frame["aside"] == {}
    assert frame["board"]["note"] == "2 of 2 scored"
    assert {row["node"] for row in frame["board"]["rows"]} == {
        int(number["new owner"]),
        int(number["new singer"]),
    }


def test_of_what_is_told_as_one_only_what_is_new_moves():
    def again(place, target, line):
        visit = Arrival(target, (Part("dense", 0.1),), line)
        return Offered(place, "edges", (offer(line, 0.1, taken=True),), (visit,))

    looks = (
        brings("club", "new club"),
        again("owner", "singer", "married"),
        brings("town", "new town"),
    )
    made, frame = shown(walk(*looks, top_k=7), 6)
    lines = {line["id"]: str(i) for i, line in enumerate(made["lines"])}
    assert frame["lines"][lines["married"]] == "again"
    assert frame["lines"][lines["to new town"]] == "chosen"
    assert [one["line"] for one in frame["travels"]] == [int(lines["to new town"])]


def test_where_nothing_is_new_all_that_was_taken_moved():
    visit = Arrival("singer", (Part("dense", 0.1),), "married")
    again = Offered("owner", "edges", (offer("married", 0.1, taken=True),), (visit,))
    looks = brings("club", "new club"), OTHERS[1], again, OTHERS[2]
    made, frame = shown(walk(*looks, top_k=7), 7)
    lines = {line["id"]: str(i) for i, line in enumerate(made["lines"])}
    assert frame["lines"][lines["married"]] == "chosen"


def narrowing():
    def taken(*names, of, scored):
        offers = tuple(Offer(name, 1.0, taken=True) for name in names)
        things = tuple(Thing(name, "fact", f"the {name}") for name in names)
        return Offered(ROOT, of, offers, considered=scored, things=things)

    return (
        Asked("any", QUERY, 3),
        Began("step", 1),
        taken("a", "b", of="facts", scored=9),
        Began("step", 2),
        taken("c", of="paths", scored=1200),
        taken("d", of="names", scored=1),
        Ranked((Hit("club", 1.0),)),
    )


def test_each_round_that_takes_fewer_things_is_told_with_what_it_takes():
    made = film(narrowing())
    assert not {3, 5, 6} & {*made["timeline"]["still"]}
    assert [now["caption"] for now in unpacked(made, "event") if now["t"] in (3, 5, 6)] == [
        "Step 1: 2 of 9 facts are taken: 'the a' and 'the b'.",
        "Step 2: 1 of 1,200 paths is taken: 'the c'.",
        "Step 2: the only name is taken: 'the d'.",
    ]


def test_in_a_long_film_they_are_told_together_with_the_best_of_the_last(monkeypatch):
    monkeypatch.setattr("core.film.pace.MOST", 4)
    made = timeline(narrowing())
    assert told(made)["5"] == (
        "Steps 1 to 2: 1 of 1,200 paths is taken in the end. The best: 'the c'."
    )
    assert 3 in made["still"]
    assert 6 not in made["still"]  # another choice of the same round


def test_the_best_path_is_told_as_a_path():
    def taken(name, label=""):
        offer = Offer(name, 1.0, taken=True, label=label)
        thing = Thing(name, "fact", f"the {name}")
        return Offered(ROOT, "paths", (offer,), considered=9, things=(thing,))

    path = f"The first{ARROW}The second of {'many ' * 20}{ARROW}The last"
    steps = (
        Asked("any", QUERY, 3),
        Began("step", 1),
        taken("a"),
        Began("step", 2),
        taken("c", path),
        Ranked((Hit("club", 1.0),)),
    )
    made, frame = shown(steps, 5)
    best = f"The best goes on from 'The second of {'many ' * 10}many…' to 'The last'."
    assert frame["caption"].endswith(best)
    (row,) = frame["board"]["rows"]
    assert row["called"] == "The first → The second of many… → The last"
    assert made["nodes"][row["node"]]["label"] == "the c"


def test_of_what_is_told_as_one_no_line_is_refused_between_what_is_reached():
    looks = REFUSED, *OTHERS
    made, frame = shown(walk(*looks), 7)
    lines = {line["id"]: str(i) for i, line in enumerate(made["lines"])}
    # The stadium is nowhere reached; the singer is a seed as the owner is.
    assert frame["lines"][lines["plays"]] == "refused"
    assert lines["married"] not in frame["lines"]
    alone = next(now for now in unpacked(made, "event") if now["t"] == 7)
    assert alone["lines"][lines["married"]] == "refused"


def search(number, found, taken=(), query="Who?", by="dense"):
    """A search of `found`, and the list of it of which some are `taken`."""
    hits = tuple(Hit(name, 1 / rank) for rank, name in enumerate(found, 1))
    offers = tuple(Offer(hit.passage_id, hit.score, taken=hit.passage_id in taken) for hit in hits)
    asked = Asked(by, query, max(1, len(found)), id=f"#{number}", parents=("#",))
    takes = (Offered(f"#{number}", "passages", offers),) if taken else ()
    return asked, Ranked(hits), *takes


def asking(*steps):
    return Asked("any", QUERY, 3), *steps, Ranked((Hit("club", 1.0),))


def test_a_search_is_one_stop_with_its_list_and_what_is_taken_of_it():
    steps = asking(*search(1, ("club", "town", "owner"), ("club", "town")))
    made = timeline(steps, ("town",))
    assert made["still"] == [2, 3]
    assert told(made) == {
        "4": "Search #1 uses dense search for 'Who?' and finds 3 passages; 2 are taken: "
        "'Harbour Rovers' and 'Port Selby' (gold)."
    }
    refused = timeline(asking(*search(1, ("club", "town"), ("club",))), ("town",))
    assert told(refused)["4"].endswith("'Harbour Rovers'. Gold 'Port Selby' is left out.")
    itself = timeline(asking(*search(1, (), query=QUERY)))
    assert (
        told(itself)["3"]
        == "Search #1 uses dense search for the question itself: no passage is found."
    )


def test_a_list_from_elsewhere_is_a_stop_of_its_own():
    other = Offered("#1", "passages", (Offer("singer", 1.0, taken=True),))
    made = timeline(asking(*search(1, ("club", "town")), other))
    assert list(made["together"]) == ["3"]


def inner(number):
    """A search that is a walk itself, in which one look follows another."""
    asked, *_, end = walk(REFUSED, *OTHERS)
    entry, began, *looks = walk(REFUSED, *OTHERS)[1:-1]
    asked = replace(asked, retriever="inner", id=f"#{number}", parents=("#",))
    return asked, replace(entry, at=f"#{number}"), began, *looks, end


def test_the_first_search_of_a_kind_is_seen_step_by_step():
    steps = asking(*inner(1), *inner(2))
    made, (first, second) = timeline(steps), (1 + len(inner(1)), 1 + 2 * len(inner(1)))
    title = PASSAGES["club"].title
    assert told(made)[str(second)] == (
        f"Search #2 uses inner for the question itself: 3 passages, '{title}' first."
    )
    seen = {now["t"] for now in unpacked(film(steps), "event")} - set(made["still"])
    assert seen & set(range(first + 1, second + 1)) == {second}
    assert {2, 3} <= seen  # the first one is asked, and starts


def test_a_film_of_more_stops_than_an_audience_has_patience_for_is_told_by_rounds():
    def round_(number):
        said = (Said("reasoner", ROOT, f"{name} of {number}") for name in "abc")
        found = (
            search(f"{number}{n}", ("club", "owner"), ("owner",), f"{n} in {number}?")
            for n in (1, 2, 3)
        )
        pairs = zip(said, found, strict=True)
        return Began("round", number), *(s for one, those in pairs for s in (one, *those))

    short, long = (asking(*(s for n in range(1, of) for s in round_(n))) for of in (2, 5))
    assert len(told(timeline(short))) == 3
    made = told(timeline(long))
    assert made[list(made)[-1]] == (
        "Round 4: 3 more searches, '1 in 4?', '2 in 4?' and '3 in 4?'; "
        "1 passage is taken, 'Mara Quist'."
    )
    assert len(long) - len(timeline(long)["still"]) <= 13


def test_what_is_told_as_one_lists_what_is_new_before_what_is_fainter():
    def again(place, target, line, score):
        visit = Arrival(target, (Part("dense", score),), line)
        return Offered(place, "edges", (offer(line, score, taken=True),), (visit,))

    looks = (
        brings("club", "new club"),
        again("owner", "singer", "married", 0.95),
        brings("town", "new town"),
    )
    made, frame = shown(walk(*looks, top_k=7), 6)
    new, counted, revisited = frame["board"]["rows"]
    assert [made["nodes"][row["node"]]["id"] for row in (new, revisited)] == ["new town", "singer"]
    assert counted == {"sign": "r", "text": "1 leads to what was visited before"}
    assert [row.get("faint", False) for row in (new, revisited)] == [False, True]
    assert [row["sign"] for row in (new, revisited)] == ["y", "r"]


def test_merged_lists_that_are_the_ranking_stand_there_once():
    listed = Pooled(("one", "other"), (Hit("club", 1.0), Hit("town", 0.5)))
    made, frame = shown((Asked("any", QUERY, 3), listed, Ranked(listed.hits)), 2)
    assert frame.get("board") is None
    assert [made["nodes"][row["node"]]["id"] for row in frame["ranking"]["rows"]] == [
        "club",
        "town",
    ]


def test_of_what_is_taken_only_what_is_new_is_told():
    def again(place, target, line):
        visit = Arrival(target, (Part("dense", 0.1),), line)
        return Offered(place, "edges", (offer(line, 0.1, taken=True),), (visit,))

    looks = (
        brings("club", "new club"),
        again("owner", "singer", "married"),
        brings("town", "new town"),
    )
    made = timeline(walk(*looks, top_k=7))
    assert told(made)["6"].startswith("Hop 1 goes on and reaches one new passage: 'New town'.")


def test_of_many_that_are_new_two_are_named():
    def best(place, *names):
        part = (Part("dense", 0.9),)
        taken = tuple(Offer(name, 0.9, part, taken=True, tie=f"{place}>{name}") for name in names)
        refused = (Offer("town", 0.1), Offer("stadium", 0.1))
        visits = tuple(Arrival(one.target, part, one.tie) for one in taken)
        return Offered(place, "neighbours", taken + refused, visits)

    looks = (
        best("club", "new club", "owner"),
        best("owner", "new owner", "new stadium"),
        best("singer", "new singer", "new town"),
    )
    said = told(timeline(walk(*looks, top_k=9)))["6"]
    assert said.startswith(
        "Hop 1 goes on and reaches 4 new passages, such as 'New owner' and 'New stadium'."
    )


def test_gold_that_changes_places_is_told_to_pass():
    def ranked(*names):
        rows = [
            SimpleNamespace(rank=rank, kept=rank < 4, hit=SimpleNamespace(passage_id=name))
            for rank, name in enumerate(names, 1)
        ]
        return SimpleNamespace(standings=rows)

    def says(*names):
        return stays(ranked(*"abcde"), ranked(*names), ("a", "b", "c", "e"), str.upper)

    assert says(*"abcde") == " Gold stays at ranks 1, 2 and 3."
    assert says(*"bacde") == " Gold 'B' passes gold 'A' to rank 1."
    assert says(*"bcade") == " Gold is now at ranks 1, 2 and 3."
    assert says(*"abdce") == " Gold is now at ranks 1 and 2."


def test_a_line_that_is_taken_later_is_not_there_before_its_start_is_looked_at():
    def look(at, taken):
        tie = Tie(f"{at}>stadium", at, "stadium")
        visits = (Arrival("stadium", (Part("dense", 0.0),), tie.id),) if taken else ()
        offers = (Offer("stadium", 0.1, taken=taken, tie=tie.id),)
        return Offered(at, "neighbours", offers, visits, considered=9, ties=(tie,))

    made = film(walk(look("club", taken=False), look("owner", taken=True)))
    later = next(str(i) for i, line in enumerate(made["lines"]) if line["id"] == "owner>stadium")
    roles = {now["t"]: now["lines"].get(later) for now in unpacked(made, "event")}
    assert (roles[4], roles[5]) == (None, "chosen")


def test_what_is_ranked_right_behind_a_stop_stands_beside_it(five):
    index, found = five
    trace = found["treehop"]
    made = make_film(trace, index=index)
    frames = {now["t"]: now for now in unpacked(made, "event")}
    still, together = made["timeline"]["still"], made["timeline"]["together"]
    pooled = [t for t in frames if t in still and isinstance(trace.steps[t - 1], Pooled)]
    beside = [t for t in pooled if t - 1 in frames and t - 1 not in still]
    assert beside
    for t in beside:
        shown_there = merged(frames[t - 1], together[str(t - 1)])
        for part in ("ranking", "gold"):
            assert shown_there[part] == frames[t][part]
        assert not frames[t - 1]["ranking"]["rows"] or t > beside[0]
