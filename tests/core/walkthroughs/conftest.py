"""Walkthroughs of every retriever over the five passages, with gold at the level of evidence."""

from collections.abc import Mapping

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.marks import Gold, gold_of
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.retrievers import CARDS, Spec, make
from core.store.index import Index
from core.traces import Trace, record
from core.types import Evidence, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint

EVIDENCE = (
    Evidence("It was bought by Mara Quist in 1998.", document="club", hop=1, asks="Who owns it?"),
    Evidence("She was born in Port Selby.", document="owner", hop=2, asks="Where was she born?"),
    Evidence("Mara Quist is a brewer.", document="owner", hop=3),
)
ASKED = Query("q1", QUESTION.text, QUESTION.answers, ("club", "owner"), evidence=EVIDENCE)
WRAPPED = "rerank(over=hoprag-coverage,depth=4)"


@pytest.fixture(scope="session")
def five(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Workbench, Mapping[str, Trace], Gold]:
    """The five passages, the trace of every retriever with two passages kept, and the gold."""
    folder, embedder = tmp_path_factory.mktemp("walkthrough") / "five", WordEmbedder()
    build(folder, corpus(queries=(ASKED,)), embedder, silent)
    index = Index.open(folder, embedder.info)
    gold = gold_of(index, ASKED.text)
    with ChatServer(choose) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(folder / "replies"), LEAVE)
        bench = Workbench(index, embedder, oracle, making=silent)
        traces = {
            key: record(make(Spec.parse(key), bench.with_leave(LEAVE), top_k=2), ASKED.text, index)
            for key in (*CARDS, WRAPPED)
        }
    kept = {key: one.with_gold(gold) for key, one in traces.items()}
    return Workbench(index, embedder, making=silent), kept, gold
