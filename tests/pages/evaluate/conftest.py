"""Fixtures for the tests of the Evaluate page."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.runs import Run, Runs
from core.runs.measuring import measure
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import TINY
from tests.pages.evaluate.evaluate_page import begun


@pytest.fixture
def runs(tiny_home: Path) -> Runs:
    return Runs(tiny_home / "indexes" / TINY)


@pytest.fixture
def bench(tiny_index: Index) -> Workbench:
    return Workbench(tiny_index, WordEmbedder(), making=silent)


@pytest.fixture
def run(bench: Workbench) -> Run:
    made = begun(bench)
    measure(made, bench)
    return made
