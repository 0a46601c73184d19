"""The shortest paths between entities, along relations and common summary entities."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from core.artefacts.entity_graph.relations import Relations
from core.artefacts.graph_summaries.summary_entities import Hierarchy
from core.ranking import Scores
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import ROOT, Offer, Offered, Thing, Tie, Told
from core.text.display.passage_labels import shortened
from core.types import Part

if TYPE_CHECKING:
    import networkx as nx

SIMILARITY = "similarity"
"""Part of the score of what is no passage."""
_LONGEST = 60  # characters of what a node is called


@dataclass(frozen=True, slots=True)
class Bridge:
    """Paths between the `keys`, each from one to the next; `nodes` are all of theirs, in order.

    `facts` are those that state the relations along the paths.
    """

    keys: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    nodes: tuple[int, ...]
    facts: tuple[int, ...]


def bridge_of(keys: Sequence[int], relations: Relations, graph: "nx.Graph") -> Bridge:
    """Return the shortest paths from each key entity to the next, where they are connected.

    Nodes are those of `graph`: entities, and summary entities by their numbers behind all entities.
    """
    import networkx as nx  # only here, as every list of retrievers would wait for it

    paths = []
    for one, other in pairwise(keys):
        try:
            paths.append(tuple(nx.bidirectional_shortest_path(graph, one, other)))
        except nx.NetworkXNoPath:
            continue
    nodes = dict.fromkeys([node for path in paths for node in path])
    facts = dict.fromkeys(
        fact
        for path in paths
        for one, other in pairwise(path)
        for fact in relations.between(one, other)
    )
    return Bridge(tuple(keys), tuple(paths), tuple(nodes), tuple(facts))


def thing_of(node: int, relations: Relations, hierarchy: Hierarchy) -> Thing:
    """Return the drawn node of an entity, or of a summary entity (numbered after all entities)."""
    if node < hierarchy.entities:
        return Thing(entity_id(relations.names[node]), "entity", relations.names[node])
    summary = hierarchy.summaries[node - hierarchy.entities]
    members = [
        relations.names[member] if member < hierarchy.entities else "…"
        for member in summary.members
    ]
    name = summary.label or "(nothing in common)"
    return Thing(f"summary:{node - hierarchy.entities}", "cluster", name, ", ".join(members))


def entities_taken(
    taken: Sequence[int], cosine: Scores, relations: Relations, hierarchy: Hierarchy
) -> Offered:
    """Return the step that takes entities, given by number, best first."""
    things = tuple(thing_of(node, relations, hierarchy) for node in taken)
    offers = tuple(
        Offer(thing.id, float(cosine[node]), (Part(SIMILARITY, float(cosine[node])),), taken=True)
        for node, thing in zip(taken, things, strict=True)
    )
    return Offered(ROOT, "entities", offers, considered=len(cosine), things=things)


def bridged(bridge: Bridge, cosine: Scores, relations: Relations, hierarchy: Hierarchy) -> Offered:
    """Return the step that shows the nodes of the bridge, in order, and its lines."""
    things = {node: thing_of(node, relations, hierarchy) for node in bridge.nodes}
    offers = tuple(
        Offer(
            things[node].id,
            float(cosine[node]),
            (Part(SIMILARITY, float(cosine[node])),),
            taken=True,
            notes=(("key entity number", f"{bridge.keys.index(node) + 1}"),)
            if node in bridge.keys
            else (),
        )
        for node in bridge.nodes
    )
    ties = {}
    for one, other in (pair for path in bridge.paths for pair in pairwise(path)):
        facts = relations.between(one, other)
        text = cropped(relations.told.facts[facts[0]].text) if facts else "share"
        name = f"{things[one].id}>{things[other].id}"
        ties[name] = Tie(name, things[one].id, things[other].id, text)
    reason = "The bridge is the shortest path through the key entities, in order."
    return Offered(
        ROOT,
        "bridge nodes",
        offers,
        things=tuple(things.values()),
        ties=tuple(ties.values()),
        told=Told(reason=reason),
    )


def cropped(text: str) -> str:
    """Shorten a text to the length of a label."""
    return shortened(text, _LONGEST)
