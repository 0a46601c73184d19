"""The spans of a pipeline as our steps.

| span | step |
| --- | --- |
| root | the outermost `Asked` ... `Ranked` |
| retriever | `Asked` ... `Ranked` inside, with the searches that it makes itself |
| reranker | `Offered`: its candidates, and which of them it kept |
| embedding | the cost of the `Asked` of the enclosing search |
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
    """Return the steps of a pipeline; they satisfy the contract (`core.playback.check`).

    Parameters
    ----------
    node : returns the id of a document: a passage's id, or a new one. Documents with the same key
        have the same id.
    """
    return tuple(_StepBuilder(pipeline, node).steps())


class _StepBuilder:
    """Converts the spans of a pipeline into steps, in order."""

    def __init__(self, pipeline: Pipeline, node: Node) -> None:
        self._pipeline = pipeline
        self._node = node
        self._steps: list[Step] = []
        self._open = [ROOT]  # ids of the open brackets, outermost first
        self._inner = [0]  # number of inner brackets begun so far in each of them
        self._answer_call = pipeline.calls[-1] if pipeline.calls else None

    def steps(self) -> list[Step]:
        """Return the steps of an imported trace, from its question to its final ranking."""
        pipeline = self._pipeline
        kept, cut = self._hits(pipeline.context), self._hits(pipeline.cut)
        self._steps.append(
            Asked(pipeline.name, pipeline.question, max(len(kept), 1), told=self._embedding(""))
        )
        for span, begins in pipeline.walk():
            if span.id in pipeline.search_ids:
                self._search(span, begins=begins)
            elif begins and span.id in pipeline.call_ids:
                self._call(span)
        self._pool_before_answer()
        answer = pipeline.answer
        if answer and (self._answer_call is None or self._answer_call.said != answer):
            self._steps.append(Said(pipeline.name, ROOT, answer, closes=(ROOT,)))
        self._steps.append(Ranked(kept, cut, told=Told(Cost(seconds=pipeline.seconds))))
        return self._steps

    def _search(self, span: Span, *, begins: bool) -> None:
        """Open the bracket of a search when it begins, and close it when it ends.

        A reranker has no bracket: its candidates are one step.
        """
        if span.kind == "RERANKER":
            if begins:
                self._rerank(span)
        elif begins:
            self._inner[-1] += 1
            outer = self._open[-1]
            bracket = f"{outer}{'' if outer == ROOT else '.'}{self._inner[-1]}"
            top_k = max(len(self._hits(span.documents)), 1)
            told = self._embedding(span.id)
            self._steps.append(
                Asked(
                    foreign(span.name), span.asked, top_k, id=bracket, parents=(outer,), told=told
                )
            )
            self._open.append(bracket)
            self._inner.append(0)
        else:
            told = Told(Cost(seconds=span.seconds))
            self._steps.append(Ranked(self._hits(span.documents), told=told))
            self._open.pop()
            self._inner.pop()

    def _rerank(self, span: Span) -> None:
        """Record the candidates of a reranker: those it kept, best first, then the dropped ones."""
        kept = self._hits(span.documents)
        given = first_by(span.offered, self._node)
        candidates = dict.fromkeys((*(hit.passage_id for hit in kept), *given))
        scores = {hit.passage_id: hit.score for hit in kept}
        reranker = foreign(span.name) or "the reranker"
        self._steps.append(
            Offered(
                at=self._open[-1],
                of="candidates",
                offers=tuple(
                    Offer(
                        node,
                        _score(given[node]) if node in given else scores[node],
                        taken=node in scores,
                        notes=(("reranked:", f"{scores[node]:.4g}"),) if node in scores else (),
                        why="" if node in scores else f"dropped by {reranker}",
                    )
                    for node in candidates
                ),
                told=Told(
                    Cost(seconds=span.seconds),
                    reason=f"{reranker} keeps {len(kept)} of {len(candidates)}.",
                ),
            )
        )

    def _call(self, span: Span) -> None:
        """Record a model call; the last call gives the answer, which closes the question."""
        is_answer = span is self._answer_call
        if is_answer:
            self._pool_before_answer()
        exchange = Exchange(
            span.model, "", span.read, (span.said,), span.tokens_in, span.tokens_out, span.seconds
        )
        self._steps.append(
            Said(
                by="model",
                about=self._open[-1],
                text=span.said,
                closes=(ROOT,) if is_answer and span.said else (),
                told=Told(exchange.cost, exchange=exchange),
            )
        )

    def _pool_before_answer(self) -> None:
        """Record, once, that the lists of several searches were merged."""
        searches = self._pipeline.searches
        lists = [foreign(span.name) for span in searches if span.kind == "RETRIEVER"]
        if len(lists) > 1 and not any(isinstance(step, Pooled) for step in self._steps):
            self._steps.append(Pooled(tuple(lists), self._hits(self._pipeline.listed)))

    def _hits(self, contexts: Sequence[Context]) -> tuple[Hit, ...]:
        by_node = first_by(contexts, self._node)
        return tuple(Hit(node, _score(context)) for node, context in by_node.items())

    def _embedding(self, search: str) -> Told:
        """Return the cost of the embedding calls in a search, or outside all searches for ''."""
        return Told(Cost(seconds=self._pipeline.embedding_seconds.get(search, 0.0)))


def _score(context: Context) -> float:
    return 0.0 if context.score is None else context.score
