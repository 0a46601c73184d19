"""A large corpus: regions only, named from a part of the texts."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.maps import map_data as data_module
from core.maps import stored
from core.maps.map_data import map_data
from core.maps.stored import make_map, similarities
from core.store.index import Index
from tests.benchmarks.scale.synthetic import World, write
from tests.core.five import silent

PASSAGES = 600


@pytest.fixture
def large(tmp_path: Path, large_from: Callable[[int], None]) -> Index:
    large_from(100)
    write(World(PASSAGES), tmp_path / "large")
    return Index.open(tmp_path / "large")


def test_its_regions_hold_every_passage_and_have_names(
    large: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "_READ", 200)
    monkeypatch.setattr(data_module, "MOST_PASSAGES", 100)
    monkeypatch.setattr(data_module, "MOST_REGIONS", 12)
    assert large.large
    made = make_map(large, silent)
    assert all(region.terms for region in made.regions[1:])
    leaves = np.concatenate(
        [made.inside(n) for n, one in enumerate(made.regions) if not one.children]
    )
    assert sorted(leaves.tolist()) == list(range(PASSAGES))
    data = map_data(large, made)
    numbers = data["regions"]["number"]
    assert len(numbers) < len(made.regions)
    assert data["regions"]["name"] == [made.regions[number].name for number in numbers]
    ends = {*data["edges"]["source"], *data["edges"]["target"]}
    assert ends <= set(range(len(data["units"]["x"])))
    inside = [data["regions"]["size"][region] for region in data["units"]["region"]]
    assert sum(inside) == PASSAGES
    home = np.empty(PASSAGES, int)
    for unit, region in enumerate(data["units"]["region"]):
        home[made.inside(numbers[region])] = unit
    between: dict[tuple[int, int], list[float]] = defaultdict(list)
    adjacency = large.graph.adjacency
    ties = zip(home[adjacency.source], home[adjacency.target], similarities(large), strict=True)
    for one, other, similarity in ties:
        between[min(one, other), max(one, other)].append(float(similarity))
    edges = data["edges"]
    assert edges["source"]
    for *pair, similarity, count in zip(
        edges["source"], edges["target"], edges["similarity"], edges["count"], strict=True
    ):
        assert count == len(between[tuple(pair)])
        mean = sum(between[tuple(pair)]) / count
        assert similarity == pytest.approx(100 * mean, abs=0.51)  # a whole number
