"""What every retriever is, and what all retrievers of one index share."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from sys import intern
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.graph.graph import EncodedQuery, Graph
from core.models.asking import Oracle
from core.models.embedder import Embedder
from core.retrievers.lexical import InMemory, Lexical, Stored
from core.steps import Asked, Cost, Ranked, Step
from core.store.index import Index
from core.store.writer import FULL_TEXT_FROM, passage_text
from core.text.lexicon import Lexicon
from core.text.names import Bearers
from core.text.tokens import words
from core.types import Hit, Part

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Card:
    """What a retriever is, for a list of them.

    `letter` and `colour` stand for it everywhere; `paper` is where it comes from; `asks_model` says
    that it needs a language model, whose calls may cost money.
    """

    key: str
    title: str
    letter: str
    colour: str
    summary: str
    paper: str
    asks_model: bool = False


class Retriever(Protocol):
    """A frozen dataclass of a workbench and hyper-parameters, with one generator."""

    @property
    def card(self) -> Card: ...

    def retrieve(self, query: str) -> Iterator[Step]:
        """The steps of one retrieval: `Asked` first, exactly one `Ranked` and last.

        Raises
        ------
        InputError : the question is empty.
        """
        ...


class Workbench:
    """An open index with its embedder, and what is computed from them once.

    Shared between threads and sessions; nothing in it depends on a question. `oracle` is the
    language model with what it said before, if there is one.
    """

    def __init__(self, index: Index, embedder: Embedder, oracle: Oracle | None = None) -> None:
        self.index = index
        self.embedder = embedder
        self.oracle = oracle

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
        cost = Cost(seconds=time.perf_counter() - started)
        return Asked(key, text, top_k, query.keywords, cost=cost), query


def check_question(text: str) -> None:
    """Raise InputError if there is no question."""
    if not text.strip():
        raise InputError("The question is empty: type one, or pick one of the index's questions.")


def best(scores: Scores, count: int) -> NDArray[np.int64]:
    """Numbers of the `count` highest scores, best first; equal ones in order of number."""
    count = min(count, len(scores))
    if count < len(scores):
        # Everything at least as good as the last one that is kept, so that ties stay in order.
        edge = np.partition(scores, len(scores) - count)[len(scores) - count]
        candidates = np.flatnonzero(scores >= edge)
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:count]


def min_max(scores: Scores) -> Scores:
    """Scaled to [0, 1]; all 0 where all are equal."""
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def ranked_by(
    index: Index, top_k: int, started: float, engine: str = "", **addends: Scores
) -> Ranked:
    """The `top_k` passages by the sum of `addends`, each named and (n,)."""
    total = np.sum(list(addends.values()), axis=0)
    hits = tuple(
        Hit(
            index.passages[number].id,
            float(total[number]),
            tuple(Part(name, float(values[number])) for name, values in addends.items()),
        )
        for number in best(total, top_k)
    )
    return Ranked(hits, engine=engine, cost=Cost(seconds=time.perf_counter() - started))
