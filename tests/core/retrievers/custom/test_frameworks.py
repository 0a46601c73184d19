"""Retrievers of LangChain, LlamaIndex and Haystack, and ours as theirs; entry points."""

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core import OpenIndex
from core.errors import RetrieverFailed
from core.retrievers import CARDS, Spec, make
from core.retrievers.custom import registered
from core.steps import result
from tests.core.five import QUESTION, TEXTS

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "assets" / "docs" / "custom-retrievers.md").read_text(encoding="utf-8")
FUNCTION, STEPS, OBJECT, AS_LANGCHAIN, AS_LLAMA_INDEX = re.findall(
    r"```python\n(.*?)```", PAGE, re.DOTALL
)
PASSAGES = {name: text for name, (_, text) in TEXTS.items()}


def found(workbench, key="mine", top_k=20):
    end = result(tuple(make(key, workbench, top_k=top_k).retrieve(QUESTION.text)))
    return [hit.passage_id for hit in end.hits]


def test_the_examples_of_a_function_and_of_steps_work(write, standing):
    write(FUNCTION)
    assert CARDS["my-rag"].badge == "MR"
    assert [one.name for one in Spec("my-rag").declared] == ["top_k", "weight", "mode"]
    assert found(standing, "my-rag") == ["club", "owner"]
    write(STEPS)
    assert found(standing) == ["club", "owner"]


def test_langchain(write, standing):
    pytest.importorskip("langchain_core")
    write(OBJECT)
    assert found(standing) == ["owner"]
    write(
        f"""
        from langchain_core.documents import Document
        from langchain_core.embeddings import DeterministicFakeEmbedding
        from langchain_core.vectorstores import InMemoryVectorStore

        store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
        store.add_documents([Document(text) for text in {list(PASSAGES.values())!r}])
        retriever = store.as_retriever()
        """
    )
    assert {*found(standing)} == {*PASSAGES}  # by their text: the library gives ids of its own
    assert len(found(standing, top_k=3)) == 3


def test_llama_index(write, standing):
    pytest.importorskip("llama_index.core")
    write(
        f"""
        from llama_index.core import MockEmbedding, VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [TextNode(text=text) for text in {list(PASSAGES.values())!r}]
        index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=4))
        retriever = index.as_retriever()
        """
    )
    assert {*found(standing)} == {*PASSAGES}
    assert len(found(standing, top_k=3)) == 3


def test_ours_in_langchain(standing):
    pytest.importorskip("langchain_core")
    named: dict[str, Any] = {}
    exec(AS_LANGCHAIN, named)
    retriever = named["HopRagRetriever"](index=OpenIndex(standing), spec="bm25(top_k=2)")
    documents = retriever.invoke(QUESTION.text)
    assert [one.id for one in documents] == found(standing, "bm25", 2)
    assert documents[0].metadata["score"] > documents[1].metadata["score"]


def test_ours_in_llama_index(standing):
    pytest.importorskip("llama_index.core")
    named: dict[str, Any] = {}
    exec(AS_LLAMA_INDEX, named)
    nodes = named["HopRagRetriever"](OpenIndex(standing), "bm25(top_k=2)").retrieve(QUESTION.text)
    assert [one.node.node_id for one in nodes] == found(standing, "bm25", 2)
    assert nodes[0].score > nodes[1].score


HAYSTACK = """
    class Document:  # as haystack.Document has it
        def __init__(self, id, content, score):
            self.id, self.content, self.score, self.meta = id, content, score, {{}}

    class Retriever:
        def run(self, {takes}, filters=None, top_k=None, scale_score=None):
            return {{"documents": [Document(n, "", 1 / i) for i, n in enumerate({ids}, 1)][:top_k]}}

    retriever = Retriever()
"""


def test_haystack(write, standing):
    ids = list(PASSAGES)
    write(HAYSTACK.format(takes="query", ids=ids).replace('n, ""', "n, n"))
    assert found(standing, top_k=3) == ids[:3]


@pytest.mark.parametrize("call", ["invoke", "retrieve", "run"])
@pytest.mark.parametrize("limit", ["similarity_top_k", "top_k", "k"])
def test_an_object_with_a_limit_of_its_own_returns_as_many_as_are_asked_for(
    write, standing, call, limit
):
    write(
        f"""
        class Retriever:
            def __init__(self):
                self.{limit} = 1

            def {call}(self, query):
                return {list(PASSAGES)!r}[:self.{limit}]

        retriever = Retriever()
        """
    )
    assert found(standing, top_k=3) == list(PASSAGES)[:3]


def test_a_component_that_takes_no_query_says_what_to_write(write, standing):
    write(HAYSTACK.format(takes="query_embedding", ids=[]))
    with pytest.raises(RetrieverFailed, match=r"takes query_embedding, filters.* Write a function"):
        found(standing)


def test_entry_points_of_installed_packages(named, standing, monkeypatch):
    package = ModuleType("their_package")
    package.NAME = "Theirs"
    exec("def retrieve(question, deep: bool = False): return ['club']", vars(package))
    monkeypatch.setitem(sys.modules, "their_package", package)
    entries = [
        EntryPoint("a", "their_package", registered.GROUP),
        EntryPoint("b", "their_package:retrieve", registered.GROUP),
        EntryPoint("c", "their_package:missing", registered.GROUP),
    ]
    monkeypatch.setattr(registered, "entry_points", lambda group: entries)
    named()
    try:
        assert [card.title for card in CARDS.values() if card.family == "custom"] == [
            *("Theirs", "Theirs", "c")
        ]
        assert found(standing, "theirs") == found(standing, "theirs-2(deep=true)") == ["club"]
        with pytest.raises(RetrieverFailed, match=r"c \(their_package:missing\): AttributeError"):
            found(standing, "c")
    finally:
        registered.installed.cache_clear()
