"""The spans of a pipeline as our steps.

| span | step |
| --- | --- |
| root | the outermost `Asked` ... `Ranked` |
| retriever | `Asked` ... `Ranked` inside, with the searches that it makes itself |
| reranker | `Offered`: its candidates, of which some are taken |
| embedding | the cost of the `Asked` that it is for |
| LLM | `Said`, with the prompt |
| several searches | `Pooled`, before the answer |
"""

from collections.abc import Callable, Sequence

from core.corpus.record_formats.retrieved_results import Context
from core.spans.pipeline import Pipeline, first_by, foreign
from core.spans.span import Span
from core.steps import ROOT, Asked, Cost, Exchange, Offer, Offered, Pooled, Ranked, Said, Step, Told
from core.types import Hit

Node = Callable[[Context], str]
"""The id of a context in the steps."""


def steps_of(pipeline: Pipeline, node: Node) -> tuple[Step, ...]:
    """Return the steps of a pipeline, which keep the contract (`core.playback.check`).

    Parameters
    ----------
    node : the id of each document: that of a passage, or one of its own. Documents of one key have
        one id.
    """
    return tuple(_Telling(pipeline, node).steps())


class _Telling:
    """Turns the spans of a pipeline into steps, in their order."""

    def __init__(self, pipeline: Pipeline, node: Node) -> None:
        self._pipeline = pipeline
        self._node = node
        self._steps: list[Step] = []
        self._open = [ROOT]  # ids of brackets
        self._inner = [0]  # how many brackets each of them has had
        self._answers = pipeline.calls[-1] if pipeline.calls else None

    def steps(self) -> list[Step]:
        line = self._pipeline
        kept, cut = self._hits(line.context), self._hits(line.cut)
        self._steps.append(
            Asked(line.name, line.question, max(len(kept), 1), told=self._embedding(""))
        )
        for span, begins in line.walk():
            if span.id in line.search_ids:
                self._search(span, begins=begins)
            elif begins and span.id in line.call_ids:
                self._call(span)
        self._pool_before_answer()
        if line.answer and (self._answers is None or self._answers.said != line.answer):
            self._steps.append(Said(line.name, ROOT, line.answer, closes=(ROOT,)))
        self._steps.append(Ranked(kept, cut, told=Told(Cost(seconds=line.seconds))))
        return self._steps

    def _search(self, span: Span, *, begins: bool) -> None:
        if span.kind == "RERANKER":
            if begins:
                self._rerank(span)
        elif begins:
            self._inner[-1] += 1
            outer = self._open[-1]
            name = f"{outer}{'' if outer == ROOT else '.'}{self._inner[-1]}"
            top_k = max(len(self._hits(span.documents)), 1)
            told = self._embedding(span.id)
            self._steps.append(
                Asked(foreign(span.name), span.asked, top_k, id=name, parents=(outer,), told=told)
            )
            self._open.append(name)
            self._inner.append(0)
        else:
            told = Told(Cost(seconds=span.seconds))
            self._steps.append(Ranked(self._hits(span.documents), told=told))
            self._open.pop()
            self._inner.pop()

    def _rerank(self, span: Span) -> None:
        taken = self._hits(span.documents)
        before = first_by(span.offered, self._node)
        ids = dict.fromkeys((*(hit.passage_id for hit in taken), *before))
        scores = {hit.passage_id: hit.score for hit in taken}
        by = foreign(span.name) or "the reranker"
        self._steps.append(
            Offered(
                at=self._open[-1],
                of="candidates",
                offers=tuple(
                    Offer(
                        one,
                        _score(before[one]) if one in before else scores[one],
                        taken=one in scores,
                        notes=(("reranked:", f"{scores[one]:.4g}"),) if one in scores else (),
                        why="" if one in scores else f"dropped by {by}",
                    )
                    for one in ids
                ),
                told=Told(
                    Cost(seconds=span.seconds), reason=f"{by} keeps {len(taken)} of {len(ids)}."
                ),
            )
        )

    def _call(self, span: Span) -> None:
        ends = span is self._answers
        if ends:
            self._pool_before_answer()
        exchange = Exchange(
            span.model, "", span.read, (span.said,), span.tokens_in, span.tokens_out, span.seconds
        )
        self._steps.append(
            Said(
                by="model",
                about=self._open[-1],
                text=span.said,
                closes=(ROOT,) if ends and span.said else (),
                told=Told(exchange.cost, exchange=exchange),
            )
        )

    def _pool_before_answer(self) -> None:
        """Say once that several lists are one."""
        searches = self._pipeline.searches
        lists = [foreign(span.name) for span in searches if span.kind == "RETRIEVER"]
        if len(lists) > 1 and not any(isinstance(step, Pooled) for step in self._steps):
            self._steps.append(Pooled(tuple(lists), self._hits(self._pipeline.listed)))

    def _hits(self, contexts: Sequence[Context]) -> tuple[Hit, ...]:
        return tuple(Hit(one, _score(c)) for one, c in first_by(contexts, self._node).items())

    def _embedding(self, search: str) -> Told:
        """Return the embedding cost of a search, or of what is outside any search."""
        return Told(Cost(seconds=self._pipeline.embedding_seconds.get(search, 0.0)))


def _score(context: Context) -> float:
    return 0.0 if context.score is None else context.score
