from pathlib import Path

import pytest

from core.build import build
from core.retrievers import Workbench
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def built(tmp_path: Path, embedder: WordEmbedder) -> Path:
    """A folder with the index of the five passages."""
    folder = tmp_path / "five"
    build(folder, corpus(), embedder, silent)
    return folder


@pytest.fixture
def workbench(built: Path, embedder: WordEmbedder) -> Workbench:
    return Workbench(Index.open(built, embedder.info), embedder)
