"""What every retriever is."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.steps import Cost, Ranked, Step, Told
from core.store.index import Index
from core.types import Hit, Part


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
    def workbench(self) -> Workbench: ...

    @property
    def card(self) -> Card: ...

    def retrieve(self, query: str) -> Iterator[Step]:
        """The steps of one retrieval: `Asked` first, exactly one `Ranked` and last.

        Raises
        ------
        LeaveMissing : it asks a model, and its workbench has no leave.
        InputError : the question is empty.
        """
        ...


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
    return Ranked(hits, engine=engine, told=Told(Cost(time.perf_counter() - started)))
