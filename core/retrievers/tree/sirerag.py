"""SiReRAG (arXiv 2412.06206): RAPTOR's tree, and a tree of the propositions on each entity."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.tree.growing import Tree
from core.artefacts.tree.related import RELATED, Related
from core.artefacts.tree.similar import TREE
from core.artefacts.workbench import Workbench
from core.ranking import Scores
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.spreading import entity_id
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.retrievers.tree.lists import texts_searched
from core.retrievers.tree.pool import (
    OWN,
    PARTS,
    Summary,
    rank_pool,
    select_texts,
    summaries_by,
    summary_of,
    thing_of,
)
from core.steps import Cost, Ranked, Step, Thing, Told
from core.vectors import Vectors

SIMILAR, RELATING = "similar", "related"


@dataclass(frozen=True, slots=True)
class _Pool:
    """The summaries of both trees in one list: passage clusters, entity texts, and clusters of
    these.
    """

    similar: Tree
    related: Related

    def cosines(self, vector: Vectors) -> Scores:
        """Return the cosines of all summaries."""
        rows = (self.similar.vectors, self.related.aggregates.vectors, self.related.tree.vectors)
        return np.concatenate([each @ vector for each in rows]).astype(np.float64)

    def summaries(self, scores: Scores) -> Callable[[int], Summary]:
        """Return all summaries by number."""
        return lambda number: self._summary(number, float(scores[number]))

    def _summary(self, number: int, score: float) -> Summary:
        """Return summary `number`: passage clusters, then entity texts, then their clusters."""
        if number < len(self.similar.clusters):
            return summary_of(self.similar, number, SIMILAR, score)
        number -= len(self.similar.clusters)
        aggregates = self.related.aggregates
        if number < len(aggregates.names):
            name = aggregates.names[number]
            thing = Thing(entity_id(name), "entity", name, aggregates.text(number))
            return Summary(thing, RELATING, score, dict.fromkeys(aggregates.passages(number), 1))
        number -= len(aggregates.names)
        tree = self.related.tree
        inner = frozenset(
            f"{RELATING}:{n - tree.leaves}" if n >= tree.leaves else entity_id(aggregates.names[n])
            for n in tree.under(number)
        )
        thing = thing_of(tree, number, RELATING)
        return Summary(thing, RELATING, score, self.related.below(number), inner)


@dataclass(frozen=True, slots=True)
class SireRag:
    """Rank the passages and all nodes of two trees in one list.

    The first tree is RAPTOR's. The leaves of the second are the propositions that name an entity,
    as one text each; above them are clusters and summaries as in the first.

    Parameters
    ----------
    texts : nodes retrieved (20 in the paper).
    room : total tokens of the retrieved texts.
    share : share of a node's cosine that a passage below it gets, applied once per layer.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    texts: Annotated[int, Setting("texts to retrieve", least=1, most=100)] = 20
    room: Annotated[
        int,
        Setting(
            "total tokens of the retrieved texts",
            least=100,
            most=50_000,
            title="token limit",
        ),
    ] = 3_500
    share: Annotated[
        float, Setting("share of a node's score that its passages get", least=0, most=1)
    ] = 0.1

    card = Card(
        key="sirerag",
        title="SiReRAG",
        badge="SI",
        family="tree",
        place=1,
        summary="Searches passages, their summaries, and the statements about each entity.",
        paper="Zhang et al. 2025, arXiv 2412.06206",
        needs=(KEYWORDS, TREE, RELATED),
        parts={
            OWN: PARTS[OWN],
            SIMILAR: ("c", "from the closest summary of similar passages above it"),
            RELATING: ("d", "from statements about an entity that it mentions"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the selected texts of both trees, and last the ranking of their passages."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        pool = self._pool()
        above = pool.cosines(encoded.vector)
        own = self.workbench.cosines(encoded.vector)
        by_tree = (
            summaries_by(self.workbench, artefact, tree)
            for artefact, tree in ((TREE, pool.similar), (RELATED, pool.related.tree))
        )
        said = " ".join(dict.fromkeys(by_tree))
        listed, passages, taken = select_texts(
            index,
            own,
            above,
            pool.summaries(above),
            self.texts,
            self.room,
            said,
        )
        yield listed
        step, hits = rank_pool(index, own, passages, taken, self.share, self.top_k)
        if taken:
            yield step
        told = Told(Cost(time.perf_counter() - started), reason=said)
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all texts by cosine."""
        pool, query_vector = self._pool(), self.workbench.encode(query_in(steps)).vector
        own, above = self.workbench.cosines(query_vector), pool.cosines(query_vector)
        yield from texts_searched(steps, own, above, pool.summaries(above))

    def _pool(self) -> _Pool:
        return _Pool(self.workbench.get(TREE), self.workbench.get(RELATED))
