"""A large corpus: regions only, named from a part of the texts."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.maps import map_data as data_module
from core.maps import stored
from core.maps.map_data import map_data
from core.maps.stored import make_map
from core.store.index import Index
from tests.benchmarks.synthetic import World, write
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
