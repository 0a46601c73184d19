"""How much of what a HopRAG retriever misses is the graph's fault, and how much the walk's.

Gold that is not within `HOPS` hops of a seed cannot be found by any choice of edges: that is the
graph. Gold that is within reach and still missed was not followed or was outranked: that is the
walk. The seeds are those from which the retriever really started.
"""

from collections.abc import Sequence

from core.artefacts.workbench import Workbench
from core.ceiling.measures import WALKS, CeilingReport, Reached
from core.ceiling.reach import Ceiling
from core.compare import gold_ranks
from core.errors import InputError
from core.evaluate.running import Counted
from core.playback import check
from core.retrievers import make
from core.retrievers.base import Retriever
from core.steps import Offered, result
from core.store.index import Index
from core.types import Query


def ceiling(
    questions: Sequence[Query],
    workbench: Workbench,
    key: str = "hoprag-coverage",
    *,
    top_k: int = 20,
    progress: Counted | None = None,
) -> CeilingReport:
    """Ask the retriever `key` every question that has gold, and measure how far its gold was.

    Raises
    ------
    InputError : `key` is no retriever that walks, or no question has gold.
    """
    check_walks(key)
    asked = [question for question in questions if question.gold]
    if not asked:
        raise InputError(
            "No question has gold: name the passages or documents that answer it in 'gold'."
        )
    index = workbench.index
    retriever = make(key, workbench, top_k=top_k)
    workbench.warm()
    graph = Ceiling(index.columns.source, index.columns.target, len(index.passages))
    rows: list[Reached] = []
    for question in asked:
        rows.append(_ask(question, retriever, graph, index))
        if progress:
            progress(len(rows), len(asked))
    return CeilingReport(key, top_k, len(index.passages), tuple(rows))


def check_walks(key: str) -> None:
    """Raise InputError if `key` is no retriever that walks over the graph."""
    if key not in WALKS:
        raise InputError(f"{key!r} does not walk over the graph; choose among {', '.join(WALKS)}.")


def _ask(question: Query, retriever: Retriever, graph: Ceiling, index: Index) -> Reached:
    steps = tuple(retriever.retrieve(question.text))
    check(steps)
    seeds: list[int] = []
    for step in steps:
        if isinstance(step, Offered) and step.entry:
            seeds = [index.number[seed.id] for seed in step.arrivals]
    end = result(steps)
    visited = [hit.passage_id for hit in (*end.hits, *end.pruned)]
    ranks = gold_ranks(visited, question.gold, index.document_passages)
    return Reached(question, ranks, graph.reach(seeds, [_vertices(name, index) for name in ranks]))


def _vertices(gold: str, index: Index) -> list[int]:
    """The passage of that id and all passages of the document of that id."""
    named = {gold, *index.document_passages.get(gold, ())}
    return [index.number[passage] for passage in named if passage in index.number]
