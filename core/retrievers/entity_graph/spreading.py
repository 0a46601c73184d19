"""PageRank over passages and entities, with a step for each round."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.artefacts.entity_graph.graph import EntityGraph, Mass
from core.ranking import Scores, best
from core.retrievers.base import ranked_by
from core.steps import Began, Ranked, Spread, Step, Thing, Tie
from core.store.index import Index
from core.types import Hit, Part

SHOWN, MOST = 9, 30
"""Entities that a round shows, and at least as many passages; the most of these."""
GOES_ON = (
    "Part of each node's probability moves to its neighbours. The rest returns to the "
    "starting nodes."
)
"""What happens in a round, in a sentence."""


def entity_id(name: str) -> str:
    """Return the id of an entity in a trace.

    >>> entity_id("lantern cup")
    'entity:lantern cup'
    """
    return f"entity:{name}"


def fact_id(number: int) -> str:
    """Return the id of a fact in a trace.

    >>> fact_id(7)
    'fact:7'
    """
    return f"fact:{number}"


def fact_number(id_: str) -> int:
    """Return the number of the fact with this id.

    >>> fact_number("fact:7")
    7
    """
    return int(id_.removeprefix("fact:"))


def by_cosine(index: Index, top_k: int, started: float, cosine: Scores, why: str) -> Ranked:
    """Rank the passages by cosine alone; `why` is the reason, a sentence."""
    ranked = ranked_by(index, top_k, started, dense=cosine)
    fallback = f"{why}, so passages are ranked by their cosine alone."
    return replace(ranked, told=replace(ranked.told, fallback=fallback))


def spread_steps(
    index: Index,
    graph: EntityGraph,
    reset: Mass,
    sources: Sequence[str],
    damping: float,
    name: str = "round",
    enough: float = 1e-3,
    top_k: int = SHOWN,
    known: Iterable[str] = (),
) -> Generator[Step, None, Mass]:
    """Yield the rounds of `EntityGraph.spread`; return the last probabilities.

    Parameters
    ----------
    sources : what the columns of `reset` are called, as parts of a score.
    name : what a round is called.
    enough : it ends when less than this moves.
    top_k : passages that are kept of the last round: as many are shown of each, up to `MOST`.
    known : entities that steps before have brought; what is shown is joined to them.
    """
    seen = {graph.entities.number[name] + graph.passages for name in known}
    mass, shown = reset, max(SHOWN, min(MOST, top_k))
    for number, (mass, moved) in enumerate(graph.spread(reset, damping, enough=enough), start=1):
        yield Began(name, number)
        yield _spread_step(index, graph, mass, sources, moved, seen, shown)
    return mass


def settled(
    index: Index,
    graph: EntityGraph,
    reset: Mass,
    sources: Sequence[str],
    damping: float,
    enough: float = 1e-3,
) -> Generator[Step, None, Mass]:
    """Yield one step with the last probabilities, without the rounds; return them."""
    *_, (mass, moved) = graph.spread(reset, damping, enough=enough)
    yield _spread_step(index, graph, mass, sources, moved, set())
    return mass


def _spread_step(
    index: Index,
    graph: EntityGraph,
    mass: Mass,
    sources: Sequence[str],
    moved: float,
    seen: set[int],
    shown: int = SHOWN,
) -> Spread:
    """Return the step with the most probable nodes and their edges; add the nodes to `seen`."""
    total = mass.sum(axis=1, dtype=np.float64)
    passages = best(total[: graph.passages], shown).tolist()
    entities = (best(total[graph.passages :], SHOWN) + graph.passages).tolist()
    nodes = [*passages, *entities]
    fresh = set(nodes) - seen
    seen |= fresh
    names = {node: _name(index, graph, node) for node in seen}
    hits = [_hit(names[node], mass[node].tolist(), sources) for node in nodes]
    things = tuple(
        Thing(names[node], "entity", graph.entities.names[node - graph.passages])
        for node in nodes
        if node in fresh and node >= graph.passages
    )
    ties = tuple(
        Tie(
            f"{names[one]}>{names[other]}", names[one], names[other], edge_label(graph, one, weight)
        )
        for one, other, weight in graph.between(sorted(seen))
        if one in fresh or other in fresh
    )
    return Spread(
        "probability",
        tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))),
        moved,
        things,
        ties,
    )


def _hit(name: str, values: Sequence[float], sources: Sequence[str]) -> Hit:
    parts = tuple(Part(source, value) for source, value in zip(sources, values, strict=True))
    return Hit(name, sum(values), parts)


def _name(index: Index, graph: EntityGraph, node: int) -> str:
    if node < graph.passages:
        return index.ids[node]
    return entity_id(graph.entities.names[node - graph.passages])


def edge_label(graph: EntityGraph, one: int, weight: float) -> str:
    """Return the label of an edge of `graph`.

    Parameters
    ----------
    one : the end with the smaller number.
    """
    if one < graph.passages:
        return "names"
    return "similar" if weight < 1 else "mentioned together"
