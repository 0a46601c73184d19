"""The tour that is shipped: each scene shows what its words say, and it is that of the sample."""

import json

import pytest

from core.tour import TourData, shipped_tour
from core.walkthroughs.contract import StopData, WalkthroughData


@pytest.fixture(scope="module")
def tour() -> TourData:
    return json.loads(shipped_tour())


def scene(tour: TourData, number: int) -> tuple[WalkthroughData, StopData]:
    one = tour["scenes"][number]
    data = tour["walkthroughs"][one["walkthrough"]]
    return data, data["stops"][one["stop"]]


def missed(data: WalkthroughData) -> set[str]:
    return {one["title"] for one in data["gold"] if not one["retrieved"]}


def test_both_searches_miss_what_the_walk_retrieves(tour: TourData):
    lexical, dense, walk = (scene(tour, number)[0] for number in (1, 2, 5))
    assert lexical["query"] == dense["query"] == walk["query"]
    assert missed(lexical) & missed(dense)
    assert not missed(walk)


def test_the_hop_reaches_it_along_a_question_and_helpfulness_is_a_sum(tour: TourData):
    data, stop = scene(tour, 3)
    lost = missed(scene(tour, 1)[0])
    nodes = {node for one in data["gold"] if one["title"] in lost for node in one["nodes"]}
    followed = {c["card"]["node"]: c for c in stop["candidates"] if c["verdict"] == "followed"}
    assert nodes & followed.keys()
    row = data["rankings"][stop["ranking"]]["rows"][0]
    assert row["score"] == pytest.approx(sum(row["parts"]), abs=2e-3)


def test_the_failure_names_its_stage_and_a_fix(tour: TourData):
    data, stop = scene(tour, 6)
    assert missed(data)
    assert stop["chain"]
    assert not stop["chain"]["complete"]
    assert all(one["explanation"] for one in data["gold"] if not one["retrieved"])
    assert tour["scenes"][7]["text"].partition(": ")[2]


def test_the_last_scene_shows_what_the_fix_retrieves(tour: TourData):
    lost, _ = scene(tour, 6)
    fixed, stop = scene(tour, 7)
    assert fixed["query"] == lost["query"]
    assert not missed(fixed)
    assert stop["chain"]
    assert stop["chain"]["complete"]


def test_it_is_small_enough_to_be_shown_at_once():
    assert len(shipped_tour()) < 400_000
