"""Rerank another retriever's top passages by comparing each with the query."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.workbench import Workbench
from core.models.reranker import CrossEncoded, MaxSim, Remembering, Reranker
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.nesting import run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import ROOT, Cost, Offer, Offered, Ranked, Step, Told
from core.store.schema import passage_text
from core.types import Hit, Part

LATE, CROSS = MaxSim.name, CrossEncoded.name


@dataclass(frozen=True, slots=True)
class Rerank:
    """The first `depth` passages of another retriever, by a reranker's score alone.

    It adds no passage, and discards the scores of the other retriever.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever whose results are reranked")] = Spec("hoprag-coverage")
    depth: Annotated[int, Setting("passages to rerank", least=1, most=100)] = 40
    model: Annotated[
        str, Setting("cross-encoder (name or folder); empty means late interaction")
    ] = ""

    card = Card(
        key="rerank",
        title="Rerank",
        badge="RR",
        family="rerank",
        summary="Reorders another retriever's top passages by comparing each with the query.",
        paper="Khattab and Zaharia 2020; Nogueira and Cho 2019",
        parts={
            LATE: (
                "b",
                (
                    "late interaction: cosine of each query token and its closest token in the "
                    "passage"
                ),
            ),
            CROSS: ("b", "score from the cross-encoder"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the inner retrieval, the candidates with their new scores, and last the ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        inner = make(self.over, self.workbench, top_k=self.depth)
        ranked = yield from run_nested(inner, query, 1)
        began = time.perf_counter()
        reranker = self._reranker()
        scores = self._scores(reranker, query, ranked.hits)
        order = best(scores, len(scores)).tolist()
        hits = tuple(
            Hit(ranked.hits[i].passage_id, float(scores[i]), _parts(reranker, scores[i]))
            for i in order
        )
        offers = tuple(
            Offer(
                hit.passage_id,
                hit.score,
                hit.parts,
                place <= self.top_k,
                notes=_previous_rank_note(i, place),
            )
            for place, (i, hit) in enumerate(zip(order, hits, strict=True), start=1)
        )
        if offers:
            reason = f"Each passage is scored against the query by {reranker.name}."
            took = Cost(time.perf_counter() - began)
            yield Offered(ROOT, "candidates", offers, told=Told(took, reason=reason))
        told = Told(Cost(time.perf_counter() - started))
        kept, cut = hits[: self.top_k], hits[self.top_k :]
        yield Ranked(kept, cut, reranker.name, told, ranked.findings)

    def _reranker(self) -> Reranker:
        reads = CrossEncoded(self.model) if self.model else MaxSim(self.workbench.embedder)
        return Remembering(reads, self.model, self.workbench.reread)

    def _scores(self, reranker: Reranker, query: str, hits: tuple[Hit, ...]) -> Scores:
        passages = (self.workbench.index.passage(hit.passage_id) for hit in hits)
        return reranker.scores(query, [passage_text(p.title, p.text) for p in passages])


def _parts(reranker: Reranker, score: float) -> tuple[Part, ...]:
    return (Part(reranker.name, float(score)),)


def _previous_rank_note(index: int, place: int) -> tuple[tuple[str, str], ...]:
    """Return the previous rank of a candidate, if it changed."""
    return () if index + 1 == place else (("was", f"{index + 1}."),)
