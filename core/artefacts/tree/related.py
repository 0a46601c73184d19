"""The second tree of SiReRAG (arXiv 2412.06206): propositions grouped by entity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.artefacts.base import Artefact, Bench, ExpectedPrompts, Tables
from core.artefacts.entity_graph.graph import FACTS, Fact, Facts
from core.artefacts.entity_graph.relations import mean_vectors, named
from core.artefacts.stored_artefacts import is_foreseeable
from core.artefacts.tree.growing import LAYERS, ROOM, Leaves, Tree, expected_prompts, grow, opened
from core.artefacts.tree.similar import SUBSTITUTE
from core.artefacts.tree.summaries import Sentences, prompts_by_names
from core.progress import Report
from core.vectors import Vectors

_NAMES_EACH, _PASSAGES_EACH = 9, 4  # names and passages per cluster, in a forecast


@dataclass(frozen=True, slots=True, eq=False)
class Aggregates:
    """All propositions that name an entity, as one text each; a proposition is a fact's sentence.

    `facts` are their numbers; `vectors` is (aggregates, d), the unit-norm mean of theirs.
    """

    names: tuple[str, ...]
    facts: tuple[tuple[int, ...], ...]
    vectors: Vectors
    all_facts: Facts

    def text(self, number: int) -> str:
        """Return the propositions of an aggregate, a line each."""
        return "\n".join(self.all_facts.facts[fact].text for fact in self.facts[number])

    def passages(self, number: int) -> tuple[int, ...]:
        """Return the passages that state the propositions of a node, each passage once."""
        passages = (self.all_facts.facts[fact].passage for fact in self.facts[number])
        return tuple(dict.fromkeys(passages))


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """Aggregates, and the tree over them."""

    aggregates: Aggregates
    tree: Tree

    def below(self, cluster: int) -> Mapping[int, int]:
        """Return the passages below a cluster of the tree, with their smallest depth."""
        depths: dict[int, int] = {}
        for leaf, depth in self.tree.below(cluster).items():
            for passage in self.aggregates.passages(leaf):
                depths[passage] = min(depth + 1, depths.get(passage, depth + 1))
        return depths


def by_entity(facts: Sequence[Fact]) -> dict[str, tuple[int, ...]]:
    """Group the facts by the entities that they name.

    An entity with one fact is left out if that fact names another entity, too.
    """
    facts_by_name = named(facts)
    shared = {
        number for numbers in facts_by_name.values() if len(numbers) > 1 for number in numbers
    }
    kept: dict[str, tuple[int, ...]] = {}
    for name in sorted(facts_by_name):
        if len(facts_by_name[name]) > 1 or facts_by_name[name][0] not in shared:
            kept[name] = tuple(facts_by_name[name])
            shared.update(facts_by_name[name])
    return kept


def aggregates(facts: Facts) -> Aggregates:
    """Return the aggregates of all `facts`, by the names of their entities."""
    grouped = by_entity(facts.facts)
    rows = tuple(grouped.values())
    return Aggregates(tuple(grouped), rows, mean_vectors(rows, facts.vectors), facts)


def _make(bench: Bench, report: Report) -> Tables:
    """Build the tree over the aggregated propositions of entities."""
    aggregated, facts = aggregates(bench.get(FACTS)), bench.get(FACTS)
    sentences = Sentences([fact.text for fact in facts.facts], facts.vectors)
    leaves = Leaves(_texts(aggregated), aggregated.vectors, aggregated.facts, sentences)
    return grow(bench, leaves, report, "related-tree")


def _texts(found: Aggregates) -> list[str]:
    return [found.text(number) for number in range(len(found.names))]


def _open(bench: Bench, tables: Tables) -> Related:
    aggregated = aggregates(bench.get(FACTS))
    return Related(aggregated, opened(len(aggregated.names), tables))


def _expected_prompts(bench: Bench) -> ExpectedPrompts:
    """List the expected prompts, or estimate them if there are no facts yet."""
    if not is_foreseeable([FACTS], bench):
        return prompts_by_names(bench, _NAMES_EACH, _PASSAGES_EACH)
    aggregated = aggregates(bench.get(FACTS))
    return expected_prompts(_texts(aggregated), aggregated.vectors)


RELATED = Artefact(
    "related-tree",
    "Statements about each entity, grouped into clusters with summaries, on several levels.",
    _open,
    _make,
    needs=(FACTS,),
    params={"layers": LAYERS, "room": ROOM},
    asks_model=True,
    parts="summaries",
    substitute=SUBSTITUTE,
    expected_prompts=_expected_prompts,
)
