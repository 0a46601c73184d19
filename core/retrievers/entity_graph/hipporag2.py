"""HippoRAG 2 (arXiv 2502.14802): PageRank from the facts most similar to the query."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, StrictInt

from core import prompts
from core.artefacts.entity_graph.graph import ENTITY_GRAPH, FACTS, EntityGraph, Fact, Mass
from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.ranking import Scores, best, min_max
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.entity_graph.spreading import (
    GOES_ON,
    by_cosine,
    entity_id,
    fact_id,
    fact_number,
    spread_steps,
)
from core.retrievers.first_step import first_step_and_query
from core.retrievers.model_replies import reply_or_none
from core.retrievers.settings import Setting
from core.steps import (
    ROOT,
    Offer,
    Offered,
    Step,
    Thing,
    Tie,
    Told,
)
from core.types import Part

SOURCES = ("facts", "question", "passages")
"""The sources of probability: columns of a `Mass`, and parts of a score."""
_BEARERS = 2  # an entity that fewer passages name connects nothing
_ENTITIES = 5  # start entities in the paper's code


LONGEST = 200
"""Tokens of a reply: at most the numbers of all listed facts."""


class Keep(BaseModel):
    """What a model says: the numbers of the facts that help, from 1."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    keep: list[StrictInt] = prompts.at_most(30)


NONE = Guess(surely=Keep(keep=[]), likely=Keep(keep=[1]))


@dataclass(frozen=True, slots=True)
class HippoRag2:
    """Passages by personalised PageRank over passages and entities.

    The facts most similar to the query are filtered. Probability starts at the entities of the kept
    facts, at the entities that the query names, and in small part at every passage by its cosine.
    It spreads over the graph, and passages are ranked by their probability.

    Parameters
    ----------
    linked : facts that are filtered (5 in the paper).
    enough : without a model, the score from which a fact is kept even if it shares no entity.
    dense : weight of a passage's own cosine in the reset (0.05 in the paper).
    damping : probability of following an edge (0.5 in the paper).
    published : whether probability starts as in the paper's code: not at the entities of the query,
        and at no more than five entities of facts, including those that only one passage names.
        Each fact counts twice in the weight of its edge.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    linked: Annotated[int, Setting("facts considered", least=1, most=30)] = 5
    enough: Annotated[
        float,
        Setting("minimum score of a fact that shares no entity with the query", least=0, most=1),
    ] = 0.9
    dense: Annotated[
        float, Setting("weight of the passage's similarity to the query", least=0, most=1)
    ] = 0.05
    damping: Annotated[
        float, Setting("probability of following an edge", least=0.05, most=0.95)
    ] = 0.5
    published: Annotated[bool, Setting("whether entities are weighted as in the paper's code")] = (
        False
    )

    card = Card(
        key="hipporag2",
        title="HippoRAG 2",
        badge="H2",
        family="entity graph",
        summary="Spreads probability from the facts and names that match the query.",
        paper="Gutiérrez et al. 2025, arXiv 2502.14802",
        asks_model=True,
        substitute="Facts are sentences found by rules, unless the index has triples from a file "
        "or a model. Without a model, a fact is kept if it shares an entity with the query or is "
        "very similar to it.",
        needs=(KEYWORDS, FACTS, ENTITY_GRAPH),
        parts={
            "facts": ("a", "probability spread from the entities in the kept facts"),
            "question": ("c", "probability spread from the entities named in the query"),
            "passages": ("b", "probability spread from passages similar to the query"),
            "similarity": ("b", "cosine of the query and the fact, scaled over all facts"),
            "dense": ("b", "embedding similarity (cosine)"),
        },
        rounds={"round": GOES_ON},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the facts, the start entities, the rounds of PageRank, and last the ranking."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started = time.perf_counter()
        index, graph = self.workbench.index, self.workbench.get(ENTITY_GRAPH)
        cosine = self.workbench.cosines(encoded.vector)
        offered = self._fact_step(encoded)
        yield offered
        kept = [(self._fact(offer.target), offer.score) for offer in offered.taken]
        if not kept:
            yield by_cosine(index, self.top_k, started, cosine, "No fact is kept")
            return
        if self.published:
            graph = graph.counted_twice
            by_fact, named = _heaviest(fact_weights(graph, kept, least=1)), {}
        else:
            by_fact = fact_weights(graph, kept)
            named = question_weights(graph, encoded.keywords)
        entities = _start_step(by_fact, named, offered.taken, self._fact)
        told = Told(reason="Entities named in the kept facts.")
        yield replace(entities, told=told) if self.published else entities
        reset = reset_of(graph, by_fact, named, self.dense * min_max(cosine))
        mass = yield from spread_steps(index, graph, reset, SOURCES, self.damping, top_k=self.top_k)
        columns = mass[: graph.passages].astype(np.float64).T
        yield ranked_by(index, self.top_k, started, **dict(zip(SOURCES, columns, strict=True)))

    def _fact(self, target: str) -> Fact:
        return self.workbench.get(FACTS).facts[fact_number(target)]

    def _fact_step(self, query: EncodedQuery) -> Offered:
        """Return the step with the facts most similar to the query, marking the kept ones."""
        started = time.perf_counter()
        facts = self.workbench.get(FACTS)
        scores = min_max((facts.vectors @ query.vector).astype(np.float64))
        numbers = best(scores, self.linked).tolist()
        listed = [facts.facts[number] for number in numbers]
        keep, told = self._filter_facts(query, listed, scores[numbers])
        offers = tuple(
            Offer(
                fact_id(number),
                float(scores[number]),
                (Part("similarity", float(scores[number])),),
                taken=place in keep,
                notes=_shared_entities(fact, query.keywords),
                why="" if place in keep or told.verdict else self._dissimilar_reason,
            )
            for place, (number, fact) in enumerate(zip(numbers, listed, strict=True))
        )
        things = tuple(
            Thing(fact_id(number), "fact", fact.text)
            for number, fact in zip(numbers, listed, strict=True)
        )
        cost = replace(told.cost, seconds=told.cost.seconds + time.perf_counter() - started)
        return Offered(
            ROOT,
            "facts",
            offers,
            considered=len(facts.facts),
            things=things,
            told=replace(told, cost=cost),
        )

    @property
    def _dissimilar_reason(self) -> str:
        """The reason why a fact is not kept without a model."""
        return f"shares no entity with the query, and its score is below {self.enough:g}"

    def _filter_facts(
        self, query: EncodedQuery, facts: Sequence[Fact], scores: Scores
    ) -> tuple[set[int], Told]:
        """Select the helpful facts, by the model if there is one.

        Returns their positions in `facts`, from 0, and who decided.
        """
        keywords = set(query.keywords)
        alike = {
            place
            for place, (fact, score) in enumerate(zip(facts, scores, strict=True))
            if score >= self.enough or keywords & set(fact.names)
        }
        listed = [{"number": i, "fact": fact.text} for i, fact in enumerate(facts, start=1)]
        prompt = prompts.prompt(
            "keep_facts", Keep, longest=LONGEST, question=query.text, facts=listed
        )
        reply, told = reply_or_none(
            self.workbench.oracle,
            prompts.with_list_limits(prompt, keep=len(facts)),
            partial(read_keep, len(facts)),
            NONE,
            self.card.substitute,
        )
        if reply is None:
            return alike, told
        kept = {number - 1 for number in reply.keep if 1 <= number <= len(facts)}
        verdict = f"{len(kept)} of {len(facts)} help"
        if unlisted := len(set(reply.keep)) - len(kept):
            verdict += f"; numbers that were not listed: {unlisted}"
        return kept, replace(told, verdict=verdict)


def read_keep(listed: int, text: str) -> Keep:
    """Return the numbers of the facts to keep, of `listed` numbered from 1.

    Numbers that are not listed are tolerated beside a listed one.

    Raises
    ------
    ReplyUnreadable : the reply is malformed, or none of its numbers is listed.
    """
    reply = prompts.read(text, Keep)
    if reply.keep and not any(1 <= number <= listed for number in reply.keep):
        raise ReplyUnreadable(f"The reply keeps facts outside the {listed} listed.")
    return reply


def fact_weights(
    graph: EntityGraph, kept: Sequence[tuple[Fact, float]], *, least: int = _BEARERS
) -> dict[str, float]:
    """Return the mean of score / passages naming it over the kept facts, for each entity.

    Parameters
    ----------
    least : passages that name an entity, else it has no weight.
    """
    weights: defaultdict[str, list[float]] = defaultdict(list)
    for fact, score in kept:
        for name in fact.names:
            bearers = int(graph.bearers[graph.entities.number[name]])
            if bearers >= least:
                weights[name].append(score / bearers)
    return {name: sum(values) / len(values) for name, values in weights.items()}


def _heaviest(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the `_ENTITIES` largest weights, ties by name."""
    names = sorted(weights, key=lambda name: (-weights[name], name))
    return {name: weights[name] for name in names[:_ENTITIES]}


def question_weights(graph: EntityGraph, names: Sequence[str]) -> dict[str, float]:
    """Return 1 / passages naming it for each entity of the question (ours)."""
    numbers = {name: graph.entities.number.get(name) for name in names}
    bearers = {name: int(graph.bearers[n]) for name, n in numbers.items() if n is not None}
    return {name: 1 / count for name, count in bearers.items() if count}


def reset_of(
    graph: EntityGraph, by_fact: Mapping[str, float], named: Mapping[str, float], dense: Scores
) -> Mass:
    """Return the reset matrix, (nodes, 3), a column per source in `SOURCES`; it sums to 1.

    Parameters
    ----------
    dense : (passages,) what each passage starts with, at least 0.
    """
    reset = np.zeros((graph.size, len(SOURCES)), np.float32)
    for column, weights in enumerate((by_fact, named)):
        for name, weight in weights.items():
            if (node := graph.node(name)) is not None:
                reset[node, column] = weight
    reset[: graph.passages, 2] = dense
    total = reset.sum()
    return reset / total if total > 0 else reset + 1 / reset.size


def _shared_entities(fact: Fact, keywords: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return a note with the entities that a fact shares with the question; empty without any."""
    shared = [name for name in keywords if name in fact.names]
    return (("shared entities:", ", ".join(shared)),) if shared else ()


def _start_step(
    by_fact: Mapping[str, float],
    named: Mapping[str, float],
    kept: Sequence[Offer],
    fact_of: Callable[[str], Fact],
) -> Offered:
    """Return the step with the start entities, and lines from the kept facts that name them."""
    weights = {
        name: (by_fact.get(name, 0.0), named.get(name, 0.0)) for name in {**by_fact, **named}
    }
    ordered = sorted(weights, key=lambda name: (-sum(weights[name]), name))
    offers = tuple(
        Offer(
            entity_id(name),
            sum(weights[name]),
            tuple(Part(*part) for part in zip(SOURCES, weights[name], strict=False)),
            taken=True,
        )
        for name in ordered
    )
    ties = tuple(
        Tie(f"{offer.target}>{name}", offer.target, entity_id(name), "names")
        for offer in kept
        for name in fact_of(offer.target).names
        if name in weights
    )
    things = tuple(Thing(entity_id(name), "entity", name) for name in ordered)
    reason = "Entities named in the kept facts or in the query."
    return Offered(ROOT, "entities", offers, things=things, ties=ties, told=Told(reason=reason))
