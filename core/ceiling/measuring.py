"""Divide the misses of a HopRAG retriever into those of the graph and those of the walk.

Gold that is not within `HOPS` hops of a seed cannot be found by any choice of edges: that is the
graph. Gold that is within reach and still missed was not followed or was outranked: that is the
walk. The seeds are those from which the retriever really started.
"""

from collections.abc import Sequence
from typing import cast

from core.artefacts.workbench import Workbench
from core.ceiling.measures import CeilingReport, Reached
from core.ceiling.reach import Ceiling, Way
from core.errors import InputError
from core.evaluation.running import Counted
from core.marks.gold import passages_by_gold_id
from core.playback import check
from core.ranking_comparison import gold_ranks
from core.retrievers import CARDS, Retriever, Spec, make
from core.steps import Offered, result
from core.store.index import Index
from core.types import Query


def ceiling(
    questions: Sequence[Query],
    workbench: Workbench,
    retriever: Spec | str = "hoprag-coverage",
    *,
    progress: Counted | None = None,
) -> CeilingReport:
    """Ask `retriever` every question that has gold, and measure how far its gold was.

    Raises
    ------
    InputError : `retriever` is no retriever that walks, or no question has gold.
    """
    spec = Spec.of(retriever)
    way = way_of(spec)
    asked = [question for question in questions if question.gold]
    if not asked:
        raise InputError(
            "No question has gold. List the ids of the gold passages or documents under 'gold'."
        )
    index = workbench.index
    made = make(spec, workbench)
    workbench.warm(made.card.needs)
    joined = index.graph.adjacency
    graph = Ceiling(joined.source, joined.target, len(index.ids))
    rows: list[Reached] = []
    for question in asked:
        rows.append(_measure_question(question, made, graph, index))
        if progress:
            progress(len(rows), len(asked))
    top_k = cast(int, spec.values["top_k"])
    return CeilingReport(str(spec), way, top_k, len(index.ids), tuple(rows))


def way_of(spec: Spec) -> Way:
    """Return which way a retriever may walk over the graph.

    Raises
    ------
    InputError : it does not walk there.
    """
    if not spec.card.direction:
        walks = ", ".join(key for key, card in CARDS.items() if card.direction)
        raise InputError(f"{spec.key!r} does not walk the graph. Choose one of {walks}.")
    return spec.card.direction


def _measure_question(
    question: Query, retriever: Retriever, graph: Ceiling, index: Index
) -> Reached:
    """Retrieve one question; return the ranks of its gold and its distance from the seeds."""
    steps = tuple(retriever.retrieve(question.text))
    check(steps)
    seeds: list[int] = []
    for step in steps:
        if isinstance(step, Offered) and step.entry:
            seeds = [index.number[seed.id] for seed in step.arrivals]
    end = result(steps)
    visited = [hit.passage_id for hit in (*end.hits, *end.pruned)]
    passages_by_gold = passages_by_gold_id(question, index)
    ranks = gold_ranks(visited, question.gold, passages_by_gold)
    vertices = [
        [index.number[passage] for passage in passages_by_gold.get(name, ())] for name in ranks
    ]
    return Reached(question, ranks, graph.reach(seeds, vertices))
