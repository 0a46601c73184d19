import fcntl
import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

# A machine that is busy with something else takes its time; that is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_collection_finish() -> None:
    """All tests and what they import stay to the end: no collection has to look at them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's index with the bundled embedder, built once for all workers; to be copied."""
    from tests.building import build_index
    from tests.estmark import CORPUS, NAME, QUESTIONS

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "sample.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build_index(shared / "sample", NAME, CORPUS, QUESTIONS)


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A home folder of the tests' own, where a test names no other one."""
    os.environ.setdefault("HOPRAG_HOME", str(tmp_path_factory.mktemp("home")))
