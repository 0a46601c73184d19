"""The definition of an artefact: data that retrievers need, built once per index."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import pyarrow as pa

from core.models.embedder import Embedder
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.progress import Report
from core.store.index import Index

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Tables = Mapping[str, pa.Table]
_NAME = re.compile(r"[a-z][a-z0-9-]*")


class Bench(Protocol):
    """The inputs of an artefact: an open index, its embedder, a model, and other artefacts."""

    index: Index
    embedder: Embedder
    oracle: Oracle | None

    @property
    def content(self) -> str:
        """A hash of the passages, in order, and of the graph."""
        ...

    def with_oracle(self, oracle: Oracle | None) -> "Bench":
        """Return these inputs with another model; see `Workbench.with_oracle`."""
        ...

    def get(self, artefact: "Artefact[T]") -> T:
        """Return the opened artefact; see `Workbench.get`."""
        ...


@dataclass(frozen=True, slots=True)
class ExpectedPrompts:
    """The prompts that building an artefact is expected to send.

    Parameters
    ----------
    prompts : about as many, and about as long, as those that will be sent.
    most : an upper bound of their number, without second tries; 0 if `prompts` are exact.
    """

    prompts: Sequence[Prompt]
    most: int = 0


@dataclass(frozen=True, eq=False)
class Artefact(Generic[T_co]):
    """Data that is computed from an index once and shared by the retrievers that need it.

    Parameters
    ----------
    name : letters, digits and hyphens; also the stage of its progress.
    says : one plain sentence for a list.
    open : returns the object that retrievers use, from the tables of `make`; `bench.get` gives it
        what it needs. Without `make` there are no tables.
    make : computes the tables, each under a name of letters, digits and hyphens, which are stored
        with the index. It reports progress to `report` and embeds with `embedded`. The columns
        `text`
        and `vector` of a table are an embedded text and its vector. None if the artefact lives in
        memory only.
    needs : the artefacts that `make` and `open` take from the bench; they are made first.
    params : the numbers and words it depends on; other values make another artefact.
    asks_model : whether `make` asks the language model. It asks by `Oracle.attempt_all`, one prompt
        for each part, so that the author of each part is known.
    parts : what the model writes, in the plural.
    otherwise : what happens to a part without a usable reply.
    substitute : a sentence that says what replaces the model if there is none; empty if the
        artefact
        cannot be made without one.
    expected_prompts : the prompts that `make` is expected to send, to forecast its cost.
    version : of the computation and its tables; raised when the code changes either, so that stored
        tables of an earlier version are stale.
    """

    name: str
    says: str
    open: Callable[[Bench, Tables], T_co]
    make: Callable[[Bench, Report], Tables] | None = None
    needs: tuple["Artefact[Any]", ...] = ()
    params: Mapping[str, str | int | float] = field(default_factory=dict)
    asks_model: bool = False
    parts: str = "parts"
    otherwise: str = "by rules"
    substitute: str = ""
    expected_prompts: Callable[[Bench], ExpectedPrompts] | None = None
    version: int = 1

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is not the name of an artefact")

    def asks(self, oracle: Oracle | None) -> bool:
        """Check whether building it calls a model: it requires one, or one is configured."""
        return self.asks_model and (oracle is not None or not self.substitute)

    @property
    def title(self) -> str:
        """The display name."""
        return self.name.replace("-", " ")

    @property
    def stored(self) -> bool:
        """Whether it is stored with the index, rather than kept in memory only."""
        return self.make is not None


def in_order(artefacts: Iterable[Artefact[Any]]) -> Iterator[Artefact[Any]]:
    """Return `artefacts` and their dependencies in topological order, each once."""
    seen: set[Artefact[Any]] = set()

    def walk(waiting: Iterable[Artefact[Any]]) -> Iterator[Artefact[Any]]:
        """Yield each artefact after the artefacts that it needs; skip repeated ones."""
        for artefact in waiting:
            if artefact not in seen:
                seen.add(artefact)
                yield from walk(artefact.needs)
                yield artefact

    return walk(artefacts)
