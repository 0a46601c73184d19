"""From names that a question has to entities that the corpus has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.artefacts.entity_graph.graph import Entities, Mass, Numbers, is_linkable
from core.models.embedder import Embedder
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import Offer
from core.types import Part


@dataclass(frozen=True, slots=True)
class Link:
    """A name, the entity that matches it (empty if none does), and their cosine, 1 if equal."""

    name: str
    entity: str
    likeness: float


def linked(names: Sequence[str], entities: Entities, embedder: Embedder) -> tuple[Link, ...]:
    """Link each of `names` to the entity of that name, or else to the nearest entity.

    Dates and numbers are all near one another, so that one that is no entity is none at all.
    """
    unknown = [name for name in names if name not in entities.number and is_linkable(name)]
    near = entities.nearest(embedder.encode(unknown)) if unknown else []
    link_of = {name: Link(name, *nearest) for name, nearest in zip(unknown, near, strict=False)}
    known = {name: Link(name, name, 1.0) for name in names if name in entities.number}
    link_of |= known
    return tuple(link_of.get(name, Link(name, "", 0.0)) for name in dict.fromkeys(names))


def specific(links: Sequence[Link], entities: Entities, bearers: Numbers) -> dict[str, float]:
    """Return 1 / passages that name it for each linked entity (HippoRAG's node specificity)."""
    entity_names = dict.fromkeys(link.entity for link in links if link.entity)
    return {name: 1 / max(1, int(bearers[entities.number[name]])) for name in entity_names}


def offered(links: Sequence[Link], weights: Mapping[str, float], part: str) -> tuple[Offer, ...]:
    """Return the entities of `weights` as candidates, heaviest first, with their linked names."""
    order = sorted(weights, key=lambda name: (-weights[name], name))
    return tuple(
        Offer(
            entity_id(name),
            weights[name],
            (Part(part, weights[name]),),
            taken=True,
            notes=_notes([link for link in links if link.entity == name]),
        )
        for name in order
    )


def reset_from(weights: dict[str, float], entities: Entities) -> Mass:
    """Return `weights` by entity number, (entities, 1) float32, normalised to sum to 1."""
    reset: Mass = np.zeros((len(entities.names), 1), np.float32)
    for name, weight in weights.items():
        reset[entities.number[name], 0] = weight
    reset /= reset.sum()
    return reset


def _notes(links: Sequence[Link]) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("closest to", f"{link.name} ({link.likeness:.2f})") for link in links if link.likeness < 1
    )
