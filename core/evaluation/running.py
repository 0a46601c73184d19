"""Running a retriever on one question, and finding the gold in what comes back."""

from collections.abc import Callable, Mapping, Sequence

from core.evaluation.lengths import lengths_of
from core.evaluation.measures import Outcome
from core.playback import check
from core.playback.account import account
from core.playback.returned_texts import asked_by_text
from core.ranking_comparison import gold_ranks
from core.retrievers import Retriever, spec_of
from core.steps import Step, own_answer, result
from core.store.index import Index
from core.types import Query

Counted = Callable[[int, int], None]
"""Called with the number of finished retrievals and the total."""


def asked(
    question: Query,
    retriever: Retriever,
    index: Index,
    passages_by_gold: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Outcome, tuple[Step, ...]]:
    """Return the outcome of one question by one retriever, and the steps of its retrieval.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id, if marks removed some of them
        (`core.marks.Gold.passages`).

    Returns
    -------
    Of a custom retriever, both are by the texts that it returned (`core.playback.returned_texts`).
    """
    steps = tuple(retriever.retrieve(question.text))
    check(steps)
    held: Mapping[str, Sequence[str]] = passages_by_gold or index.document_passages
    if placed := asked_by_text(steps, question, index, passages_by_gold):
        steps, held = placed.steps, placed.gold.passages
    end = result(steps)
    hits = [hit.passage_id for hit in end.hits]
    cost = account(steps)
    outcome = Outcome(
        retriever=str(spec_of(retriever)),
        question=question,
        hits=tuple(hits),
        ranks=gold_ranks(hits, question.gold, held),
        seconds=cost.embed_seconds + cost.seconds,
        embed_seconds=cost.embed_seconds,
        judgements=cost.judgements,
        model=cost.model,
        answer=own_answer(steps),
        lengths=lengths_of(hits, index, placed.texts if placed else {}),
        findings=end.findings,
        by_text=placed,
    )
    return outcome, steps
