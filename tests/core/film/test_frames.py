"""What a film says at each step is what `core.playback` says, whatever retrieved."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.artefacts.workbench import Workbench
from core.film import make_film
from core.film.boards import AT_ONCE
from core.film.scores import places_of
from core.film.standing import ranking as ranking_of
from core.funnel.data import Fate
from core.funnel.lists import Lists
from core.playback import as_asked, frame, grains, stops
from core.playback.calling import kind_of
from core.playback.layers import spreads
from core.playback.rounds import round_at, round_sentence
from core.retrievers import CARDS
from core.retrievers.step_ids import passage_ids
from core.steps import ARROW, Asked, Began, Offer, Offered, Pooled, Ranked, Said, Spread, Thing, Tie
from core.traces import Trace
from core.types import Hit
from tests.core.fakes import WordEmbedder
from tests.core.film.decoding import ENDING, by_id, rows, said_at, unpacked
from tests.core.five import silent
from tests.core.worlds import EDGES, PASSAGES, QUERY, WALK, judged

KEYS = tuple(CARDS)
LEADS = re.compile(r" \w+ '[^']+' leads to gold '[^']+'\.")
"""What is told of gold behind the sentence of a step."""
SMALL = (0.017, 0.0054, 0.005, 0.0046)


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


def test_captions_are_the_sentences_with_what_happens_to_gold(played):
    trace, film = played
    before, title = 0, titles(trace, film)
    gold = [node["id"] for node in film["nodes"] if node["gold"]]
    for now in unpacked(film, "event"):
        if now["t"] < len(trace.steps):
            said = said_at(trace.steps, before, now["t"], title, gold)
            led = LEADS.sub("", now["caption"])
            why = trace.steps[now["t"] - 1].told.reason
            # What leads to gold has the room of why something is taken.
            assert led == said or (led != now["caption"] and led == said.replace(f" {why}", ""))
            spreads = isinstance(trace.steps[now["t"] - 1], Spread)
            assert ("What moves is the share of the " in now["means"]) == spreads
        else:
            assert ENDING.fullmatch(now["caption"])
            assert re.search("gold passage|Gold '", now["caption"])
        before = now["t"]
    for grain in set(grains(trace.steps)) - {"event"}:
        for now in unpacked(film, grain):
            whole = round_at(trace.steps, now["t"])
            if whole and whole.began.waiting and isinstance(trace.steps[now["t"] - 1], Offered):
                kind = kind_of(whole.looked_at, frame(trace.steps, now["t"]))
                assert now["caption"].startswith(round_sentence(whole, kind))


def test_the_lists_are_those_of_the_frame(played):
    trace, film = played
    queued = any(isinstance(step, Offered) and step.arrivals for step in trace.steps)
    for now in unpacked(film, "event"):
        true = frame(trace.steps, now["t"])
        ranking = now["ranking"]
        shown = true.standings[: len(true.standings) - ranking["more"]]
        assert rows(film, ranking) == [row.hit.passage_id for row in shown]
        places = places_of(trace.steps)
        scores = [f"{row.hit.score:.{places}f}" for row in shown]
        assert [row["score"] for row in ranking["rows"]] == scores
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


TOP_K_ALONE = ("bm25", "dense", "hybrid", "hipporag2")
"""They list what they keep, and rank all passages."""


@pytest.mark.parametrize("key", TOP_K_ALONE)
def test_lost_gold_stands_in_the_list_that_ends_above_it(five, key):
    index, traces = five
    trace = traces[key]
    lists = Lists(Workbench(index, WordEmbedder(), making=silent))
    marks = {one.id: "given" for one in PASSAGES.values()}
    *before, last = unpacked(make_film(trace, marks, index, lists), "event")
    film = make_film(trace, marks, index, lists)
    for now in before:
        shown = frame(trace.steps, now["t"]).standings
        assert rows(film, now["ranking"]) == [row.hit.passage_id for row in shown]
    true, ranking = frame(trace.steps, len(trace.steps)), last["ranking"]
    whole = lists.whole(trace.steps[0])
    kept = [row.hit.passage_id for row in true.standings]
    assert whole
    assert kept == list(whole.passages[: len(kept)])
    assert len(whole.passages) > len(kept)  # else nothing is lost
    assert rows(film, ranking) == list(whole.passages)
    assert [row["score"] for row in ranking["rows"]] == [f"{one:.3f}" for one in whole.scores]
    assert [bool(row.get("faint")) for row in ranking["rows"]] == [
        rank > len(kept) for rank, _ in enumerate(whole.passages, 1)
    ]
    assert (ranking["cut"], ranking["more"]) == (len(kept), 0)
    assert ranking["cut_text"] == f"the result ends here: {true.standings[-1].hit.score:.3f}"
    assert ranking["note"] == f"{len(kept)} of {len(whole.passages)} retrieved"


def test_what_happens_in_a_round_is_said_where_its_word_first_stands(five):
    index, traces = five
    events = unpacked(make_film(traces["proprag"], {}, index), "event")
    told = CARDS["proprag"].rounds
    for word, said in told.items():
        inside = [now for now in events if now["round"].lower().startswith(word.lower())]
        first = [now for now in inside if now["round"].endswith(" 1") and now.get("board")]
        assert first[0]["board"]["rows"][0] == {"text": said}
        assert all(now["means"].startswith(said) for now in inside)
    shown = [row.get("text") for now in events for row in now.get("board", {"rows": []})["rows"]]
    assert {word for word, said in told.items() if said in shown} == {*told}
    assert not any(now["means"] for now in events if not now["round"])


def _far(fate):
    """The end of a list of two, whose gold has `fate`."""
    made = frame((Asked("any", "?", 2), Ranked((Hit("owner", 0.9), Hit("club", 0.8)))), 2)
    cast = SimpleNamespace(number={"owner": 0, "club": 1, "town": 2}, title=str)
    return ranking_of(cast, made, {}, fates={"town": fate})


def test_between_the_line_and_gold_far_below_is_a_gap():
    board = _far(Fate("town", "town", "cut", 45, 0.1, -0.7, k=2, of=203))
    assert board["rows"][2:] == [
        {"text": "…"},
        {"node": 2, "faint": True, "score": "0.100", "place": 45},
    ]
    assert (board["cut"], board["more"], board["note"]) == (2, 200, "2 of 203 retrieved")


def test_a_score_of_another_scale_is_left_out():
    board = _far(Fate("town", "town", "cut", 3, 17.5))
    assert board["rows"][2:] == [{"node": 2, "faint": True}]
    assert (board["cut_text"], board["note"]) == ("the result ends here: 0.800", "2 retrieved")


@pytest.mark.parametrize(
    "fate",
    [
        Fate("town", "town", "below", k=2),
        Fate("town", "town", "refused", 9, 0.1, -0.1),
    ],
)
def test_gold_without_a_rank_in_the_list_is_not_in_it(fate):
    board = _far(fate)
    assert len(board["rows"]) == 2
    assert (board["cut_text"], board["note"]) == ("", "2 retrieved")


def test_gold_that_a_search_has_ranked_stands_below_the_line_without_a_place():
    board = _far(Fate("town", "town", "cut", 7, 0.1, -0.1, inner=True, search="#1"))
    assert board["rows"][2:] == [
        {"node": 2, "place": 0, "note": "rank 7 in search #1", "faint": True}
    ]
    assert (board["cut_text"], board["note"]) == ("the result ends here: 0.800", "2 retrieved")


def test_the_ranks_of_small_scores_are_told_apart():
    hits = tuple(Hit(name, score) for name, score in zip(PASSAGES, SMALL, strict=False))
    steps = (Asked("any", "?", 4), Ranked(hits))
    trace = Trace("?", "any", "five", "g", steps, PASSAGES, {}, (), "2026-01-01")
    *_, last = unpacked(make_film(trace), "event")
    told = [row["score"] for row in last["ranking"]["rows"]]
    assert told == ["0.0170", "0.0054", "0.0050", "0.0046"]


def test_a_rank_in_a_search_inside_is_said_as_such_and_gold_never_falls_back():
    trace = Trace("?", "any", "five", "g", SEARCHES, PASSAGES, {}, ("club",), "2026-01-01")
    film = make_film(trace)
    (club,) = (str(number) for number, node in enumerate(film["nodes"]) if node["gold"])
    frames = unpacked(film, "event")
    boards = [now["ranking"] for now in frames]
    assert [(now["gold"][club], now["ranking"]["title"]) for now in frames] == [
        ("not found yet", "Ranking"),
        ("not found yet", "Ranking · search #1"),
        ("rank 2 in search #1", "Ranking · search #1"),
        ("rank 2 in search #1", "Ranking"),
        ("rank 2 in search #1", "Ranking · search #2"),
        ("rank 1 in search #2", "Ranking · search #2"),
        ("rank 2 so far", "Ranking"),
        ("rank 2 so far", "Ranking · search #3"),
        ("rank 2 so far", "Ranking · search #3"),
        ("rank 2", "Ranking"),
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
            all_ = len(offers) if step.entry else step.scored
            assert len(signs) + now["board"]["more"] == all_
            assert signs == sorted(signs, key=lambda sign: sign[1] == "n")  # what was taken first
            assert [s for s in signs if s[1] == "y"] == [o for o in offers if o[1] == "y"]
            assert [o for o in offers if o in signs and o[1] == "n"] == [
                s for s in signs if s[1] == "n"
            ]
            assert all(
                offers[row["place"] - 1] == sign for row, sign in zip(listed, signs, strict=True)
            )


def of_paths(step):
    return isinstance(step, Offered) and any(ARROW in offer.label for offer in step.offers)


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
            or (role == "plain" and of_paths(trace.steps[now["t"] - 1]))
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


def test_what_is_taken_where_nothing_is_drawn_anew_is_marked(played):
    trace, film = played
    before = {}
    for now in unpacked(film, "event"):
        step, taken = trace.steps[now["t"] - 1], now["taken"]
        chosen = {
            film["lines"][int(number)][end]
            for number, role in now["lines"].items()
            for end in ("source", "target")
            if role == "chosen"
        }
        wanted = {
            film["nodes"].index(node)
            for node in film["nodes"]
            if isinstance(step, Offered)
            and not (step.entry or of_paths(step))
            and node["id"] in {offer.target for offer in step.taken}
        }
        assert set(taken) == {n for n in wanted - chosen if str(n) in before}
        before = now["nodes"]


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
        assert by_id(film, now["sizes"]).keys() == (held.keys() if spreads(trace.steps) else set())


def test_the_queue_counts_all_that_left_since_the_stop_before():
    looks = (*WALK[:6], Began("hop", 3, ("town", "singer")), judged("town"), judged("singer"))
    steps = (*looks, WALK[-1])
    film = make_film(Trace(QUERY, "any", "five", "g", steps, PASSAGES, EDGES, (), "2026-01-01"))
    now = next(one for one in unpacked(film, "event") if one["t"] == len(looks))
    assert "2 passages leave the queue" in now["caption"]
    assert now["queue"]["note"] == "0 waiting · 0 in, 2 out"


def test_who_waits_at_the_end_was_not_looked_at():
    trace = Trace(QUERY, "any", "five", "g", (*WALK[:4], WALK[-1]), PASSAGES, EDGES, (), "2026")
    *_, looked, last = unpacked(make_film(trace), "event")
    assert looked["queue"]["note"].startswith("1 waiting")
    assert last["queue"]["note"] == "1 left after hop 1"
    assert len(last["queue"]["rows"]) == 1


def test_a_heading_says_what_limits_a_list_and_the_list_how_many_are_left_out():
    def board(room, *sizes):
        offers = tuple(
            Offer(name, 1.0, taken=n < 2, size=size)
            for n, (name, size) in enumerate(zip(PASSAGES, sizes, strict=False))
        )
        listed = Offered("#", "relations", offers, considered=1200, room=room)
        steps = (Asked("any", QUERY, 3), listed, Ranked((Hit("club", 1.0),)))
        trace = Trace(QUERY, "any", "five", "g", steps, PASSAGES, {}, (), "2026-01-01")
        return unpacked(make_film(trace), "event")[1]["board"]

    full = board(2000, 1000, 900, 500)
    assert (full["note"], full["more"]) == ("2 of 1,200 fit into 2,000 tokens", 1197)
    assert board(2000, 1000, 500, 500)["note"] == "2 of 1,200 taken"
    assert board(0, 0, 0, 0)["note"] == "2 of 1,200 taken"


def test_all_scores_of_a_film_have_the_same_decimals():
    fine = Spread("probability", tuple(map(Hit, PASSAGES, SMALL)))
    steps = (
        Asked("any", QUERY, 3),
        Offered("#", "passages", (Offer("club", 0.9, taken=True), Offer("town", 0.8))),
        fine,
        Ranked((Hit("club", 0.7),)),
    )
    trace = Trace(QUERY, "any", "five", "g", steps, PASSAGES, {}, ("town",), "2026-01-01")
    _asked, offered, spread, ranked = unpacked(make_film(trace), "event")
    assert [row["score"] for row in offered["board"]["rows"]] == ["0.9000", "0.8000"]
    assert [row["score"] for row in spread["board"]["rows"]][:2] == ["0.0170", "0.0054"]
    assert ranked["ranking"]["rows"][0]["score"] == "0.7000"
    assert "0.8000 against 0.9000 for 'Harbour Rovers'" in offered["caption"]
    assert "(0.0170)" in spread["caption"]


def test_of_gold_far_down_a_list_and_of_what_led_there_the_place_is_told():
    things = tuple(Thing(f"entity {n}", "entity", f"name {n}") for n in range(9))
    names = tuple(Offer(one.id, 1 - n / 10, taken=True) for n, one in enumerate(things))
    passages = [*(name for name in PASSAGES if name != "singer"), "singer"]
    ties = {"singer": "in"}
    found = tuple(
        Offer(name, 1 - n / 10, taken=True, tie=ties.get(name, ""))
        for n, name in enumerate(passages)
    )
    steps = (
        Asked("any", QUERY, 3),
        Offered("#", "entities", names, things=things),
        Offered("#", "passages", found, ties=(Tie("in", "entity 8", "singer"),)),
        Ranked((Hit("club", 1.0),)),
    )
    trace = Trace(QUERY, "any", "five", "g", steps, PASSAGES, {}, ("singer", "club"), "2026-01-01")
    film = make_film(trace)
    told = {
        film["nodes"][row["node"]]["id"]: row["of"]
        for now in unpacked(film, "event")
        if now["t"] < len(steps) and now["board"]
        for row in now["board"]["rows"]
        if "of" in row
    }
    assert told == {"entity 8": 9}
    assert passages.index("singer") < AT_ONCE  # seen where it stands
