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
    most : a bound of their number, second tries left out; 0 if `prompts` are exactly those.
    """

    prompts: Sequence[Prompt]
    most: int = 0


@dataclass(frozen=True, eq=False)
class Artefact(Generic[T_co]):
    """Something that is computed from an index once, and opened by all that stand on it.

    Parameters
    ----------
    name : letters, digits and hyphens; also the stage of its progress.
    says : what it is, one plain sentence for a list.
    open : the object that retrievers use, from the tables that `make` made; `bench.get` gives it
        what it needs. Without `make` there are no tables.
    make : computes the tables, each under a name of letters, digits and hyphens; they lie beside
        the index from then on. It tells `report` how far it is and embeds by `embedded`. Columns
        `text` and `vector` of a table are a text as it was embedded, and its vector. None if the
        artefact lives in memory only.
    needs : what `make` and `open` get of the bench; they are made first.
    params : the numbers and words that it depends on; another value makes another artefact.
    asks_model : whether `make` asks the language model. All of it is asked by
        `Oracle.attempt_all`, a prompt for each part, so that it can be counted who wrote what.
    parts : what the model writes, in the plural.
    otherwise : what becomes of a part for which the model gave no reply that can be used.
    substitute : a sentence that says what stands in where there is no model; empty if it cannot
        be made without.
    expected_prompts : the prompts that `make` is expected to ask, from which its cost is forecast.
    version : of what `make` computes and how its tables look; raised when the code changes either,
        so that what an earlier version left on the shelf is stale.
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
        """Return whether building it calls a model: it requires one, or one is configured."""
        return self.asks_model and (oracle is not None or not self.substitute)

    @property
    def title(self) -> str:
        """The display name."""
        return self.name.replace("-", " ")

    @property
    def stored(self) -> bool:
        """Whether it is stored with the index, and not only kept in memory."""
        return self.make is not None


def in_order(artefacts: Iterable[Artefact[Any]]) -> Iterator[Artefact[Any]]:
    """Return `artefacts` and their dependencies in topological order, each once."""
    seen: set[Artefact[Any]] = set()

    def walk(waiting: Iterable[Artefact[Any]]) -> Iterator[Artefact[Any]]:
        for artefact in waiting:
            if artefact not in seen:
                seen.add(artefact)
                yield from walk(artefact.needs)
                yield artefact

    return walk(artefacts)
