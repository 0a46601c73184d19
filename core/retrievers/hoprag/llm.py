"""HopRAG as the paper has it (arXiv 2502.12442): a language model chooses the edges."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.models.oracle import Oracle
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step_and_query
from core.retrievers.hoprag.model import Ask, LlmPolicy, asking
from core.retrievers.hoprag.walking import (
    ENTRY,
    ENTRY_PARTS,
    N_HOP,
    NEEDS,
    OF_VISITS,
    SEEDS,
    VISITS,
    Entry,
    Relevance,
    entries,
    walk,
)
from core.retrievers.settings import Setting
from core.steps import Step

NO_MODEL = (
    "HopRAG (model) needs a language model, and none is configured. Set one up on Settings in the "
    "app. Or set HOPRAG_LLM to its name, and HOPRAG_LLM_URL to its server unless you use OpenAI, "
    "and restart."
)


@dataclass(frozen=True, slots=True)
class HopRagLlm:
    """Algorithm 1: at each passage a model names the edge to follow.

    Parameters
    ----------
    top_k : passages kept (20 in the paper).
    n_hop : rounds over the queue (4 in the paper); each takes about as long as one reply.
    entry, seeds : as in `HopRagSimilarity`.
    offered : questions that the model is shown at a passage at most.
    none : whether the model may follow no question, so that the way ends; in the paper it always
        follows one. It may by default: a way that leads nowhere costs a reply at every further
        passage, and its visits count in the ranking.
    importance : weight of IMP in the ranking (1/2 in Eq. 2).

    Raises
    ------
    InputError : the workbench has no model.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    n_hop: Annotated[int, N_HOP] = 4
    entry: Annotated[Entry, ENTRY] = "edge"
    seeds: Annotated[int, SEEDS] = 0
    offered: Annotated[
        int, Setting("questions shown to the model per passage at most", least=1, most=100)
    ] = 12
    none: Annotated[
        bool,
        Setting("whether the model may choose no question; in the paper it always chooses one"),
    ] = True
    importance: Annotated[
        float, Setting("weight of importance (IMP); 1/2 in the paper", least=0)
    ] = 0.5

    card = Card(
        key="hoprag-llm",
        title="HopRAG (model)",
        badge="HM",
        family="HopRAG",
        place=2,
        summary="The paper's walk: at each passage, a language model chooses the edge to follow.",
        paper="arXiv 2502.12442, Algorithm 1",
        asks_model=True,
        needs=NEEDS,
        parts={**ENTRY_PARTS, **VISITS},
        helpfulness=OF_VISITS,
        direction="out",
    )

    def __post_init__(self) -> None:
        _oracle(self.workbench)

    @property
    def model(self) -> str:
        """The name of the language model."""
        return _oracle(self.workbench).llm.model

    def retrieve(self, query: str) -> Iterator[Step]:
        asked, encoded = first_step_and_query(self, query, named=True)
        yield replace(asked, weight_of_visits=self.importance)
        yield from self._walk(encoded, asking(_oracle(self.workbench)))

    def _walk(self, query: EncodedQuery, ask: Ask) -> Iterator[Step]:
        """Run lines 3 to 17; the model sees the question as it is written."""
        started = time.perf_counter()
        relevance = Relevance(self.workbench, query)
        at_once = _oracle(self.workbench).llm.at_once
        policy = LlmPolicy(
            ask,
            relevance.similar,
            query.text,
            self.workbench.index.passage,
            offered=self.offered,
            none=self.none,
            at_once=at_once,
        )
        starts = entries(relevance, self.entry, self.seeds or self.top_k)
        yield from walk(
            self.workbench,
            policy,
            starts,
            n_hop=self.n_hop,
            top_k=self.top_k,
            weight_of_visits=self.importance,
            started=started,
        )


def _oracle(workbench: Workbench) -> Oracle:
    if workbench.oracle is None:
        raise InputError(NO_MODEL)
    return workbench.oracle
