from collections.abc import Iterator
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.build import build
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.replies import Replies
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint


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
    """What retrievers stand on is made when it is asked for."""
    return Workbench(Index.open(built, embedder.info), embedder, making=silent)


@pytest.fixture
def oracle(tmp_path: Path) -> Iterator[Oracle]:
    """A model that follows the question most like the query by its words, and no reply kept."""
    with ChatServer(choose) as server:
        yield Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path / "replies"), LEAVE)


@pytest.fixture
def thinking(built: Path, embedder: WordEmbedder, oracle: Oracle) -> Workbench:
    """The workbench, with that model, which makes what a retriever stands on."""
    return Workbench(Index.open(built, embedder.info), embedder, oracle, making=silent)
