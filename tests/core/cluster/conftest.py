"""A Ray of two processes for all tests of a folder: it takes seconds to begin."""

from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One that fails is tried once more, which the report counts: a Ray may not begin, and takes
    its process along.
    """
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def ray(storage: dict[str, str]) -> Iterator[object]:
    ray = pytest.importorskip("ray", reason="needs requirements-cluster.txt")
    with pytest.MonkeyPatch.context() as patch:  # its processes have the environment that it has
        for name, value in {"RAY_USAGE_STATS_ENABLED": "0", **storage}.items():
            patch.setenv(name, value)
        ray.init(
            address="local",
            num_cpus=2,
            object_store_memory=100 * 2**20,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    yield ray
    ray.shutdown()
