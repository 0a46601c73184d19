"""G-Retriever (arXiv 2402.07630): a tree through the entities and facts similar to the query."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.entity_graph.mentions import FACT_LINKS
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.g_retriever.steiner import (
    FAR,
    Steps,
    best_tree,
    steps_between,
    way,
)
from core.retrievers.entity_graph.related import facts_stated
from core.retrievers.entity_graph.spreading import (
    by_cosine,
    entity_id,
    fact_id,
    fact_number,
)
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, lists_in, query_in, reasons_left_out
from core.retrievers.settings import Setting
from core.steps import LEFT_OUT, ROOT, Cost, Offer, Offered, Pooled, Ranked, Step, Thing, Tie, Told
from core.types import Hit, Part
from core.vectors import Vectors

_FAR_AWAY = 12  # maximum links of a path: six facts
PRIZE, WAY, SIMILARITY = "prize", "way", "similarity"


@dataclass(frozen=True, slots=True)
class GRetriever:
    """Passages of the facts on the most valuable tree: the sum of its prizes minus its costs.

    The entities and the facts most similar to the query get prizes. The path from a fact to an
    entity that it names is half an edge. The tree includes a node if its prize exceeds the cost of
    the path to it.

    Parameters
    ----------
    entities : number of entities with a prize (3 in the paper: 3, 2 and 1).
    facts : number of facts with a prize (5 in the paper for WebQSP: 5 to 1).
    cost : of an edge (0.5 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    entities: Annotated[int, Setting("entities that get a prize", least=1, most=5)] = 3
    facts: Annotated[int, Setting("facts that get a prize", least=1, most=6)] = 5
    cost: Annotated[float, Setting("cost of an edge", least=0.05, most=5)] = 0.5

    card = Card(
        key="g-retriever",
        title="G-Retriever",
        badge="GT",
        family="entity graph",
        summary="Finds the most valuable subtree that connects the entities and facts closest "
        "to the query. Without the paper's trained parts (graph network, soft prompt).",
        paper="He et al. 2024, arXiv 2402.07630",
        needs=(KEYWORDS, ENTITIES, FACTS, FACT_LINKS),
        parts={
            PRIZE: ("a", "prize of the entity or fact, set by its rank"),
            WAY: ("d", "cost of the path to it"),
            SIMILARITY: ("b", "cosine of the query and its best fact in the tree"),
            "dense": ("b", "embedding similarity (cosine)"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the prizes, the tree that joins them, and the ranking of the tree's passages."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        facts = self.workbench.get(FACTS)
        cosine = (facts.vectors @ encoded.vector).astype(np.float64)
        prizes = self._entity_prizes(encoded.vector)
        yield self._prize_step("entities", prizes, len(self.workbench.get(ENTITIES).linkable))
        liked = prizes_of(best(cosine, self.facts).tolist())
        yield self._prize_step("facts", liked, len(facts.facts))
        prizes |= liked
        if not liked:
            dense = self.workbench.cosines(encoded.vector)
            yield by_cosine(index, self.top_k, started, dense, "The index has no facts")
            return
        offered, tree = self._tree(prizes, cosine)
        yield offered
        hits, ties = self._passages([n for n in tree if n < len(facts.facts)], prizes, cosine)
        yield Pooled(("the passages of the tree",), hits, ties=ties)
        told = Told(Cost(time.perf_counter() - started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all facts by cosine; the first have a prize that may not cover the path's cost."""
        facts = self.workbench.get(FACTS)
        asked = self.workbench.encode(query_in(steps)).vector
        cosine = (facts.vectors @ asked).astype(np.float64)
        out = {
            fact_number(id_): f"but {why}"
            for _, step in lists_in(steps, "prized nodes")
            for id_, why in reasons_left_out(step).items()
            if id_.startswith(fact_id(0)[:-1])
        }
        whole = Searched.from_scores(
            *("fact", cosine, min(self.facts, len(cosine)), partial(facts_stated, facts)),
            name=lambda number: facts.facts[number].text,
        )
        yield whole.with_after(out)

    def _entity_prizes(self, asked: Vectors) -> dict[int, float]:
        """Return prizes for the entities most similar to the question."""
        entities, behind = self.workbench.get(ENTITIES), len(self.workbench.get(FACTS).facts)
        if not len(entities.linkable):
            return {}
        places = best((entities.vectors @ asked).astype(np.float64), self.entities)
        return prizes_of([behind + n for n in entities.linkable[places].tolist()])

    def _prize_step(self, kind: str, prizes: dict[int, float], considered: int) -> Offered:
        """Return the step that lists the nodes of a `kind` with their prizes."""
        offers = tuple(
            Offer(self._thing(node).id, prize, (Part(PRIZE, prize),), taken=True)
            for node, prize in prizes.items()
        )
        things = tuple(map(self._thing, prizes))
        return Offered(ROOT, kind, offers, considered=considered, things=things)

    def _tree(self, prizes: dict[int, float], cosine: Scores) -> tuple[Offered, list[int]]:
        """Join the nodes with prizes to a tree; return the step that shows it, and its nodes."""
        links, prized = self.workbench.get(FACT_LINKS), list(prizes)
        steps = steps_between(links, prized, _FAR_AWAY)
        between = steps[prized]
        tree = best_tree(list(prizes.values()), between, self.cost / 2)
        liked = np.concatenate((cosine, np.zeros(links.shape[0] - len(cosine))))
        nodes: dict[int, None] = {}
        offers, ties = [], dict[str, Tie]()
        for place, to in tree:
            path = (prized[place],) if to == FAR else way(links, prized[place], steps[:, to], liked)
            nodes |= dict.fromkeys(path)
            offers.append(self._joined_node(prized[place], prizes, path))
            for one, other in pairwise(path):
                tie = self._tie(one, other)
                ties[tie.id] = tie
        offers += self._rejected_nodes([place for place, _ in tree], prized, prizes, between)
        return Offered(
            ROOT,
            "prized nodes",
            tuple(sorted(offers, key=lambda offer: (not offer.taken, -offer.score, offer.target))),
            things=tuple(map(self._thing, nodes)),
            ties=tuple(ties.values()),
            told=Told(
                reason="A node joins the tree if its prize exceeds the cost of the path to it."
            ),
        ), list(nodes)

    def _joined_node(self, node: int, prizes: dict[int, float], path: Sequence[int]) -> Offer:
        """Return the candidate for a node: its prize minus the cost of the path to it."""
        paid = (len(path) - 1) * self.cost / 2
        parts = (Part(PRIZE, prizes[node]), Part(WAY, -paid))
        between = ", ".join(self._thing(n).label for n in path[1:])
        notes = (("connected through", between),) if between else ()
        return Offer(self._thing(node).id, prizes[node] - paid, parts, taken=True, notes=notes)

    def _rejected_nodes(
        self, inside: Sequence[int], prized: Sequence[int], prizes: dict[int, float], steps: Steps
    ) -> list[Offer]:
        """Return the prized nodes that are not worth the cost of their path, or have none."""
        offers = []
        for place, node in enumerate(prized):
            if place not in inside:
                lengths = [int(steps[place, to]) for to in inside if steps[place, to] != FAR]
                cost = min(lengths, default=0) * self.cost / 2
                note = f"the path to it costs {cost:g}" if lengths else "there is no path to it"
                parts = (Part(PRIZE, prizes[node]), Part(WAY, -cost))
                offer = Offer(self._thing(node).id, prizes[node] - cost, parts)
                offers.append(replace(offer, notes=((LEFT_OUT, note),)))
        return offers

    def _passages(
        self, facts: Sequence[int], prizes: dict[int, float], cosine: Scores
    ) -> tuple[tuple[Hit, ...], tuple[Tie, ...]]:
        """Rank the passages of the facts in the tree by prize and best similarity."""
        told, ids = self.workbench.get(FACTS).facts, self.workbench.index.ids
        of: dict[str, list[int]] = {}
        for fact in facts:
            of.setdefault(ids[told[fact].passage], []).append(fact)
        hits = []
        for name, inside in of.items():
            prize = sum(prizes.get(fact, 0.0) for fact in inside)
            similarity = float(cosine[inside].max())
            parts = (Part(PRIZE, prize), Part(SIMILARITY, similarity))
            hits.append(Hit(name, prize + similarity, parts))
        ties = tuple(
            Tie(f"fact:{fact}>{name}", fact_id(fact), name, "stated in")
            for name, inside in of.items()
            for fact in inside
        )
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))), ties

    def _thing(self, node: int) -> Thing:
        """Return the trace node of graph node `node`: facts come first, then entities."""
        facts = self.workbench.get(FACTS).facts
        if node < len(facts):
            return Thing(fact_id(node), "fact", facts[node].text)
        name = self.workbench.get(ENTITIES).names[node - len(facts)]
        return Thing(entity_id(name), "entity", name)

    def _tie(self, one: int, other: int) -> Tie:
        fact, entity = (self._thing(node).id for node in sorted((one, other)))
        return Tie(f"{fact}>{entity}", fact, entity, "names")


def prizes_of(nodes: Sequence[int]) -> dict[int, float]:
    """Return the prize of each of n nodes, best first: from n down to 1.

    >>> prizes_of([7, 4])
    {7: 2.0, 4: 1.0}
    """
    return {node: float(len(nodes) - place) for place, node in enumerate(nodes)}
