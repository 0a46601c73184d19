"""The interface of retrievers: `Retriever`, `Card` and helpers to rank passages."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from core.artefacts.base import Artefact
from core.artefacts.scoring.scores import Shortlist
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.settings import Setting
from core.steps import Cost, Ranked, Step, Told
from core.store.index import Index
from core.types import Hit, Part

Family = Literal[
    "lexical",
    "dense",
    "hybrid",
    "HopRAG",
    "entity graph",
    "tree",
    "decomposition",
    "agent",
    "rerank",
    "custom",
    "imported",
]
"""What a retriever is a kind of, in the order in which they are shown. The last has no retriever:
its results were made elsewhere."""

Tone = Literal["a", "b", "c", "d"]
"""One of four colours that the parts of a score have."""


Half = Literal["similarity", "importance", ""]
"""A half of Helpfulness, or neither."""


@dataclass(frozen=True, slots=True)
class Helpfulness:
    """How a score combines similarity and importance, as Helpfulness does (HopRAG, Eq. 2).

    Parameters
    ----------
    formula : in plain text, such as "H = (SIM + IMP) / 2".
    note : how the parts of the score map to SIM and IMP, in sentences.
    similarity, importance : names of the parts that belong to each.
    """

    formula: str
    note: str
    similarity: tuple[str, ...]
    importance: tuple[str, ...]

    def half(self, part: str) -> Half:
        """Return the half that a part belongs to."""
        if part in self.importance:
            return "importance"
        return "similarity" if part in self.similarity else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The description of a retriever in lists.

    Parameters
    ----------
    key : its name on the command line and in addresses: lower case, digits, hyphens.
    title, summary : its name on the screen, and a sentence.
    badge : two letters that stand for it; no other has them.
    family, place : where it stands in a list: by family, then by `place`, then by title.
    paper : where it comes from.
    asks_model : it asks a language model itself, whose calls may cost money; that of one that is
        made of others is theirs (`Spec.asks_model`).
    substitute : a sentence that says what stands in where there is no model; empty if it cannot
        do without.
    needs : the artefacts that it stands on.
    parts : tone and meaning of each part of its scores and its offers. One that is not named is
        a word of the question.
    helpfulness : which of these parts are similarity and which importance, of a walk of HopRAG.
    rounds : what happens in a round, in a sentence, by its word for it, where that does not say it.
    retrieves : it finds passages; what does not is there for its answer alone.
    words_only : it retrieves only passages that share a word with the question.
    version : of the code of a custom retriever; empty for ours.
    probe : returns a digest of what a server answers to a fixed question; None where there is none.
    direction : which way it follows the edges of the hop graph; empty if it does not walk there.
    """

    key: str
    title: str
    badge: str
    family: Family
    summary: str
    paper: str
    place: int = 0
    asks_model: bool = False
    substitute: str = ""
    needs: tuple[Artefact[Any], ...] = ()
    parts: Mapping[str, tuple[Tone, str]] = field(default_factory=dict)
    helpfulness: Helpfulness | None = None
    rounds: Mapping[str, str] = field(default_factory=dict)
    retrieves: bool = True
    words_only: bool = False
    direction: Literal["out", "both", ""] = ""
    version: str = ""
    probe: Callable[[], str] | None = None


class Retriever(Protocol):
    """A frozen dataclass with a card, of a workbench and settings, with one generator.

    Every field but `workbench` declares its `Setting` and has a default.
    """

    @property
    def workbench(self) -> Workbench: ...

    @property
    def card(self) -> Card: ...

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the steps of one retrieval: `Asked` first, and exactly one `Ranked`, last.

        Raises
        ------
        LeaveMissing : it calls a model, and its workbench has no permission.
        InputError : the question is empty.
        """
        ...


TOP_K = Setting("passages retrieved", least=1, most=100, title="top k")
"""Of every retriever."""
KEPT = 20
"""Its default, the paper's: on the screen, on the command line and in an evaluation."""


def ranked_by(index: Index, top_k: int, started: float, **addends: Scores) -> Ranked:
    """Return the step that ranks the `top_k` passages by the sum of named `addends`, (n,) each."""
    every = Shortlist(np.arange(len(index.ids)), addends)
    return ranked_among(index, every, top_k, started)


def ranked_among(
    index: Index, short: Shortlist, top_k: int, started: float, engine: str = ""
) -> Ranked:
    """Return the step that ranks the `top_k` passages of a shortlist of candidates."""
    total = short.total
    hits = tuple(
        Hit(
            index.ids[short.numbers[place]],
            float(total[place]),
            tuple(Part(name, float(values[place])) for name, values in short.addends.items()),
        )
        for place in best(total, top_k)
    )
    reason = shortlist_note("passages", len(index.ids), short, top_k)
    told = Told(Cost(time.perf_counter() - started), reason=reason)
    return Ranked(hits, engine=engine, told=told)


def shortlist_note(things: str, total: int, short: Shortlist, count: int) -> str:
    """Return a note that only a shortlist of `things` was compared; empty if all were.

    Parameters
    ----------
    there_are : the number of things in the index.
    count : the number of things of the shortlist that are used.
    """
    if len(short.numbers) == total:
        return ""
    next_ones = "cannot score higher" if short.surely(count) else "might score higher"
    return (
        f"Only {len(short.numbers):,} of {total:,} {things} were compared, namely those "
        f"listed by the searches. The next ones {next_ones}."
    )
