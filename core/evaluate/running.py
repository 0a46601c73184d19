"""Asking every question of every retriever, and finding the gold in what comes back."""

import time
from collections.abc import Callable, Sequence

from core.artefacts.workbench import Workbench
from core.compare import gold_ranks
from core.errors import InputError
from core.evaluate.measures import Evaluation, Outcome
from core.playback import check
from core.playback.account import account
from core.retrievers import Retriever, Spec, make, spec_of
from core.steps import result
from core.store.index import Index
from core.types import Query

Counted = Callable[[int, int], None]
"""Is told how many of all retrievals are done."""


def evaluate(
    questions: Sequence[Query],
    workbench: Workbench,
    specs: Sequence[Spec | str],
    *,
    progress: Counted | None = None,
) -> Evaluation:
    """Ask every question of every retriever of `specs`, each once; their texts are the keys.

    Raises
    ------
    InputError : there is no question, or no such retriever.
    """
    if not questions:
        raise InputError("There is no question to evaluate.")
    made = (make(spec, workbench) for spec in specs)
    retrievers = {str(spec_of(retriever)): retriever for retriever in made}
    for retriever in retrievers.values():
        workbench.warm(spec_of(retriever).needs)
    rows: list[Outcome] = []
    total = len(retrievers) * len(questions)
    for retriever in retrievers.values():
        for question in questions:
            rows.append(ask(question, retriever, workbench.index))
            if progress:
                progress(len(rows), total)
    gold = dict.fromkeys(name for question in questions for name in question.gold)
    index = workbench.index
    known = index.number.keys() | index.document_passages.keys()
    unknown = tuple(name for name in gold if name not in known)
    return Evaluation(tuple(retrievers), tuple(rows), unknown)


def ask(question: Query, retriever: Retriever, index: Index) -> Outcome:
    """One question by one retriever."""
    started = time.perf_counter()
    steps = tuple(retriever.retrieve(question.text))
    seconds = time.perf_counter() - started
    check(steps)
    hits = [hit.passage_id for hit in result(steps).hits]
    cost = account(steps)
    return Outcome(
        retriever=str(spec_of(retriever)),
        question=question,
        hits=tuple(hits),
        ranks=gold_ranks(hits, question.gold, index.document_passages),
        seconds=seconds,
        embed_seconds=cost.embed_seconds,
        judgements=cost.judgements,
    )
