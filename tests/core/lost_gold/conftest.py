from collections.abc import Mapping

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.retrievers import CARDS, make
from core.store.index import Index
from core.traces import Trace, record
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint


@pytest.fixture(scope="session")
def five(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Mapping[str, Trace]]:
    """The index of the five passages, and the trace of every retriever that there is."""
    folder, embedder = tmp_path_factory.mktemp("traces") / "five", WordEmbedder()
    build(folder, corpus(), embedder, silent)
    index = Index.open(folder, embedder.info)
    with ChatServer(choose) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(folder / "replies"), LEAVE)
        workbench = Workbench(index, embedder, oracle, making=silent)
        traces = {
            key: record(
                make(key, workbench.with_leave(LEAVE), top_k=2), QUESTION.text, index, QUESTION.gold
            )
            for key in CARDS
        }
    return index, traces
