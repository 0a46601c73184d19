"""Find the retrieved passages that are not gold, and whether they lead to gold in one hop."""

from collections.abc import Mapping, Set
from functools import lru_cache

import numpy as np

from core.places import Place
from core.runs import Run, Runs
from core.runs.gold import passages_of_gold
from core.store.index import Index
from core.store.tables import read_meta

Shares = Mapping[str, tuple[float, float]]
"""By question, the shares of its retrieved passages that are indirectly relevant and irrelevant."""


def shares_of(place: Place, run: Run, retriever: str) -> Shares:
    """Return the shares for each question that has gold in the index and a result.

    A passage is indirectly relevant if it is not gold and has an edge to gold (HopRAG, arXiv
    2502.12442, Figure 1b); it is irrelevant if it is neither gold nor has such an edge.
    """
    version = read_meta(place).finished_at
    return _shares(place, version, run.id, retriever, Runs(place).count(run.id, retriever))


@lru_cache(maxsize=256)
def _shares(place: Place, version: str, run_id: str, retriever: str, _rows: int) -> Shares:
    """Return the shares; `_rows` tells a run from the same one at a later time."""
    index, runs = _index(place, version), Runs(place)
    questions = runs.questions(run_id)
    golds = passages_of_gold(questions, runs.get(run_id), index)
    by_question = {
        question.id: {passage for some in gold.values() for passage in some}
        for question, gold in zip(questions, golds, strict=True)
    }
    found = {}
    for row in runs.every(run_id, retriever):
        gold = by_question[row.question.id]
        others = [hit for hit in row.hits if hit not in gold]
        if gold and row.hits:
            leading = len(_leading(index, gold).intersection(others))
            shares = (leading / len(row.hits), (len(others) - leading) / len(row.hits))
            found[row.question.id] = shares
    return found


@lru_cache(maxsize=4)
def _index(place: Place, version: str) -> Index:  # noqa: ARG001
    """Return the index; `version` tells it from an earlier one at the same place."""
    return Index.open(place)


def _leading(index: Index, gold: Set[str]) -> set[str]:
    """Return the passages that have an edge to one of `gold`."""
    numbers = [index.number[passage] for passage in gold if passage in index.number]
    edges = index.graph.adjacency
    sources = np.unique(edges.source[np.isin(edges.target, numbers)])
    return {index.ids[number] for number in sources.tolist()}
