"""Reciprocal rank fusion of two other retrievers (Cormack et al., 2009)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.merging import SUMMED, by_reciprocal_ranks
from core.retrievers.nesting import nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import Cost, Pooled, Ranked, Step, Told
from core.types import Hit

FIRST, SECOND = "first", "second"


@dataclass(frozen=True, slots=True)
class Fusion:
    """Passages by 1/(k0 + rank in one retriever) + 1/(k0 + rank in another).

    Two retrievers that miss different passages complement each other; a passage that both rank
    high comes first. Only ranks count, so their scores need no common scale.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    of: Annotated[Spec, Setting("the first retriever")] = Spec("hoprag-coverage")
    other: Annotated[Spec, Setting("the second retriever")] = Spec("hipporag2")
    k0: Annotated[
        int, Setting("rank constant; higher values reduce the advantage of top ranks", least=0)
    ] = 5
    depth: Annotated[int, Setting("passages used from each", least=1, most=100)] = 100

    card = Card(
        key="fusion",
        title="Fusion",
        badge="FU",
        family="rerank",
        place=2,
        summary="Adds the reciprocal ranks of two other retrievers.",
        paper="Cormack et al. 2009",
        parts={
            FIRST: ("a", "1/(k0 + rank) in the first retriever"),
            SECOND: ("b", "1/(k0 + rank) in the second retriever"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        yield first_step(self, query)
        started = time.perf_counter()
        bench = self.workbench.with_embedded([query])  # once for both
        lists: dict[str, tuple[Hit, ...]] = {}
        findings: list[str] = []
        for number, (name, spec) in enumerate(((FIRST, self.of), (SECOND, self.other)), start=1):
            inner = make(spec, bench, top_k=max(self.depth, self.top_k))
            found = yield from nested(inner, query, number)
            lists[name] = found.hits
            findings += found.findings
        began = time.perf_counter()
        ids = {name: [hit.passage_id for hit in hits] for name, hits in lists.items()}
        hits = by_reciprocal_ranks(ids, self.k0)
        took = Told(Cost(time.perf_counter() - began), reason=SUMMED.format(self.k0))
        yield Pooled((self.of.card.title, self.other.card.title), hits, told=took)
        told = Told(Cost(time.perf_counter() - started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told, findings=tuple(findings))
