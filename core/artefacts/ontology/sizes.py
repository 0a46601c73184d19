"""The sizes of an ontology before and after alignment, and the shape of its upper layer."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from core.artefacts.entity_graph.graph import Entities
from core.artefacts.ontology.ontology import Ontology


@dataclass(frozen=True, slots=True)
class OntologySizes:
    """Counts of HiGraRetriever's two layers.

    Parameters
    ----------
    names : distinct names in the passages, before alignment; `entities` after it.
    links : between entities with similar names that no sentence states.
    relations : pairs of entities that a fact or a link joins.
    typed, with_alias : entities with a type, and with another name.
    components : groups of entities that relations join; `largest` counts the entities of the
        largest.
    isolated : entities without a relation.
    mean_degree, highest_degree : relations per entity that has one.
    passages_each : passages per entity, on average over those joined to one.
    """

    names: int
    entities: int
    links: int
    relations: int
    typed: int
    with_alias: int
    components: int
    largest: int
    isolated: int
    mean_degree: float
    highest_degree: int
    passages_each: float


def ontology_sizes(ontology: Ontology, entities: Entities) -> OntologySizes:
    """Return the sizes of `ontology`, which aligned the names of `entities`."""
    edges = ontology.entities.edges
    degrees = np.diff(edges.indptr)
    joined = degrees > 0
    _, component = connected_components(edges, directed=False)
    sizes = np.unique(component[joined], return_counts=True)[1]
    passages = ontology.layers.passages
    held = np.diff(ontology.layers.edges[:passages].tocsc().indptr)[passages:]
    return OntologySizes(
        names=len(entities.names),
        entities=len(ontology.things.names),
        links=len(ontology.things.synonyms[0]),
        relations=int(degrees.sum()) // 2,
        typed=sum(map(bool, ontology.types)),
        with_alias=sum(map(bool, ontology.aliases)),
        components=len(sizes),
        largest=int(sizes.max(initial=0)),
        isolated=int((~joined).sum()),
        mean_degree=float(degrees[joined].mean()) if joined.any() else 0.0,
        highest_degree=int(degrees.max(initial=0)),
        passages_each=float(held[held > 0].mean()) if held.any() else 0.0,
    )
