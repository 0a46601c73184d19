"""Distance of gold from the seeds of a walk, and the number of rounds the walk may take."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.ceiling.reach import Ceiling, Hops, Way
from core.evidence import Parts, parts_of
from core.funnel.brackets import Bracket
from core.ranking_comparison import distinct_gold
from core.retrievers import CARDS
from core.types import Passage

ROUNDS = "n_hop"
"""The setting with the maximum number of rounds of a walk."""


class Adjacency(Protocol):
    """The ends of all edges, as passage numbers; both (m,)."""

    @property
    def source(self) -> NDArray[np.int32]: ...
    @property
    def target(self) -> NDArray[np.int32]: ...


class Graph(Protocol):
    @property
    def adjacency(self) -> Adjacency: ...


class IndexView(Protocol):
    """The parts of an index that this module reads."""

    @property
    def passages(self) -> Sequence[Passage]: ...
    @property
    def number(self) -> Mapping[str, int]: ...
    @property
    def document_passages(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def graph(self) -> Graph: ...


def passages_of_gold_id(
    name: str, index: IndexView, passages_by_gold: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """Return the passages that a gold id means: the passage itself, or those of its document.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id that a person's marks have changed.
    """
    if name in passages_by_gold:
        return tuple(passages_by_gold[name])
    itself = (name,) if name in index.number else ()
    return tuple(dict.fromkeys((*itself, *index.document_passages.get(name, ()))))


def needed(
    name: str, index: IndexView, passages_by_gold: Mapping[str, Collection[str]] | None
) -> Parts:
    """Return the groups of passages of a gold id; one passage of each group is needed."""
    passages_by_gold = passages_by_gold or {}
    return (
        parts_of(name, passages_by_gold)
        if name in passages_by_gold
        else (passages_of_gold_id(name, index, passages_by_gold),)
    )


def distinct_ids(
    gold: Collection[str], index: IndexView, passages_by_gold: Mapping[str, Collection[str]] | None
) -> tuple[str, ...]:
    """Return each gold id once, as `core.ranking_comparison.distinct_gold` does."""
    named = {name: passages_of_gold_id(name, index, passages_by_gold or {}) for name in gold}
    return distinct_gold(gold, named)


def hops_from_seeds(bracket: Bracket, index: IndexView) -> Hops | None:
    """Count the edges from the nearest seed to each passage, (n,); inf if unreachable.

    None is returned if the retriever does not walk over the hop graph.
    """
    way = way_of(bracket)
    if way is None:
        return None
    seeds = [index.number[name] for name in bracket.seeds if name in index.number]
    if not seeds:
        return np.full(len(index.passages), np.inf)
    joined = index.graph.adjacency
    return Ceiling(joined.source, joined.target, len(index.passages)).hops(seeds, way)


def way_of(bracket: Bracket) -> Way | None:
    """Return the direction in which a walk follows edges, or None if it does not walk.

    A retriever unknown here, as in an imported trace, may go either way.
    """
    card = CARDS.get(bracket.asked.retriever)
    return (card.direction or None) if card else "both"


def rounds_of(bracket: Bracket) -> int:
    """Return the maximum number of rounds of a walk, or the number it took if unset."""
    setting = bracket.asked.settings.get(ROUNDS)
    return setting if isinstance(setting, int) else bracket.rounds
