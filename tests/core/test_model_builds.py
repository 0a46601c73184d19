"""Builds whose pseudo-queries a scripted model makes."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest

from core.build import add, build, remove
from core.errors import BudgetReached, IndexIncompatible
from core.hop_graph.model_questions import ByModel
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.money.budget import Budget
from core.models.money.metered import Meter, Metered
from core.models.oracle import Oracle
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.replies import questions
from tests.llm.server import Answer, ChatServer, Request, endpoint

ROOT = Path(__file__).parents[2]
NEW = Document("brewery", "Ash Brewery", "Ash Brewery belongs to Mara Quist.", "brewery.txt")
LARGEST = 6_000  # tokens that a call may take: its text, its reply, its thinking
MANY = tuple(
    Document(f"p{i}", f"Place {i}", f"Place {i} lies by River {i}. It is near Place {i + 1}.")
    for i in range(60)
)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(questions) as running:
        yield running


def by_model(server: ChatServer, folder: Path, budget: Budget | None = None) -> ByModel:
    if budget:
        return ByModel(
            Oracle(Metered(endpoint(server), Meter(None, budget)), Replies(folder), LEAVE)
        )
    return ByModel(Oracle(Llm(endpoint(server)), Replies(folder), LEAVE))


def edges(folder: Path) -> set[object]:
    index = Index.open(folder)
    return {edge for passage in index.passages for edge in index.graph.out_edges(passage.id)}


def test_an_index_says_who_asked(server: ChatServer, tmp_path: Path) -> None:
    def script(request: Request) -> Answer:
        return Answer("no") if request.data["title"] == "Ilo Venn" else questions(request)

    server.answer = script
    meta = build(tmp_path, corpus(), WordEmbedder(), silent, maker=by_model(server, tmp_path))
    assert meta.maker == "scripted"
    assert meta.counts.fallbacks == 1
    assert Index.open(tmp_path).meta.counts == meta.counts
    made = {
        query.passage_id: query.maker for query in Index.open(tmp_path).graph.all_pseudo_queries
    }
    assert made == {d.id: "rules" if d.id == "singer" else "scripted" for d in DOCUMENTS}


def test_adding_and_removing_ask_about_what_is_new(server: ChatServer, tmp_path: Path) -> None:
    folder, scratch = tmp_path / "a", tmp_path / "b"
    maker = by_model(server, folder)
    build(folder, corpus(), WordEmbedder(), silent, maker=maker)
    before = edges(folder)
    assert len(server.requests) == 5
    add(folder, corpus(NEW, queries=()), WordEmbedder(), silent, maker=maker)
    assert [request.data["title"] for request in server.requests[5:]] == ["Ash Brewery"]
    everything = corpus(*DOCUMENTS, NEW)
    build(scratch, everything, WordEmbedder(), silent, maker=by_model(server, scratch))
    assert edges(folder) == edges(scratch)
    del server.requests[:]
    remove(folder, ["brewery"], WordEmbedder(), silent, maker=maker)
    assert edges(folder) == before
    build(folder, corpus(), WordEmbedder(), silent, maker=maker, restart=True)
    assert not server.requests


def test_an_index_is_changed_by_its_own_maker_only(server: ChatServer, tmp_path: Path) -> None:
    folder = tmp_path / "five"
    build(folder, corpus(), WordEmbedder(), silent, maker=by_model(server, folder))
    with pytest.raises(IndexIncompatible, match=r"five were made by scripted, and now rules is"):
        add(folder, corpus(NEW), WordEmbedder(), silent)
    with pytest.raises(IndexIncompatible, match="Take scripted again"):
        remove(folder, ["club"], WordEmbedder(), silent)
    assert build(folder, corpus(), WordEmbedder(), silent).maker == "rules"
    with pytest.raises(IndexIncompatible, match="made by rules"):
        add(folder, corpus(NEW), WordEmbedder(), silent, maker=by_model(server, folder))


def test_a_budget_stops_and_the_next_run_pays_only_the_rest(
    server: ChatServer, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    paid = []
    for _ in range(4):
        before = len(server.requests)
        with suppress(BudgetReached):
            maker = by_model(server, folder, Budget(tokens=LARGEST + 19 * 120))
            build(folder, corpus(*MANY), WordEmbedder(), silent, maker=maker)
        paid.append(len(server.requests) - before)
    assert all(count >= 20 for count in paid[:2])
    assert sum(paid) == len(MANY)
    whole = tmp_path / "whole"
    build(whole, corpus(*MANY), WordEmbedder(), silent, maker=by_model(server, whole))
    assert edges(folder) == edges(whole)


BUILD = """
import os, sys
from pathlib import Path
from core.build import build
from core.hop_graph.model_questions import ByModel
from core.models.oracle import Oracle
from core.models.llm import Llm
from core.models.kept.replies import Replies
from core.settings import Endpoint
from core.models.leave import Leave
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.core.test_model_builds import MANY

folder, url = Path(sys.argv[1]), sys.argv[2]
print(os.getpid(), flush=True)
llm = Llm(Endpoint("scripted", url), at_once=4)
maker = ByModel(Oracle(llm, Replies(folder), Leave("a test")))
build(folder, corpus(*MANY), WordEmbedder(), silent, maker=maker)
"""


def test_ten_kills_lose_the_calls_that_were_under_way_and_no_more(
    warm_python: str, server: ChatServer, tmp_path: Path
) -> None:
    folder, at_once = tmp_path / "many", 4
    server.answer = lambda request: Answer(questions(request).text, delay=0.02)
    command = [warm_python, "-W", "ignore", "-c", BUILD, str(folder), server.url]
    lost = 0
    for _ in range(10):
        before = len(server.requests)
        with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, text=True) as process:
            assert process.stdout is not None
            pid = int(process.stdout.readline())
            patience = time.monotonic() + 60
            while len(server.requests) < before + 5:
                assert time.monotonic() < patience
                time.sleep(0.001)
            os.kill(pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL  # it had not come to its end
        time.sleep(0.1)  # what it had sent arrives
        under_way = len(server.requests) - lost - Replies(folder).spent().calls
        assert 0 <= under_way <= at_once
        lost += under_way
    maker = by_model(server, folder)
    build(folder, corpus(*MANY), WordEmbedder(), silent, maker=maker)
    assert Replies(folder).spent().calls == len(MANY)
    assert len(server.requests) == len(MANY) + lost
