"""Asking every question of every retriever, and finding the gold in what comes back."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.artefacts.workbench import Workbench
from core.compare import gold_ranks
from core.errors import HopRagError, InputError
from core.evaluate.measures import Evaluation, Outcome
from core.playback import check
from core.playback.account import account
from core.retrievers import Retriever, Spec, make, spec_of
from core.steps import Step, own_answer, result
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

    A budget that is used up, or a model that is lost, ends it early: the report then has what was
    measured before, and says why it `stopped`.

    Raises
    ------
    InputError : there is no question, or no such retriever.
    HopRagError : the first question of all could not be asked.
    """
    if not questions:
        raise InputError("There is no question to evaluate.")
    made = (make(spec, workbench) for spec in specs)
    retrievers = {str(spec_of(retriever)): retriever for retriever in made}
    for retriever in retrievers.values():
        workbench.warm(spec_of(retriever).needs)
    rows: list[Outcome] = []
    stopped: HopRagError | None = None
    total = len(retrievers) * len(questions)
    try:
        for row in _asked(questions, retrievers.values(), workbench):
            rows.append(row)
            if progress:
                progress(len(rows), total)
    except HopRagError as error:
        if not rows:
            raise
        stopped = error
    gold = dict.fromkeys(name for question in questions for name in question.gold)
    index = workbench.index
    unknown = tuple(name for name in gold if not index.holds(name))
    measured = dict.fromkeys(row.retriever for row in rows)
    return Evaluation(tuple(measured), tuple(rows), unknown, stopped=stopped)


def _asked(
    questions: Sequence[Query], retrievers: Iterable[Retriever], workbench: Workbench
) -> Iterator[Outcome]:
    """Every question by every retriever, until the model is lost."""
    for retriever in retrievers:
        for question in questions:
            row = ask(question, retriever, workbench.index)
            yield row
            if row.model.turned_to and workbench.oracle and (lost := workbench.oracle.lost):
                raise lost


def ask(question: Query, retriever: Retriever, index: Index) -> Outcome:
    """One question by one retriever."""
    return asked(question, retriever, index)[0]


def asked(
    question: Query,
    retriever: Retriever,
    index: Index,
    stands: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Outcome, tuple[Step, ...]]:
    """The same with the steps.

    Parameters
    ----------
    stands : the passages that each gold id stands for, where a person took some of them away
        (`core.marks.Gold.passages`).
    """
    started = time.perf_counter()
    steps = tuple(retriever.retrieve(question.text))
    seconds = time.perf_counter() - started
    check(steps)
    hits = [hit.passage_id for hit in result(steps).hits]
    cost = account(steps)
    outcome = Outcome(
        retriever=str(spec_of(retriever)),
        question=question,
        hits=tuple(hits),
        ranks=gold_ranks(hits, question.gold, stands or index.document_passages),
        seconds=seconds,
        embed_seconds=cost.embed_seconds,
        judgements=cost.judgements,
        model=cost.model,
        answer=own_answer(steps),
    )
    return outcome, steps
