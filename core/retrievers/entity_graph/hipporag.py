"""HippoRAG (arXiv 2405.14831): PageRank over entities, starting at the names in the query."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.graph import ENTITIES
from core.artefacts.entity_graph.mentions import MENTIONS, NAMES_GRAPH
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.entity_graph.linking import linked, offered, reset_from, specific
from core.retrievers.entity_graph.naming import names_in
from core.retrievers.entity_graph.spreading import GOES_ON, by_cosine, entity_id, spread_steps
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, query_in
from core.retrievers.settings import Setting
from core.steps import ROOT, Offer, Offered, Ranked, Step, Thing, Tie, Told
from core.types import Hit

NAMES = "names"
"""The source of probability, and the name of the score part."""
NOTHING = "none of its entities received any probability"
"""The reason for a passage without a rank."""
_MOST_EXPLAINING = 3  # entities that explain the rank of a passage


@dataclass(frozen=True, slots=True)
class HippoRag:
    """Passages by the probability of the entities that they mention.

    Each name in the query is linked to one entity. Probability starts at these entities, more of it
    at an entity that fewer passages name (node specificity), and spreads over the entity graph.
    A passage adds up the probability of its entities, times the number of mentions (`Mentions`).

    Parameters
    ----------
    damping : probability of following an edge (0.5 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    damping: Annotated[
        float, Setting("probability of following an edge", least=0.05, most=0.95)
    ] = 0.5

    card = Card(
        key="hipporag",
        title="HippoRAG",
        badge="H1",
        family="entity graph",
        summary=(
            "Spreads probability over a graph of entities, starting from those named in the query."
        ),
        paper="Gutiérrez et al. 2024, arXiv 2405.14831",
        asks_model=True,
        substitute="Without a model, rules find the names in the query. They also find those in "
        "passages, unless the index has entities from a file or a model.",
        needs=(KEYWORDS, ENTITIES, MENTIONS, NAMES_GRAPH),
        parts={
            NAMES: ("a", "probability spread from the names in the query"),
            "specificity": ("c", "1 / passages that mention it"),
            "dense": ("b", "embedding similarity (cosine)"),
        },
        rounds={"round": GOES_ON},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the linked entities, the rounds of PageRank, and last the ranking."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        entities, name_mentions = self.workbench.get(ENTITIES), self.workbench.get(MENTIONS)
        names, by = names_in(self.workbench, query, encoded.keywords, self.card.substitute)
        links = linked(names, entities, self.workbench.embedder)
        weights = specific(links, entities, name_mentions.bearers)
        things = tuple(Thing(entity_id(name), "entity", name) for name in weights)
        offers = offered(links, weights, "specificity")
        yield Offered(ROOT, "entities", offers, things=things, told=by)
        if not weights:
            cosine = self.workbench.cosines(encoded.vector)
            yield by_cosine(
                index, self.top_k, started, cosine, "No name in the query matches an entity"
            )
            return
        graph, reset = self.workbench.get(NAMES_GRAPH), reset_from(weights, entities)
        mass = yield from spread_steps(index, graph, reset, (NAMES,), self.damping)
        probabilities = mass[:, 0].astype(np.float64)
        ranked = ranked_by(
            index, self.top_k, started, **{NAMES: name_mentions.counts @ probabilities}
        )
        ranked = replace(ranked, hits=tuple(hit for hit in ranked.hits if hit.score > 0))
        yield self._passages(ranked.hits, probabilities)
        yield ranked

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all passages whose entities receive some probability."""
        everything = replace(self, top_k=len(self.workbench.index.ids))
        *_, ranked = everything.retrieve(query_in(steps))
        hits = ranked.hits if isinstance(ranked, Ranked) else ()
        number = self.workbench.index.number
        scores = {number[hit.passage_id]: hit.score for hit in hits}
        taken = min(self.top_k, len(scores))
        yield Searched("passage", list(scores), scores, taken, absent=NOTHING)

    def _passages(self, hits: Sequence[Hit], probabilities: Scores) -> Offered:
        """Return the top passages, each tied to the entities that contribute to its score."""
        index, names = self.workbench.index, self.workbench.get(ENTITIES).names
        counts = self.workbench.get(MENTIONS).counts
        offers, things, ties = [], {}, []
        for hit in hits:
            row = counts[index.number[hit.passage_id]]
            contributions = row.data * probabilities[row.indices]
            by = [names[row.indices[place]] for place in best(contributions, _MOST_EXPLAINING)]
            offers.append(Offer(hit.passage_id, hit.score, hit.parts, True, notes=_via_note(by)))
            for name in by:
                things[name] = Thing(entity_id(name), "entity", name)
                node = entity_id(name)
                ties.append(Tie(f"{hit.passage_id}>{node}", hit.passage_id, node, "names"))
        reason = "A passage's score is the probability of the entities it mentions."
        return Offered(
            ROOT,
            "passages",
            tuple(offers),
            considered=len(index.passages),
            things=tuple(things.values()),
            ties=tuple(ties),
            told=Told(reason=reason),
        )


def _via_note(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return (("via", ", ".join(names)),) if names else ()
