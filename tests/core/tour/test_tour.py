"""The tour that is shipped: each scene shows what its words say, and it is that of the sample."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.artefacts.workbench import Workbench
from core.models.embedder import load_embedder
from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample
from core.store.index import Index
from core.tour import TourData, shipped_tour
from core.tour.making import make_tour
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


def test_it_is_the_tour_that_the_code_makes_today(tour: TourData, tmp_path: Path):
    """Remake it after a change: `python -m core.shipping`."""
    embedder = load_embedder(BUNDLED_EMBEDDER)
    assert sample.install(tmp_path, "")
    bench = Workbench(Index.open(tmp_path / sample.NAME, embedder.info), embedder)
    questions = dict.fromkeys(data["query"] for data in tour["walkthroughs"])
    made = json.loads(json.dumps(make_tour(bench, list(questions))))
    assert lasting(made) == lasting(tour, partial(pytest.approx, abs=2e-3))


def lasting(data: Any, number: Callable[[float], Any] = float) -> Any:
    """Without times, which differ; each fraction as `number` makes it, as processors round."""
    if isinstance(data, dict):
        return {key: lasting(one, number) for key, one in data.items() if key != "footer"}
    if isinstance(data, list):
        return [lasting(one, number) for one in data]
    return number(data) if isinstance(data, float) else data
