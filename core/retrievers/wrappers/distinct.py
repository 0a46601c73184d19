"""The passages of another retriever, without repeats of higher-ranked passages."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.nesting import run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import ROOT, Cost, Offer, Offered, Ranked, Step, Told
from core.store.schema import passage_text
from core.text.near_duplicates import ALIKE, repeated
from core.types import Part

_PLACE = "place"


@dataclass(frozen=True, slots=True)
class Distinct:
    """The first `depth` passages of another retriever, in its order, each text once.

    A passage is left out if a higher-ranked one is a near-duplicate of it, or a window that
    overlaps at least half of it (`core.text.near_duplicates`). A wrapper instead of a setting of
    the build: the index keeps every passage, every retriever can be wrapped, and no default ranking
    changes.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever whose results are filtered")] = Spec("hybrid")
    depth: Annotated[int, Setting("passages to check for duplicates", least=1, most=100)] = 60

    card = Card(
        key="distinct",
        title="Distinct",
        badge="DI",
        family="rerank",
        place=1,
        summary="Leaves out passages that repeat the text of a higher-ranked passage.",
        paper="near-duplicate removal by the Jaccard index",
        parts={_PLACE: ("a", "1 / rank in the inner retriever")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the inner retrieval, the candidates with repeats marked, and last the ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        inner = make(self.over, self.workbench, top_k=max(self.depth, self.top_k))
        ranked = yield from run_nested(inner, query, 1)
        began, index = time.perf_counter(), self.workbench.index
        passages = [index.passage(hit.passage_id) for hit in ranked.hits]
        first = repeated(passage_text(each.title, each.text) for each in passages)
        hits = tuple(
            replace(hit, score=1 / place, parts=(Part(_PLACE, 1 / place),))
            for place, hit in enumerate(ranked.hits, start=1)
        )
        distinct = [hit for hit, same in zip(hits, first, strict=True) if same is None]
        kept = {hit.passage_id for hit in distinct[: self.top_k]}
        offers = tuple(
            Offer(
                hit.passage_id,
                hit.score,
                hit.parts,
                hit.passage_id in kept,
                notes=() if same is None else (("repeats the passage at rank", f"{same + 1}"),),
            )
            for hit, same in zip(hits, first, strict=True)
        )
        if offers:
            count = len(hits) - len(distinct)
            reason = (
                f"Near-duplicates left out: {count} of {len(hits)} (at least {ALIKE:.0%} of the "
                "words in common with a higher-ranked passage, or an overlap of half)."
            )
            took = Cost(time.perf_counter() - began)
            yield Offered(ROOT, "candidates", offers, told=Told(took, reason=reason))
        told = Told(Cost(time.perf_counter() - started))
        rest = tuple(hit for hit in distinct if hit.passage_id not in kept)
        yield Ranked(tuple(distinct[: self.top_k]), rest, told=told, findings=ranked.findings)
