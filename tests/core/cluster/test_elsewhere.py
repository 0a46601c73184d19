"""What a build on Ray has to do with besides its processes: a model, object storage, settings."""

from pathlib import Path

import pytest

from core.cluster.entry import stages_on
from core.corpus.types import Corpus
from core.errors import BudgetReached
from core.hop_graph.model_questions import ByModel
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.money.budget import Budget
from core.models.money.metered import Meter, Metered
from core.models.oracle import Oracle
from core.places import Place, Remote
from core.settings import settings
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.llm.client import LEAVE
from tests.llm.replies import questions
from tests.llm.server import ChatServer, endpoint

CALL, LARGEST = 120, 6_000  # tokens that a call takes, and the most that it may take
BEFORE = 20  # calls that the budget surely has
MANY = corpus(
    *(
        Document(f"p{i}", f"Place {i}", f"Place {i} lies by River {i}. It is near Place {i + 1}.")
        for i in range(45)
    )
)


def asking(server: ChatServer, place: Place, tokens: int | None = None) -> ByModel:
    client = Metered(endpoint(server), Meter(None, Budget(tokens=tokens)))
    return ByModel(Oracle(client, Replies(place), LEAVE))


@pytest.mark.usefixtures("ray")
def test_asked_by_a_model_within_a_budget_kept_in_storage_and_merged_by_lists_as_in_one_process(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_MERGE_LISTS", "2")
    settings.cache_clear()
    monkeypatch.setattr("core.cluster.making.LEAST", 20)  # documents of a batch: three of them
    budget = LARGEST + (BEFORE - 1) * CALL
    with ChatServer(questions) as server:
        here = build(tmp_path, MANY, WordEmbedder(), silent, maker=asking(server, tmp_path))
        prompts = sorted(request.user for request in server.requests)
        server.requests.clear()
        with pytest.raises(BudgetReached):
            build_there(MANY, remote, asking(server, remote, budget))
        paid = len(server.requests)
        assert BEFORE <= paid < len(prompts)
        assert paid * CALL <= budget
        there = build_there(MANY, remote, asking(server, remote))
        assert sorted(request.user for request in server.requests) == prompts
    assert 0 < here.counts.certified < 1
    assert there.counts == here.counts
    assert there.graph_version == here.graph_version
    one, other = Index.open(tmp_path), Index.open(remote)
    assert list(other.graph.all_pseudo_queries) == list(one.graph.all_pseudo_queries)
    assert (other.vectors == one.vectors).all()


def build_there(texts: Corpus, place: Place, maker: ByModel):
    return build(place, texts, WordEmbedder(), silent, maker=maker, make=stages_on("ray"))
