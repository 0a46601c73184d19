"""What a film says at each step is what `core.playback` says, whatever retrieved."""

import json
from dataclasses import replace

import pytest

from core.film import make_film
from core.film.gold import news
from core.playback import as_asked, frame, grains, sentence, stops
from core.playback.layers import is_field
from core.playback.narration import kind_of
from core.playback.narration import told as told_of
from core.playback.rounds import round_at, round_sentence
from core.retrievers import CARDS
from core.steps import Asked, Began, Offered, Pooled, Ranked, Said, Spread
from core.traces import Trace
from core.traces.ids import passage_ids
from core.types import Hit
from tests.core.film.decoding import ENDING, by_id, rows, unpacked
from tests.core.worlds import PASSAGES

KEYS = tuple(CARDS)


def _searched(number, *found):
    """A search of this number, inside of another retrieval."""
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate(found, 1))
    return Asked("any", f"{number}?", 3, id=f"#{number}", parents=("#",)), Ranked(hits)


SEARCHES = (
    Asked("any", "?", 3),
    *_searched(1, "owner", "club"),
    Said("reader", "#1", "Mara Quist."),
    *_searched(2, "club", "town"),
    Pooled(("both",), (Hit("owner", 1.0), Hit("club", 0.5))),
    *_searched(3, "town"),
    Ranked((Hit("owner", 1.0), Hit("club", 0.5))),
)
ROLES = {"offered": "refused"}


@pytest.fixture(params=KEYS)
def played(request, five):
    """(trace as it is drawn, its film after a journey through JSON)"""
    index, traces = five
    trace = traces[request.param]
    drawn = replace(trace, steps=as_asked(trace.steps))
    return drawn, json.loads(json.dumps(make_film(trace, index=index)))


def titles(trace, film):
    called = {node["id"]: node["label"] for node in film["nodes"]}
    return lambda node: called.get(node, trace.query if node == "#" else node)


def test_every_grain_stops_where_the_player_does(played):
    trace, film = played
    assert [name for name, _ in film["grains"]] == list(grains(trace.steps))
    for grain in grains(trace.steps):
        assert [now["t"] for now in unpacked(film, grain)] == stops(trace.steps, grain)


def test_captions_are_the_sentences(played):
    trace, film = played
    for now in unpacked(film, "event"):
        title, here = titles(trace, film), frame(trace.steps, now["t"])
        told = sentence(trace.steps, now["t"], title)
        if isinstance(here.step, Spread):
            gold = [one["id"] for one in film["gold"]]
            what = news(frame(trace.steps, now["t"] - 1), here, gold, title)
            told = told_of(trace.steps, here, title, what)
        if now["t"] < len(trace.steps):
            assert now["caption"] == told
            spreads = isinstance(trace.steps[now["t"] - 1], Spread)
            assert now["means"].startswith("What moves is the share of the ") == spreads
        else:
            assert ENDING.fullmatch(now["caption"])
            assert " gold passage" in now["caption"]
    for grain in set(grains(trace.steps)) - {"event"}:
        for now in unpacked(film, grain):
            whole = round_at(trace.steps, now["t"])
            if whole and whole.began.waiting and isinstance(trace.steps[now["t"] - 1], Offered):
                kind = kind_of(whole.looked_at, frame(trace.steps, now["t"]))
                assert now["caption"] == round_sentence(whole, kind)


def test_the_lists_are_those_of_the_frame(played):
    trace, film = played
    queued = any(isinstance(step, Offered) and step.arrivals for step in trace.steps)
    for now in unpacked(film, "event"):
        true = frame(trace.steps, now["t"])
        ranking = now["ranking"]
        shown = true.standings[: len(true.standings) - ranking["more"]]
        assert rows(film, ranking) == [row.hit.passage_id for row in shown]
        assert [row["score"] for row in ranking["rows"]] == [f"{r.hit.score:.3f}" for r in shown]
        assert [not row.get("faint") for row in ranking["rows"]] == [row.kept for row in shown]
        assert [row.get("times", 0) for row in ranking["rows"]] == [row.visits for row in shown]
        assert ranking.get("cut") == (sum(r.kept for r in true.standings) if shown else None)
        assert by_id(film, now["counts"]) == {n: c for n, c in true.counter.items() if c > 1}
        assert ("queue" in now and now["queue"] is not None) == queued
        if queued:
            signs = [
                (row.get("sign", ""), film["nodes"][row["node"]]["id"])
                for row in now["queue"]["rows"]
            ]
            assert signs == [("-", node) for node in true.left] + [
                ("+" if node in true.joined else "", node) for node in true.queue
            ]


def test_a_rank_in_a_search_inside_is_said_as_such_and_gold_never_falls_back():
    trace = Trace("?", "any", "five", "g", SEARCHES, PASSAGES, {}, ("club",), "2026-01-01")
    film = make_film(trace)
    (club,) = (str(number) for number, node in enumerate(film["nodes"]) if node["gold"])
    frames = unpacked(film, "event")
    boards = [now["ranking"] for now in frames]
    assert [(now["gold"][club], now["ranking"]["title"]) for now in frames] == [
        ("not seen yet", "Score"),
        ("not seen yet", "Score · search #1"),
        ("rank 2 in search #1", "Score · search #1"),
        ("rank 2 in search #1", "Score"),
        ("rank 2 in search #1", "Score · search #2"),
        ("rank 1 in search #2", "Score · search #2"),
        ("rank 2 so far", "Score"),
        ("rank 2 so far", "Score · search #3"),
        ("rank 2 so far", "Score · search #3"),
        ("rank 2", "Score"),
    ]
    assert [board["empty"] for board in boards if not board["rows"]] == [
        "Nothing is ranked yet.",
        "Search #1 has ranked nothing yet.",
        "Nothing is ranked in the result yet.",
        "Search #2 has ranked nothing yet.",
        "Search #3 has ranked nothing yet.",
    ]


def test_scores_are_split_into_their_parts(played):
    trace, film = played
    for now in unpacked(film, "event"):
        true = frame(trace.steps, now["t"]).standings
        names = [key["name"] for key in now["ranking"]["keys"]]
        for row, standing in zip(now["ranking"]["rows"], true, strict=False):
            parts = {part.name: part.value for part in standing.hit.parts}
            expected = [parts.get(name, 0.0) for name in names]
            assert row.get("parts", []) == pytest.approx(expected, rel=1e-3, abs=1e-9)


def test_the_board_lists_what_is_on_offer(played):
    trace, film = played
    for now in unpacked(film, "event"):
        step = trace.steps[now["t"] - 1]
        if isinstance(step, Began) or (isinstance(step, Ranked) and step != trace.steps[-1]):
            assert now.get("board") is None
        if isinstance(step, Offered):
            listed = [row for row in now["board"]["rows"] if "node" in row]
            signs = [(film["nodes"][row["node"]]["id"], row["sign"]) for row in listed]
            offers = [(o.target, "y" if o.taken else "n") for o in step.offers]
            assert len(signs) + now["board"]["more"] == len(offers)
            assert signs == sorted(signs, key=lambda sign: sign[1] == "n")  # what was taken first
            assert [s for s in signs if s[1] == "y"] == [o for o in offers if o[1] == "y"]
            assert [o for o in offers if o in signs and o[1] == "n"] == [
                s for s in signs if s[1] == "n"
            ]
            assert all(
                offers[row["place"] - 1] == sign for row, sign in zip(listed, signs, strict=True)
            )


def test_roles_are_those_of_the_frame(played):
    trace, film = played
    gold = {node["id"] for node in film["nodes"] if node["gold"]}
    for now in unpacked(film, "event"):
        true = frame(trace.steps, now["t"])
        painted = by_id(film, now["nodes"])
        for node, role in true.roles.items():
            expected = {ROLES.get(role, role)}
            if role == "visited" and node in true.queue:
                expected.add("queued")
            if true.ended and true.depth == 1 and node in gold - {h.passage_id for h in true.hits}:
                expected = {"lost"}
            assert painted[node] in expected
        lines = by_id(film, now["lines"], "lines")
        named = {line["id"] for line in film["lines"]}
        assert {n for n in true.walked if n in named} <= {
            n
            for n, role in lines.items()
            if role in ("walked", "again", "chosen", "offered", "refused")
        }
        assert {n for n in true.refused if n in named} <= lines.keys()


@pytest.mark.parametrize("view", ["focus", "stage"])
def test_what_a_step_takes_is_drawn_at_its_stop(played, view):
    trace, film = played
    places = {int(number) for number in film["views"][view]["places"]}
    for now in unpacked(film, "event"):
        step = trace.steps[now["t"] - 1]
        taken = step.taken if isinstance(step, Offered) else ()
        drawn = places.difference(now["aside"].get(view, ())).union(now["guests"].get(view, ()))
        there = {film["nodes"][number]["id"] for number in drawn if str(number) in now["nodes"]}
        assert not taken or taken[0].target in there


def test_nothing_is_there_before_it_happens(played):
    trace, film = played
    for now in unpacked(film, "event"):
        past = trace.steps[: now["t"]]
        true = frame(trace.steps, now["t"])
        named = {*passage_ids(past), *true.things, *true.questions, *true.roles}
        named |= {end for tie in true.ties.values() for end in (tie.source, tie.target)}
        ghosts = {n for n, role in by_id(film, now["nodes"]).items() if role == "ghost"}
        if now["t"] < len(trace.steps):
            assert not ghosts
        painted = by_id(film, now["nodes"]).keys() - ghosts
        assert painted <= named
        for number, role in now["lines"].items():
            line = film["lines"][int(number)]
            assert (
                role == "ghost" or {str(line["source"]), str(line["target"])} <= now["nodes"].keys()
            )
        assert now["questions"] == sum(isinstance(step, Asked) for step in past)
        assert now["said"] == len(true.said)
        assert now["asked"] == sum(step.told.exchange is not None for step in past)
        assert now["answers"] == {
            str(number): one.answer
            for number, one in enumerate(true.questions.values())
            if one.answer
        }


def test_what_is_taken_travels_to_its_target(played):
    trace, film = played
    for now in unpacked(film, "event"):
        step = trace.steps[now["t"] - 1]
        if isinstance(step, Offered) and step.entry:
            assert [(m["line"], m["source"]) for m in now["travels"]] == [(None, None)] * len(
                step.arrivals
            )
            targets = [film["nodes"][move["target"]]["id"] for move in now["travels"]]
            assert targets == [arrival.id for arrival in step.arrivals]
        elif isinstance(step, Offered):
            moved = {
                (film["lines"][move["line"]]["id"], film["nodes"][move["target"]]["id"])
                for move in now["travels"]
            }
            named = {line["id"] for line in film["lines"]}
            assert {(o.tie, o.target) for o in step.taken if o.tie in named} <= moved


def test_the_share_of_what_is_spread_is_the_size(played):
    trace, film = played
    for now in unpacked(film, "event"):
        held = frame(trace.steps, now["t"]).mass
        assert by_id(film, now["sizes"]).keys() == (held.keys() if is_field(trace.steps) else set())
