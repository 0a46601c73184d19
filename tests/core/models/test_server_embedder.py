"""Embedders behind a server of this machine that speaks `/embeddings`."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import BudgetReached, HopRagError, IndexIncompatible, LlmError, ModelError
from core.indexing.updates import build
from core.jobs import Job, run, state
from core.models.diagnose import diagnose_embedder
from core.models.embedder import load_embedder
from core.models.llm import Llm
from core.models.money.budget import Budget
from core.models.server_embedder import BATCH, ServerEmbedder, version_of
from core.settings import settings
from core.store.index import Index
from core.store.tables import read_meta
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent, write_files
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.embeddings import Row, changed, embedded, endpoint, in_base64, listed, rows
from tests.llm.server import Answer, ChatServer, Request

KEY = "sk-1234567890"
TEXTS = [f"text {number}" for number in range(3 * BATCH + 1)]
Change = Callable[[list[Row]], list[Row]]


def embedder(server: ChatServer, **limits: Any) -> ServerEmbedder:
    return ServerEmbedder(Llm(endpoint(server, KEY), **{"retries": 0, **limits}))


def expected(texts: list[str]) -> Any:
    return WordEmbedder().encode(texts)


def refusal(server: ChatServer) -> str:
    """The error for a first request, which has neither key nor address."""
    with pytest.raises(LlmError) as caught:
        embedder(server)
    assert KEY not in str(caught.value)
    assert server.url not in str(caught.value)
    return str(caught.value)


def test_texts_are_embedded_in_batches_each_once() -> None:
    told: list[int] = []
    with ChatServer(embedded) as server:
        found = embedder(server)
        assert found.info.name == "server:scripted"
        assert found.info.dimension == 16
        assert np.allclose(
            found.encode([*TEXTS, TEXTS[0]], told.append), expected([*TEXTS, TEXTS[0]])
        )
        assert sum(told) == len(TEXTS)
        found.encode(TEXTS[:40])
        sizes = sorted(len(request.body["input"]) for request in server.requests)
        assert sizes == [1, 1, BATCH, BATCH, BATCH]  # the first one asks for the dimension
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert found.encode([]).shape == (0, 16)


@pytest.mark.parametrize("change", [lambda found: found[::-1], in_base64])
def test_another_order_and_coding_give_the_same(change: Change) -> None:
    with ChatServer(changed(change)) as server:
        assert np.allclose(embedder(server).encode(TEXTS[:5]), expected(TEXTS[:5]), atol=1e-6)


def test_vectors_are_scaled_to_unit_norm() -> None:
    def longer(found: list[Row]) -> list[Row]:
        return [row | {"embedding": [7 * x for x in row["embedding"]]} for row in found]

    with ChatServer(changed(longer)) as server:
        assert np.allclose(embedder(server).encode(TEXTS[:5]), expected(TEXTS[:5]), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda found: found[1:], "0 embeddings for 1 texts"),
        (lambda found: [*found, *found], "2 embeddings for 1 texts"),
        (lambda found: [row | {"index": 5} for row in found], "wrong index numbers"),
        (lambda found: [row | {"index": "x"} for row in found], "wrong index numbers"),
        (lambda found: [row | {"embedding": []} for row in found], "dimensions"),
        (lambda found: [row | {"embedding": ["a"]} for row in found], "contains no embeddings"),
        (lambda found: [row | {"embedding": "?"} for row in found], "contains no embeddings"),
        (lambda found: [row | {"embedding": [[0.5]]} for row in found], "contains no embeddings"),
        (lambda found: [row | {"embedding": [1e300, 1]} for row in found], "not numbers"),
        (
            lambda found: [row | {"embedding": [float("nan"), 1]} for row in found],
            "not a model reply",
        ),
        (lambda found: [1], "contains no embeddings"),
    ],
)
def test_what_are_no_embeddings_is_said(change: Change, why: str) -> None:
    with ChatServer(changed(change)) as server:
        assert why in refusal(server)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer("Wrong key.", status=401), "Set HOPRAG_EMBEDDER_KEY"),
        (faults.page(), "HOPRAG_EMBEDDER_URL end in /v1"),
        (faults.too_many(7), "The rate limit of the embedder is reached: wait 7 seconds"),
        (Answer(f"No {KEY}", status=500), "The embedder's server failed"),
    ],
)
def test_what_is_wrong_is_said_of_the_embedder(answer: Answer, why: str) -> None:
    with ChatServer(lambda request: answer) as server:
        assert why in refusal(server)


def test_a_server_that_hangs_is_waited_for_as_long_as_a_call_may_take() -> None:
    slow = ChatServer(lambda request: Answer(delay=5))
    with slow as server, pytest.raises(LlmError, match="did not answer in time"):
        embedder(server, time_limit=0.2)


def test_a_server_that_is_asked_too_much_is_asked_again() -> None:
    def busy(request: Request) -> Answer:
        return faults.too_many(0) if request.number == 1 else embedded(request)

    with ChatServer(busy) as server:
        assert np.allclose(embedder(server, retries=2).encode(TEXTS[:2]), expected(TEXTS[:2]))


def test_a_batch_that_is_too_large_is_halved_and_a_text_that_is_too_long_named() -> None:
    def strict(request: Request) -> Answer:
        texts = request.body["input"]
        if len(texts) > 8 or any(len(text) > 100 for text in texts):
            return Answer("Input too long.", status=413)
        return embedded(request)

    with ChatServer(strict) as server:
        found = embedder(server)
        assert np.allclose(found.encode(TEXTS[:20]), expected(TEXTS[:20]))
        with pytest.raises(ModelError, match="rejected a text of 200 characters"):
            found.encode([*TEXTS[:3], "x" * 200])


def test_other_dimensions_than_before_are_refused() -> None:
    def grown(request: Request) -> Answer:
        return listed(rows(request, 16 if request.number == 0 else 8))

    with (
        ChatServer(grown) as server,
        pytest.raises(ModelError, match="8 dimensions instead of 16"),
    ):
        embedder(server).encode(TEXTS)


def test_another_model_behind_the_same_name_has_another_version() -> None:
    with ChatServer(embedded) as server:
        before, again = embedder(server).info, embedder(server).info
    assert before == again
    with ChatServer(changed(_turned)) as server:
        after = embedder(server).info
    assert (after.name, after.dimension) == (before.name, before.dimension)
    assert after.version != before.version


def _turned(rows: list[Row]) -> list[Row]:
    return [{**row, "embedding": row["embedding"][::-1]} for row in rows]


def test_rounding_changes_no_version() -> None:
    vector = WordEmbedder().encode(["warm up"])[0]
    assert version_of(vector.astype(np.float16).astype(np.float32)) == version_of(vector)


def test_a_text_alone_is_embedded_for_the_test_of_the_connection() -> None:
    with ChatServer(embedded) as server:
        line = diagnose_embedder(endpoint(server), LEAVE).line
        assert line.endswith("It returned a vector with 16 dimensions.")
        assert len(server.requests) == 1
    with ChatServer(lambda request: listed(rows(request), model="other")) as server:
        assert "reports the model as 'other'" in diagnose_embedder(endpoint(server), LEAVE).line


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server of embedders that the environment names, beside a home of its own."""
    with ChatServer(embedded) as server:
        monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("HOPRAG_EMBEDDER", "server:scripted")
        monkeypatch.setenv("HOPRAG_EMBEDDER_URL", server.url)
        monkeypatch.setenv("HOPRAG_EMBEDDER_KEY", KEY)
        settings.cache_clear()
        yield server
    settings.cache_clear()


def test_an_index_remembers_its_embedder_and_refuses_another(
    served: ChatServer, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    run(Job("build", index, (write_files(tmp_path),)))
    made = read_meta(index).embedder
    assert (made.name, made.dimension) == ("server:scripted", 16)
    assert Index.open(index, load_embedder("server:scripted").info)
    with pytest.raises(IndexIncompatible, match=r"server:scripted \(16 dimensions\), and words"):
        build(index, corpus(), WordEmbedder(), silent)
    for file in index.rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            assert KEY.encode() not in held
            assert served.url.encode() not in held


def test_nobody_is_asked_for_an_index_where_no_server_is_set(
    served: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_EMBEDDER", "")
    monkeypatch.setenv("HOPRAG_EMBEDDER_URL", "")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings.cache_clear()
    with pytest.raises(ModelError, match="runs on a server, but no server is set"):
        load_embedder("server:text-embedding-3-small")


def test_what_it_costs_counts_under_the_budget_of_the_job(
    served: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("[scripted]\nin = 1000.0\nout = 0\n")
    monkeypatch.setenv("HOPRAG_PRICES", str(prices))
    settings.cache_clear()
    index = tmp_path / "index"
    run(Job("build", index, (write_files(tmp_path),), budget=Budget(money=100.0)))
    now = state(index)
    assert now is not None
    assert now.spending is not None
    texts = sum(len(request.body["input"]) for request in served.requests) - 1  # that of the probe
    assert now.spending.tokens_in == 10 * texts
    assert now.spending.price == pytest.approx(10 * texts * 1000.0 / 1e6)


def test_what_was_paid_for_is_kept_when_the_budget_ends(served: ChatServer, tmp_path: Path) -> None:
    rows_ = [
        {"id": str(n), "title": f"T{n}", "text": f"Town {n} lies by River {n}."} for n in range(60)
    ]
    file = tmp_path / "sixty.jsonl"
    file.write_text("\n".join(map(json.dumps, rows_)))
    index = tmp_path / "index"
    with pytest.raises(BudgetReached, match="resume"):
        run(Job("build", index, (file,), budget=Budget(tokens=1_200)))
    before = [text for request in served.requests for text in request.body["input"]]
    run(Job("build", index, (file,)))
    after = [text for request in served.requests for text in request.body["input"]][len(before) :]
    assert len(before) > BATCH  # how many are under way when it ends depends on their threads
    assert not set(before[1:]) & set(after)
    passages = {f"T{n}. Town {n} lies by River {n}." for n in range(60)}
    assert passages <= {*before, *after}


def test_no_price_is_known_for_a_budget_in_dollars(served: ChatServer, tmp_path: Path) -> None:
    with pytest.raises(HopRagError, match="no known price"):
        run(Job("build", tmp_path / "index", (write_files(tmp_path),), budget=Budget(money=1.0)))


def test_a_key_that_was_typed_is_that_of_its_own_session(served: ChatServer) -> None:
    load_embedder("server:scripted", replace(endpoint(served), key="sk-of-another"))
    load_embedder("server:scripted").encode(["A text of the first session."])
    keys = [request.headers["authorization"] for request in served.requests]
    assert keys[0] == "Bearer sk-of-another"
    assert set(keys[1:]) == {f"Bearer {KEY}"}
