"""Worlds for the references: the sample and small random ones, each built once."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from tests.core.artefacts.demonstration import bench_on
from tests.core.exact import ExactEmbedder, build_sample
from tests.core.retrievers.references.worlds import build_world, random_documents


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """The sample with exact cosines."""
    folder: Path = tmp_path_factory.mktemp("sample") / "i"
    build_sample(folder)
    return bench_on(folder, ExactEmbedder())


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Workbench]:
    """Opens the random world of a seed."""

    @cache
    def opened(seed: int) -> Workbench:
        folder = tmp_path_factory.mktemp("world") / "i"
        return build_world(folder, random_documents(seed))

    return opened
