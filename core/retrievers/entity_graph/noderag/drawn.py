"""Nodes of NodeRAG's graph as they are drawn: what each is called, and the lines between them."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.entity_graph.relations import RELATIONS
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.node_graph import Kind, NodeGraph
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.entity_graph.bridges import cropped
from core.retrievers.entity_graph.spreading import entity_id, fact_id
from core.steps import ROOT, Offer, Offered, Spread, Thing, Tie, Told
from core.types import Hit, Part

_SHOWN = 18  # nodes of a spread
_LABELS: dict[frozenset[Kind], str] = {
    frozenset(("text", "unit")): "stated in",
    frozenset(("unit", "entity")): "names",
    frozenset(("entity", "relationship")): "end of",
    frozenset(("entity", "attribute")): "similar to",
    frozenset(("entity", "element")): "belongs to",
    frozenset(("element", "title")): "title of",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """The nodes of `graph`, over the index that it was made of."""

    bench: Workbench
    graph: NodeGraph

    def id(self, node: int) -> str:
        """Return the id of a passage or thing."""
        if node < self.graph.first("unit"):
            return self.bench.index.ids[node]
        return self.thing(node).id

    def thing(self, node: int) -> Thing:
        """Return the trace node of a graph node other than a passage."""
        kind = self.graph.kind(node)
        number, related = node - self.graph.first(kind), self.bench.get(RELATIONS)
        match kind:
            case "unit":
                text = self.bench.get(FACTS).facts[number].text
                return Thing(fact_id(number), "sentence", cropped(text), text)
            case "entity":
                return Thing(entity_id(related.names[number]), "entity", related.names[number])
            case "relationship":
                one, other = (related.names[end] for end in self.graph.pairs[number])
                return Thing(f"relation:{number}", "relation", f"{one} – {other}")
            case "attribute":
                text = self.graph.attributes[number][1]
                return Thing(f"attribute:{number}", "fact", cropped(text), text)
            case "element":
                text = self.bench.get(COMMUNITIES).communities[number].report
                return Thing(f"community:{number}", "community", cropped(text), text)
            case _:
                names = ", ".join(related.names[n] for n in self.graph.titles[number])
                return Thing(f"title:{number}", "cluster", names)

    def things(self, nodes: Sequence[int]) -> tuple[Thing, ...]:
        return tuple(self.thing(node) for node in nodes if node >= self.graph.first("unit"))

    def offered(
        self, of: str, nodes: Sequence[int], scores: Scores, part: str, told: Told, considered: int
    ) -> Offered:
        """Return the step that selects all `nodes`, best first, out of `considered`."""
        offers = tuple(
            Offer(
                self.id(node),
                score,
                (Part(part, score),),
                taken=True,
                notes=(("is", self.graph.kind(node)),),
            )
            for node, score in zip(nodes, scores.tolist(), strict=True)
        )
        things = self.things(nodes)
        return Offered(ROOT, of, offers, considered=considered, things=things, told=told)

    def spread(self, mass: Scores, before: Scores, part: str) -> Spread:
        """Return the nodes with the highest probability, and the lines between them."""
        nodes = best(mass, _SHOWN)
        nodes = nodes[mass[nodes] > 0]
        inside = self.graph.edges[nodes][:, nodes].tocoo()
        pairs = zip(nodes[inside.row].tolist(), nodes[inside.col].tolist(), strict=True)
        hits = tuple(
            Hit(self.id(node), float(mass[node]), (Part(part, float(mass[node])),))
            for node in nodes.tolist()
        )
        return Spread(
            part,
            hits,
            float(abs(mass - before).sum()),
            self.things(nodes.tolist()),
            tuple(self._tie(one, other) for one, other in sorted(pairs) if one < other),
        )

    def stated(self, nodes: Sequence[int], passages: AbstractSet[str]) -> tuple[Tie, ...]:
        """Return lines from sentences and relations in `nodes` to `passages` that state them."""
        related, ids = self.bench.get(RELATIONS), self.bench.index.ids
        ties: dict[str, Tie] = {}
        for node in nodes:
            facts: Sequence[int] = ()
            match self.graph.kind(node):
                case "unit":
                    facts = (node - self.graph.first("unit"),)
                case "relationship":
                    facts = related.pairs[self.graph.pairs[node - self.graph.first("relationship")]]
            for name in (ids[related.told.facts[fact].passage] for fact in facts):
                if name in passages:
                    tie = Tie(f"{self.id(node)}>{name}", self.id(node), name, "stated in")
                    ties[tie.id] = tie
        return tuple(ties.values())

    def _tie(self, one: int, other: int) -> Tie:
        kinds = frozenset((self.graph.kind(one), self.graph.kind(other)))
        ends = self.id(one), self.id(other)
        return Tie(">".join(ends), *ends, _LABELS.get(kinds, "alike"))
