"""How much of a film is drawn where letters are large."""

from types import SimpleNamespace

import pytest

from core.film import make_film
from core.film.few import Few
from core.film.patch import merged
from core.retrievers import CARDS
from core.steps import ROOT, Arrival, Asked, Began, Offer, Offered, Ranked
from core.types import Hit, Part, Passage
from tests.core.film.decoding import unpacked
from tests.core.film.wide import trace, wide

SCORE = (Part("x", 0.5),)


def walk(seeds, hops, taken):
    """From each of so many seeds so many hops, at each of which so many passages are taken."""
    starts = [f"seed {n}" for n in range(seeds)]
    steps = [
        Asked("any", "Who?", 20),
        Offered(
            "#", "passages", tuple(Offer(n, 0.5, SCORE, taken=True) for n in starts),
            tuple(Arrival(n, SCORE) for n in starts), entry=True,
        ),
    ]  # fmt: skip
    reached, here = list(starts), starts
    for hop in range(1, hops + 1):
        steps.append(Began("hop", hop, tuple(here)))
        there = []
        for at in here:
            found = [f"{at}.{n}" for n in range(taken)]
            offers = tuple(Offer(n, 0.5, SCORE, taken=True, tie=f"{at}>{n}") for n in found)
            arrivals = tuple(Arrival(n, SCORE, f"{at}>{n}") for n in found)
            steps.append(Offered(at, "edges", offers, arrivals))
            there += found[:1]
            reached += found
        here = there
    hits = [Hit(name, 1 / (place + 1), SCORE) for place, name in enumerate(reached)]
    steps.append(Ranked(tuple(hits[:20]), tuple(hits[20:])))
    return trace(steps, {n: Passage(n, n, 0, f"The title of {n}", n) for n in reached})


def away(film):
    """Whom the sentence of a step names, and who is not drawn on a stage then."""
    view, found = film["views"]["stage"], []
    for now in unpacked(film, "event"):
        aside = {str(n) for n in now["aside"].get("stage", ())}
        guests = {str(n) for n in now["guests"].get("stage", ())}
        drawn = ({*view["places"]} - aside) | guests
        label = {number: film["nodes"][int(number)]["label"] for number in now["nodes"]}
        there = {label[number] for number in drawn & label.keys()}
        named = {one for one in label.values() if f"'{one}'" in now["caption"]}
        found += [(now["t"], one) for one in sorted(named - there)]
    return found


@pytest.mark.parametrize("taken", [1, 2, 4])
def test_whom_a_sentence_names_is_drawn_on_a_stage(taken):
    film = make_film(walk(12, 2, taken), {"seed 3": "given"})
    named = sum(now["caption"].count("'The title of") for now in unpacked(film, "event"))
    assert named > 12
    assert away(film) == []


@pytest.mark.parametrize("key", tuple(CARDS))
def test_the_same_of_every_retriever(five, key):
    index, found = five
    assert away(make_film(found[key], index=index)) == []


def show(film, view):
    """What is told at each stop of a show: its frame, and the nodes that are drawn."""
    own, told = film["views"][view], film["timeline"]["together"]
    for frame in unpacked(film, "event"):
        if frame["t"] in film["timeline"]["still"]:
            continue
        now = merged(frame, told.get(str(frame["t"]), {}))
        aside, guests = ({str(n) for n in now[name].get(view, ())} for name in ("aside", "guests"))
        yield now, (({*own["places"]} - aside) | guests) & now["nodes"].keys()


def drawn_in_a_show(film):
    """Who was drawn at a stop and is not at the next one, and of whom a sentence names who is drawn
    and who is not.
    """
    gone, named, absent = 0, 0, 0
    for view in ("focus", "stage"):
        before = set()
        for now, drawn in show(film, view):
            gone += len(before - drawn)
            labels = {n: film["nodes"][int(n)]["label"].removesuffix(".") for n in now["nodes"]}
            said = {n for n, label in labels.items() if f"'{label}'" in now["caption"]}
            named, absent, before = named + len(said & drawn), absent + len(said - drawn), drawn
    return gone, named, absent


@pytest.mark.parametrize("key", tuple(CARDS))
def test_in_a_show_of_any_retriever_what_is_drawn_stays(five, key):
    index, found = five
    gone, named, absent = drawn_in_a_show(make_film(found[key], index=index))
    assert gone == 0
    assert absent <= named // 8  # who has no place of its own


def test_in_a_show_what_is_drawn_stays_and_whom_it_tells_of_is_drawn_however_many_were_reached():
    gone, named, absent = drawn_in_a_show(make_film(wide(20, 6, 20), {"seed 3": "given"}))
    assert gone == 0
    assert absent == 0
    assert named > 6


def test_rounds_stand_in_three_columns_on_a_stage():
    """Where four have no room for names: ghosts, which stand below, take none."""

    def headings(hops):
        film = make_film(walk(2, hops, 1), {"seed 0": "given"})
        return [band["label"] for band in film["views"]["stage"]["bands"]]

    assert headings(2) == ["Seeds", "Hop 1", "Hop 2"]
    assert headings(3) == ["Seeds", "Hop 1", "Hops 2–3"]
    assert headings(5) == ["Seeds", "Hop 1", "Hops 2–5"]


def searched(searches, each):
    """So many searches one after the other, each of which takes so many passages of its own."""
    steps, found, before = [Asked("any", "Who?", 20)], [], ROOT
    for n in range(1, searches + 1):
        own = [f"{n}.{place}" for place in range(each)]
        hits = tuple(Hit(name, 0.5, SCORE) for name in own)
        offers = tuple(Offer(name, 0.5, SCORE, taken=True) for name in own)
        arrivals = tuple(Arrival(name, SCORE) for name in own)
        steps += [
            Began("search", n),
            Asked("bm25", f"Thought {n}.", each, id=f"#{n}", parents=(before,)),
            Ranked(hits),
            Offered(f"#{n}", "passages", offers, arrivals),
        ]
        found, before = [*found, *own], f"#{n}"
    steps.append(Ranked(tuple(Hit(name, 1 / (n + 1), SCORE) for n, name in enumerate(found))))
    passages = {name: Passage(name, name, 0, f"The title of {name}", name) for name in found}
    return trace(steps, passages)


@pytest.mark.parametrize("searches", [4, 5])
def test_what_a_search_finds_stands_below_its_question_where_several_share_a_column(searches):
    film = make_film(searched(searches, 5), {"1.0": "given"})
    view = film["views"]["stage"]
    column = view["places"] | view["guests"]
    shared = 0
    for now in unpacked(film, "event"):
        aside = {str(n) for n in now["aside"].get("stage", ())}
        guests = {str(n) for n in now["guests"].get("stage", ())}
        drawn = (({*view["places"]} - aside) | guests) & now["nodes"].keys()
        columns = {}
        for number in sorted(drawn, key=lambda number: column[number][1]):
            columns.setdefault(column[number][0], []).append(film["nodes"][int(number)]["id"])
        for names in columns.values():
            head = ""
            shared += sum(name.startswith("#") for name in names) > 1
            for name in names:
                head = name if name.startswith("#") else head
                own = f"#{name.removeprefix('#').split('.')[0]}"
                assert head == own or own not in names
    assert shared


def test_no_question_is_only_counted_where_all_have_room():
    """Four parts of a question, beside which stands what their searches find."""
    steps = [Asked("any", "Who?", 20)]
    for n in range(1, 5):
        hits = tuple(Hit(f"{n}.{place}", 0.5, SCORE) for place in range(9))
        asked = f"Which of all the parts of the question is part {n}?"
        steps += [Asked("bm25", asked, 9, id=f"#{n}", parents=(ROOT,)), Ranked(hits)]
    names = [f"{n}.{place}" for n in range(1, 5) for place in range(9)]
    steps.append(Ranked(tuple(Hit(name, 0.5) for name in names[:20])))
    passages = {name: Passage(name, name, 0, f"The title of {name}", name) for name in names}
    film = make_film(trace(steps, passages), {f"{n}.0": "given" for n in range(1, 5)})
    drawn = {film["nodes"][int(number)]["id"] for number in film["views"]["stage"]["places"]}
    assert {"#", "#1", "#2", "#3", "#4"} <= drawn


def drawn(columns: dict[str, int], idle: tuple[str, ...] = ()) -> Few:
    """What is always drawn, by column, and nothing else."""
    plot = SimpleNamespace(columns=SimpleNamespace(of=columns), idle=idle)
    return Few(plot, tuple(columns), SimpleNamespace(slots={}))


def test_a_column_that_stands_alone_has_two_nodes_in_a_row():
    assert drawn(dict.fromkeys("abcde", 0)).lengths == {0: 3}
    assert drawn({"a": 0, "b": 0, "c": 0, "d": 1}).lengths == {0: 3, 1: 1}


def test_names_have_little_room_from_four_columns_on_an_empty_round_included():
    three = {name: at for at, name in enumerate("abc")}
    assert not drawn(three).narrow
    assert drawn(three, idle=("Hop 4",)).narrow
    assert drawn({**three, "d": 3}).narrow
    assert drawn({**three, "d": 3}, idle=("Hop 5",)).idle == ()
