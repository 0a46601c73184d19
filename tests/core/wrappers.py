"""Retrievers round others, of which no other code knows."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated

import pytest
from pydantic import BaseModel

from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.models.prompt import Prompt
from core.prompts import read
from core.retrievers import Card, Retriever, Spec, make, registry
from core.retrievers.base import TOP_K
from core.retrievers.first_step import first_step_and_query
from core.retrievers.nesting import run_nested
from core.retrievers.settings import Setting
from core.steps import Ranked, Step


@dataclass(frozen=True, slots=True)
class Named:
    """Names what it wraps, and makes it from its own workbench; `times` of itself round that."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = 5
    over: Annotated[Spec, Setting("what is turned round")] = Spec("hoprag-llm")
    times: Annotated[int, Setting("times round", least=1, most=3)] = 1

    card = Card(
        key="named", title="Named", badge="NX", family="rerank", summary="For a test.", paper="none"
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        inner: Retriever = make(self.over, self.workbench, top_k=self.top_k)
        if self.times > 1:
            inner = replace(self, times=self.times - 1)
        yield from wrapped(self, inner, query)


@dataclass(frozen=True, slots=True)
class Holding:
    """Holds what it wraps, which has a workbench of its own."""

    workbench: Workbench
    inner: Retriever
    top_k: int = 5

    card = replace(Named.card, key="holding")

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from wrapped(self, self.inner, query)


class Enough(BaseModel):
    enough: bool


@dataclass(frozen=True, slots=True)
class Doubting:
    """Searches by words until a model has enough; `guess` is what it says of an unknown reply."""

    workbench: Workbench
    guess: Guess[Enough] | None = None
    rounds: int = 3
    top_k: int = 5

    card = replace(Named.card, key="doubting")

    def retrieve(self, query: str) -> Iterator[Step]:
        assert self.workbench.oracle is not None
        yield first_step_and_query(self, query)[0]
        found = Ranked(())
        for number in range(1, self.rounds + 1):
            found = yield from run_nested(make("bm25", self.workbench), query, number)
            prompt = Prompt("doubt", "Is it enough?", f'"round {number}"', {})
            said, _ = self.workbench.oracle.ask(prompt, enough, self.guess)
            if said and said.enough:
                break
        yield Ranked(found.hits[: self.top_k])


def enough(text: str) -> Enough:
    return read(text, Enough)


def wrapped(outer: Named | Holding, inner: Retriever, query: str) -> Generator[Step, None, None]:
    """What `inner` finds, in its own bracket, from the last to the first."""
    yield first_step_and_query(outer, query)[0]
    found = yield from run_nested(inner, query, 1)
    hits = [replace(hit, score=1 / rank, parts=()) for rank, hit in enumerate(found.hits[::-1], 1)]
    yield Ranked(tuple(hits[: outer.top_k]))


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """`named` is a retriever like the others."""
    found = MappingProxyType({**registry.classes(), "named": Named})
    monkeypatch.setattr(registry, "classes", lambda: found)
