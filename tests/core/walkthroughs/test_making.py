"""Whatever a retriever does is told with cards, and every number is that of the playback."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from core.difference import make_difference
from core.funnel.lists import Lists
from core.marks import Gold
from core.playback import as_asked, frame, frames
from core.retrievers import CARDS, Spec
from core.steps import Offered
from core.traces import load
from core.walkthroughs.cards import REACHED
from core.walkthroughs.contract import CardData, StopData, WalkthroughData
from core.walkthroughs.making import make_walkthrough
from tests.core.walkthroughs.conftest import WRAPPED

GOLDEN = Path(__file__).parents[1] / "golden"
KEYS = (*CARDS, WRAPPED)
VALID = TypeAdapter(WalkthroughData)


@pytest.fixture(scope="session")
def told(five) -> dict[str, WalkthroughData]:
    """The walkthrough of every retriever."""
    bench, traces, gold = five
    lists = Lists(bench)
    return {key: make_walkthrough(trace, gold, bench.index, lists) for key, trace in traces.items()}


def same(told: float | None, known: float | None) -> bool:
    """Return whether a number is the one that it stands for, to 6 digits."""
    if told is None or known is None:
        return told is known
    return told == pytest.approx(known, rel=1e-5)


def cards(stop: StopData) -> Iterator[CardData]:
    yield stop["here"]
    if stop["came_from"]:
        yield stop["came_from"]
    yield from (one["card"] for one in stop["candidates"])
    if stop["chain"]:
        yield from stop["chain"]["cards"]


@pytest.mark.parametrize("key", KEYS)
def test_every_number_is_that_of_the_frame(key, told, five):
    made, steps = told[key], as_asked(five[1][key].steps)
    for stop in made["stops"]:
        now = frame(steps, stop["t"])
        ranking = made["rankings"][stop["ranking"]]
        rows = {row["node"]: row for row in ranking["rows"]}
        assert ranking["total"] == len(now.ranking_rows)
        assert ranking["cut_off"] == sum(one.kept for one in now.ranking_rows)
        assert same(ranking["cut_off_score"], now.cutoff)
        for one in now.ranking_rows:
            row = rows[one.hit.passage_id]
            assert (row["rank"], row["kept"]) == (one.rank, one.kept)
            assert row["score"] == pytest.approx(one.hit.score, rel=1e-5)
            if one.hit.parts:
                assert sum(row["parts"]) == pytest.approx(one.hit.score, rel=1e-4, abs=1e-6)
        queue = made["queues"][stop["queue"]]
        assert tuple(queue["nodes"]) == now.queue
        if stop["kind"] == "fold":
            before = frame(steps, made["stops"][stop["folded"][0]["stop"]]["t"] - 1).queue
            assert {*queue["joined"]} == {*now.queue} - {*before}
            assert {*queue["left"]} == {*before} - {*now.queue}
        else:
            assert (tuple(queue["joined"]), tuple(queue["left"])) == (now.joined, now.left)
        states = made["states"][stop["states"]]
        assert set(states["followed"]) <= set(now.walked)
        assert set(states["not_followed"]) <= set(now.refused)
        for card in cards(stop):
            if stop["kind"] != "fold" or card is stop["here"]:
                assert card["visits"] == now.counter.get(card["node"], 0)
                row = rows.get(card["node"])
                assert (card["rank"], card["kept"]) == (
                    (row["rank"], row["kept"]) if row else (0, False)
                )
        if stop["kind"] == "candidates":
            offers = {(one.target, one.tie): one for one in now.offers}
            for one in stop["candidates"]:
                scores = [o.score for (node, _), o in offers.items() if node == one["card"]["node"]]
                assert any(one["score"] == pytest.approx(score, rel=1e-5) for score in scores)
        if stop["helpfulness"]:
            assert stop["helpfulness"]["row"] == rows[stop["helpfulness"]["row"]["node"]]


@pytest.mark.parametrize("key", KEYS)
def test_whatever_is_referred_to_is_there(key, told):
    made = VALID.validate_python(told[key], strict=False)
    assert json.loads(json.dumps(made)) == json.loads(json.dumps(told[key]))
    nodes, edges = made["nodes"], made["edges"]
    for stop in made["stops"]:
        assert stop["headline"]
        assert stop["label"]
        for card in cards(stop):
            node = nodes[card["node"]]
            assert all(number < len(node["sentences"]) for number in card["matters"])
            assert card["best"] is None or card["best"] < len(node["sentences"])
        assert not stop["arrived_by"] or stop["arrived_by"] in edges
        for one in stop["candidates"]:
            assert not one["edge"] or one["edge"] in edges
        states = made["states"][stop["states"]]
        assert states["nodes"].keys() <= nodes.keys()
        assert {*states["followed"], *states["not_followed"]} <= edges.keys()
        rows = made["rankings"][stop["ranking"]]["rows"]
        assert {row["node"] for row in rows} <= nodes.keys()
        assert all(len(row["parts"]) == len(made["score"]["parts"]) for row in rows)
        assert {*made["queues"][stop["queue"]]["nodes"]} <= nodes.keys()
        assert len(stop["gold_status"]) == len(made["gold"])
        assert all(0 <= number < len(made["query_words"]) for number in stop["covered"])
        assert set(stop["covered_here"]) <= set(stop["covered"])
    for edge in edges.values():
        assert {edge["source"], edge["target"]} <= nodes.keys()
        if edge["raised_by"] is not None:
            assert edge["raised_by"] < len(nodes[edge["source"]]["sentences"])


@pytest.mark.parametrize("key", ["hoprag-coverage", "hoprag-similarity"])
def test_an_edge_has_the_same_question_as_in_a_difference_and_in_its_trace(key, five, told):
    bench, traces, gold = five
    trace, marks = traces[key], gold.authors(traces[key].ranking)
    drawn = make_difference(trace, traces["bm25"], marks, bench.index)["edges"]
    labels = {one["id"]: one["question"] for one in drawn}
    labels |= {
        offer.tie: offer.label
        for step in trace.steps
        if isinstance(step, Offered) and not step.entry
        for offer in step.offers
    }
    edges = {n: one for n, one in told[key]["edges"].items() if one["is_pseudo_query"]}
    assert edges.keys() & labels.keys()
    assert all(edges[name]["question"] == labels[name] for name in edges.keys() & labels.keys())
    assert any(one["raised"] != one["question"] for one in edges.values())


@pytest.mark.parametrize("key", ["hoprag-coverage", "hoprag-similarity"])
def test_what_a_headline_names_is_the_first_candidate_and_has_its_sum_shown(key, told):
    nodes, seen = told[key]["nodes"], 0
    for stop in told[key]["stops"]:
        titles = [f"'{nodes[one['card']['node']]['title']}'" for one in stop["candidates"]]
        if (
            stop["kind"] != "candidates"
            or stop["label"] == "Seeds"
            or " followed" not in stop["headline"]
        ):
            continue
        if any(title in stop["headline"] for title in titles):
            assert titles[0] in stop["headline"]
            assert stop["helpfulness"]["row"]["node"] == stop["candidates"][0]["card"]["node"]
            seen += 1
    assert seen


@pytest.mark.parametrize("key", KEYS)
def test_an_audience_gets_about_twelve_stops_in_order_and_the_chain_last(key, told):
    made = told[key]
    stops = made["stops"]
    assert len(made["audience"]) <= 12
    assert stops[made["audience"][-1]]["kind"] == "chain" == stops[made["every"][-1]]["kind"]
    for numbers in (made["audience"], made["every"]):
        steps = [stops[number]["t"] for number in numbers]
        assert steps == sorted(steps)
    seen = [stops[number]["t"] for number in made["every"][:-1]]
    told_of = [
        one
        for number in made["audience"][:-1]
        for one in ([f["stop"] for f in stops[number]["folded"]] or [number])
    ]
    assert [stops[number]["t"] for number in told_of] == seen  # nothing is left out
    assert all(one < other for one, other in pairwise(seen))


@pytest.mark.parametrize("key", KEYS)
def test_a_stop_depends_on_nothing_behind_its_step(key, told):
    """States at a stop are those of nodes seen by then."""
    made = told[key]
    before: set[str] = set()
    for number in made["every"][:-2]:
        nodes = made["states"][made["stops"][number]["states"]]["nodes"]
        assert "missed" not in nodes.values() or made["stops"][number]["kind"] == "result"
        assert before <= nodes.keys() or made["stops"][number]["kind"] == "candidates"
        before = set(nodes)


@pytest.mark.parametrize("key", KEYS)
def test_evidence_is_counted_by_piece(key, told):
    """Two pieces in one passage are two pieces of evidence."""
    made = told[key]
    first, second, third = made["gold"]
    assert second["nodes"] == third["nodes"] == ["owner"]
    assert first["nodes"] == ["club"]
    assert second["retrieved"] == third["retrieved"]
    assert [one["position"] for one in made["gold"]] == [
        "evidence 1 of 3 (Who owns it?)",
        "evidence 2 of 3 (Where was she born?)",
        "evidence 3 of 3",
    ]
    held = [one["evidence"] for one in made["nodes"]["owner"]["sentences"]]
    assert held == [[2], [1], []]
    for one in made["gold"]:
        assert bool(one["explanation"]) == (not one["retrieved"])


@pytest.mark.parametrize("key", KEYS)
def test_gold_that_was_reached_shows_its_evidence(key, told):
    """A card has room for one sentence at many stops: it is the one that contains evidence."""
    made = told[key]
    for stop in made["stops"]:
        for card in cards(stop):
            node = made["nodes"][card["node"]]
            if node["kind"] == "passage" and node["gold"] and card["state"] in REACHED:
                assert node["sentences"][card["best"]]["evidence"]
                assert card["best"] in card["matters"]


@pytest.mark.parametrize("key", KEYS)
def test_every_part_of_a_score_that_is_a_word_has_a_colour_of_its_own(key, told):
    """Two parts of a card may share one; what has no name there has one that nothing else has."""
    known = Spec.parse(key).parts
    parts = told[key]["score"]["parts"]
    tones = [part["tone"] for part in parts]
    for part in parts:
        assert part["label"] in known or tones.count(part["tone"]) == 1


@pytest.mark.parametrize("key", KEYS)
def test_the_chain_leads_to_the_answer_or_to_the_gap(key, told):
    made = told[key]
    chain = made["stops"][-1]["chain"]
    assert len(chain["links"]) == len(chain["cards"])
    assert chain["cards"][0]["node"] == "#"
    assert chain["answer"] == "Port Selby"
    assert chain["complete"] == all(one["retrieved"] for one in made["gold"])
    lost = {one["nodes"][0] for one in made["gold"] if not one["retrieved"]}
    gaps = [link for link in chain["links"][:-1] if link["kind"] == "gap"]
    assert len(gaps) == len(lost)
    assert all(link["text"] for link in gaps)
    assert {card["node"] for card in chain["cards"]} >= {"club", "owner"}


def test_helpfulness_is_similarity_and_importance_for_every_walk(told, five):
    walks = [key for key, card in CARDS.items() if card.helpfulness]
    assert sorted(walks) == ["hoprag-coverage", "hoprag-llm", "hoprag-similarity"]
    for key in (*walks, WRAPPED):
        score = told[key]["score"]
        assert score["formula"].startswith("H = ")
        assert {part["half"] for part in score["parts"]} >= {"similarity", "importance"}
    paper = told["hoprag-similarity"]
    assert paper["score"]["formula"] == "H = (SIM + IMP) / 2"
    halves = [part["half"] for part in paper["score"]["parts"]]
    last = paper["rankings"][paper["stops"][-1]["ranking"]]["rows"]
    *_, end = frames(five[1]["hoprag-similarity"].steps)
    visits = {one.hit.passage_id: one.visits for one in end.ranking_rows}
    for row in last:
        importance = sum(
            v for v, half in zip(row["parts"], halves, strict=True) if half == "importance"
        )
        assert importance == pytest.approx(
            visits[row["node"]] / sum(visits.values()) / 2, rel=1e-4
        )  # Eq. 3


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("hoprag-*.jsonl")))
def test_a_fall_of_importance_is_explained_by_the_shares_of_visits(name):
    trace = load((GOLDEN / name).read_text())
    made, played = make_walkthrough(trace), list(frames(trace.steps))
    halves = [part["half"] for part in made["score"]["parts"]]
    for stop in made["stops"]:
        shown = stop["helpfulness"]
        if not shown:
            continue
        pairs = zip(
            halves, shown["row"]["parts"], (shown["before"] or shown["row"])["parts"], strict=True
        )
        fell = any(half == "importance" and now < before for half, now, before in pairs)
        now = played[stop["t"]]
        share = f"{now.counter.get(shown['row']['node'])}/{now.visits} of all visits"
        assert shown["why_lower"].endswith(share if fell else "")
        assert bool(shown["why_lower"]) == fell
    if name == "hoprag-similarity-sample-1.jsonl":
        assert any(
            stop["helpfulness"] and stop["helpfulness"]["why_lower"] for stop in made["stops"]
        )


def test_every_part_of_a_walks_score_has_a_half(told):
    for key in ("hoprag-coverage", "hoprag-llm", "hoprag-similarity"):
        assert all(part["half"] for part in told[key]["score"]["parts"])


def test_without_an_index_the_trace_alone_is_told(five):
    bench, traces, gold = five
    made = make_walkthrough(traces["hoprag-coverage"], gold)
    assert made["stops"][-1]["kind"] == "chain"
    assert all(not edge["raised"] for edge in made["edges"].values())
    told = make_walkthrough(traces["hoprag-coverage"], gold, bench.index)["edges"]
    assert {name: edge["question"] for name, edge in made["edges"].items()} == {
        name: told[name]["question"] for name in made["edges"]
    }
    alone = make_walkthrough(traces["bm25"])["gold"]
    assert all(one["position"].startswith("evidence") for one in alone)


def test_the_chain_has_no_card_for_evidence_that_is_not_in_the_index(five):
    bench, traces, _ = five
    gold = Gold(given=("gone",), absent=("gone",), titles={"gone": "A lost sentence"})
    made = make_walkthrough(traces["hoprag-coverage"], gold, bench.index)
    chain = made["stops"][-1]["chain"]
    assert [card["node"] for card in chain["cards"]].count("#") == 1
    assert len(chain["links"]) == len(chain["cards"])
    assert chain["links"][-1]["text"].startswith("'A lost sentence': not in the index.")
