"""What all retrievers of one index share."""

import time
from functools import cached_property
from sys import intern
from typing import Self

from core.artefacts.hop_graph import EncodedQuery, Graph
from core.artefacts.lexical import InMemory, Lexical, Stored
from core.artefacts.lexicon import Lexicon
from core.errors import InputError
from core.models.embedder import Embedder
from core.models.leave import Leave
from core.models.oracle import Oracle
from core.steps import Asked, Cost, Told
from core.store.index import Index
from core.store.writer import FULL_TEXT_FROM, passage_text
from core.text.names import Bearers
from core.text.tokens import words


class Workbench:
    """An open index with its embedder, and what is computed from them once.

    Shared between threads and sessions; nothing in it depends on a question. `oracle` is the
    language model with what it said before, if there is one; what is shared has no leave to ask it.
    """

    # Apart from all else, which `with_oracle` shares.
    __slots__ = ("__dict__", "oracle")

    def __init__(self, index: Index, embedder: Embedder, oracle: Oracle | None = None) -> None:
        self.index = index
        self.embedder = embedder
        self.oracle = oracle

    def with_oracle(self, oracle: Oracle | None) -> Self:
        """The same workbench with another model: what is computed on one, the other has."""
        found = object.__new__(type(self))
        found.__dict__ = self.__dict__
        found.oracle = oracle
        return found

    def allowed(self, leave: Leave | None) -> Self:
        """The same workbench, which may ask its model with this leave."""
        return self.with_oracle(self.oracle and self.oracle.allowed(leave))

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.index)

    @cached_property
    def _words(self) -> list[list[str]]:
        # Each word once in memory, however often it stands in the corpus.
        texts = (passage_text(p.title, p.text) for p in self.index.passages)
        return [[intern(word) for word in words(text)] for text in texts]

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon(self._words)

    @cached_property
    def lexical(self) -> Lexical:
        """BM25 over all passages, from memory or beyond 50,000 passages from LanceDB."""
        if len(self.index.passages) >= FULL_TEXT_FROM:
            return Stored(self.index)
        return InMemory(self._words)

    @cached_property
    def bearers(self) -> Bearers:
        """Which passages are called by a name."""
        return Bearers(self.index.names)

    def warm(self) -> None:
        """Compute now what the first question would otherwise wait for."""
        self.lexical.scores("warm up")
        self.lexicon.weights("warm up")
        query = self.encode("warm up")
        self.graph.edge_similarity(query)
        self.graph.passage_similarity(query)
        self.index.raised_questions([])
        self.bearers.of("warm up")
        _ = self.index.raised

    def encode(self, text: str) -> EncodedQuery:
        """NER(q) and EMB(q)."""
        keywords = self.graph.keywords.of(text)
        return EncodedQuery(text, keywords, self.embedder.encode([text])[0])

    def asked(self, key: str, text: str, top_k: int) -> tuple[Asked, EncodedQuery]:
        """The first step of a retriever, and the question as it will be compared."""
        check_question(text)
        started = time.perf_counter()
        query = self.encode(text)
        told = Told(Cost(time.perf_counter() - started))
        return Asked(key, text, top_k, query.keywords, told=told), query


def check_question(text: str) -> None:
    """Raise InputError if there is no question."""
    if not text.strip():
        raise InputError("The question is empty: type one, or pick one of the index's questions.")
