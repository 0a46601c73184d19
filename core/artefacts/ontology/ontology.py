"""Merged entities with aliases, types and links, over passages (HiGraRetriever)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from scipy import sparse

from core.artefacts.base import Artefact, Bench, ExpectedPrompts, Tables
from core.artefacts.entity_graph.graph import (
    ENTITIES,
    FACTS,
    Entities,
    EntityGraph,
    Fact,
    is_linkable,
)
from core.artefacts.lexical.bm25 import InMemory
from core.artefacts.making import embed_texts
from core.artefacts.ontology.aligning import (
    MOST,
    RADIUS,
    align,
    exact_aliases,
    groups_of,
    prompt_of,
    prompts_about,
)
from core.artefacts.ontology.defining import Defined, definition_of
from core.artefacts.stored_artefacts import is_foreseeable
from core.progress import Progress, Report
from core.store import schema
from core.text.entities.mentions import entity_key
from core.text.tokens import words

COMMON = 200
"""Passages that name an entity from which on it joins none: it is a common word (theta)."""
_NAME = "ontology"
_NAMES_EACH, _NEAR = 300, 3  # names per cluster, and names in it, in a forecast
_UNCERTAIN = 4  # times the number of prompts that was estimated, at most


@dataclass(frozen=True, slots=True, eq=False)
class Ontology:
    """Entities with their names merged, linked to one another and to passages.

    `things` are the merged entities, each called by one of its names; `things.number` has every
    name and alias, and `things.synonyms` are the links inside clusters. `aliases` and `types`
    belong to each entity. `labels` are name, aliases and types of the searchable ones, whose
    numbers are `things.linkable` and whose vectors are `things.vectors`. `ends` is (facts, things):
    1/n for each of the n entities of a fact. `entities` is the upper layer alone, `layers` are
    both. `maker` is the model that aligned the names, empty for rules.
    """

    things: Entities
    aliases: tuple[tuple[str, ...], ...]
    types: tuple[tuple[str, ...], ...]
    labels: InMemory
    ends: sparse.csr_matrix
    entities: EntityGraph
    layers: EntityGraph
    maker: str


def _make(bench: Bench, report: Report) -> Tables:
    """Merge names into entities, and store their labels, vectors and links."""
    entities = bench.get(ENTITIES)
    definitions, texts = _definitions(bench, entities), _first_facts(bench, entities)
    report(Progress(_NAME, 0, 1))
    alignment = align(bench, entities, definitions, texts, report, _NAME)
    same = (*exact_aliases(definitions, entities.number), *alignment.same)
    group = groups_of(len(entities.names), same)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for number, place in enumerate(group.tolist()):
        members[place].append(number)
    own = {key for name in bench.index.names if (key := entity_key(name))}
    rows = [_merged_entity(entities, definitions, numbers, own) for numbers in members.values()]
    linkable = set(entities.linkable.tolist())
    searchable = [n for n, numbers in enumerate(members.values()) if linkable.intersection(numbers)]
    labels = [_label(*rows[n]) for n in searchable]
    vectors = embed_texts(bench, labels, report, _NAME)
    near = dict(zip(entities.linkable.tolist(), entities.vectors, strict=True))
    links = {
        (min(pair), max(pair)): (relation, float(near[one] @ near[other]))
        for one, other, relation in alignment.related
        if (pair := (int(group[one]), int(group[other]))) and pair[0] != pair[1]
    }
    maker = bench.oracle.llm.model if bench.oracle and alignment.by_model else ""
    return {
        "things": pa.table(
            {
                "name": [name for name, *_ in rows],
                "aliases": pa.array([list(each) for _, each, _ in rows], pa.list_(pa.string())),
                "types": pa.array([list(each) for *_, each in rows], pa.list_(pa.string())),
            }
        ),
        "labels": schema.vectors_table(labels, vectors).append_column(
            "thing", pa.array(searchable, pa.int64())
        ),
        "links": pa.table(
            {
                "one": pa.array([one for one, _ in links], pa.int64()),
                "other": pa.array([other for _, other in links], pa.int64()),
                "relation": pa.array([text for text, _ in links.values()], pa.string()),
                "cosine": pa.array([cosine for _, cosine in links.values()], pa.float64()),
            }
        ),
        "made": pa.table({"maker": [maker]}),
    }


def _first_facts(bench: Bench, entities: Entities) -> dict[int, str]:
    """Return the first fact about each name, by its number."""
    first: dict[int, str] = {}
    for fact in bench.get(FACTS).facts:
        for name in fact.names:
            first.setdefault(entities.number[name], fact.text)
    return first


def _definitions(bench: Bench, entities: Entities) -> dict[int, Defined]:
    """Return the definition of each name by the passages of that name, merged if there are
    several.
    """
    definitions: dict[int, Defined] = {}
    for name, passage in zip(bench.index.names, bench.index.passages, strict=True):
        number = entities.number.get(entity_key(name))
        if number is not None:
            new, old = (
                definition_of(passage.title, name, passage.text),
                definitions.get(number, Defined()),
            )
            definitions[number] = Defined(old.aliases | new.aliases, old.types | new.types)
    return definitions


def _merged_entity(
    entities: Entities, definitions: Mapping[int, Defined], held: Sequence[int], own: set[str]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the main name, aliases and types of one entity; the name of a passage precedes others.

    Parameters
    ----------
    held : the numbers of its names.
    own : the names of passages.
    """
    names = sorted((entities.names[n] for n in held), key=lambda n: (n not in own, -len(n), n))
    known = [definitions[n] for n in held if n in definitions]
    others = {alias for one in known for alias in one.aliases} - entities.number.keys()
    types = sorted({each for one in known for each in one.types})
    return names[0], (*names[1:], *sorted(others)), tuple(types)


def _label(name: str, aliases: Sequence[str], types: Sequence[str]) -> str:
    """Return the search text of an entity: its name, aliases and types."""
    return ", ".join((name, *aliases, *types))


def _open(bench: Bench, tables: Tables) -> Ontology:
    """Build the ontology from its tables."""
    table, links, labels = tables["things"], tables["links"], tables["labels"]
    names, aliases, types = (table[each].to_pylist() for each in ("name", "aliases", "types"))
    number: dict[str, int] = {}
    for place, (name, others) in enumerate(zip(names, aliases, strict=True)):
        for name_or_alias in (name, *others):
            number.setdefault(name_or_alias, place)
    number |= {name: place for place, name in enumerate(names)}
    one, other = (links[each].to_numpy().astype(np.int64) for each in ("one", "other"))
    things = Entities(
        tuple(names),
        number,
        (one, other, links["cosine"].to_numpy()),
        labels["thing"].to_numpy().astype(np.int64),
        schema.vector_matrix(labels["vector"]),
    )
    maker = tables["made"]["maker"].to_pylist()[0]
    return _assembled(bench, things, labels["text"].to_pylist(), aliases, types, maker)


def _open_unaligned(bench: Bench, _: Tables) -> Ontology:
    """Return the ontology in which every name is an entity, without aliases, types and links."""
    entities = bench.get(ENTITIES)
    none = np.zeros(0, np.int64)
    things = replace(entities, synonyms=(none, none, np.zeros(0)))
    labels = [entities.names[number] for number in entities.linkable.tolist()]
    nothing: list[list[str]] = [[] for _ in entities.names]
    return _assembled(bench, things, labels, nothing, nothing, "")


def _assembled(
    bench: Bench,
    things: Entities,
    labels: Sequence[str],
    aliases: Sequence[Sequence[str]],
    types: Sequence[Sequence[str]],
    maker: str,
) -> Ontology:
    """Return the ontology of `things` with its two graphs; `labels` are of its linkable ones."""
    facts = [_with_merged_names(fact, things) for fact in bench.get(FACTS).facts]
    return Ontology(
        things,
        tuple(map(tuple, aliases)),
        tuple(map(tuple, types)),
        InMemory([words(text) for text in labels]),
        _entity_shares(facts, things),
        EntityGraph((), things, facts),
        EntityGraph(_entities_of_passages(bench, things), things, facts),
        maker,
    )


def _with_merged_names(fact: Fact, things: Entities) -> Fact:
    """Return a fact with merged entities in place of names, without dates and numbers.

    A fact about a date or number keeps it as its subject.
    """
    subject = _thing_of(fact.subject, things)
    linked = (_thing_of(name, things) for name in fact.objects if is_linkable(name))
    objects = tuple(name for name in dict.fromkeys(linked) if name not in ("", subject))
    return Fact(fact.passage, subject, fact.text, objects)


def _entity_shares(facts: Sequence[Fact], things: Entities) -> sparse.csr_matrix:
    """Return the share of each entity in each fact, (facts, entities): 1/n for n names."""
    cells = [
        (place, things.number[name], 1 / len(fact.names))
        for place, fact in enumerate(facts)
        for name in fact.names
    ]
    rows, columns, shares = np.array(cells, np.float64).reshape(-1, 3).T
    shape = (len(facts), max(1, len(things.names)))
    where = (rows.astype(np.int64), columns.astype(np.int64))
    return sparse.csr_matrix((shares, where), shape=shape)


def _thing_of(name: str, things: Entities) -> str:
    return things.names[things.number[name]] if name in things.number else ""


def _entities_of_passages(bench: Bench, things: Entities) -> list[list[str]]:
    """Return the entities that each passage names, without those that many passages name."""
    named = [
        dict.fromkeys(_thing_of(name, things) for name in names if is_linkable(name))
        for names in bench.index.passage_keywords
    ]
    often: defaultdict[str, int] = defaultdict(int)
    for held in named:
        for name in held:
            often[name] += 1
    return [[name for name in held if name and often[name] < COMMON] for held in named]


def _expected_prompts(bench: Bench) -> ExpectedPrompts:
    """Return the prompts, or an estimate of their number and length if there are no facts yet."""
    if is_foreseeable([ENTITIES, FACTS], bench):
        entities = bench.get(ENTITIES)
        defined_of = _definitions(bench, entities)
        return ExpectedPrompts(
            [*prompts_about(entities, defined_of, _first_facts(bench, entities))]
        )
    prompts = []
    names = sorted({name for names in bench.index.passage_keywords for name in names})
    texts = [passage.text[:200] for passage in bench.index.passages]
    for at in range(0, len(names), _NAMES_EACH):
        shown = names[at : at + _NEAR]
        sample_texts = [texts[(at + n) % len(texts)] for n in range(len(shown))]
        prompts.append(
            prompt_of(
                [
                    {"number": n, "name": name, "types": [], "told": text}
                    for n, (name, text) in enumerate(zip(shown, sample_texts, strict=True), start=1)
                ]
            )
        )
    return ExpectedPrompts(prompts, _UNCERTAIN * len(prompts))


ONTOLOGY = Artefact(
    _NAME,
    "Entities with aliases and types, aligned, and the passages that mention them.",
    _open,
    _make,
    needs=(ENTITIES, FACTS),
    params={"radius": RADIUS, "most": MOST, "common": COMMON},
    asks_model=True,
    parts="groups of similar names",
    substitute="Rules align the names: two similar names are the same entity if one extends "
    "the other and their types match.",
    expected_prompts=_expected_prompts,
)
UNALIGNED = Artefact(
    "unaligned-ontology",
    "Every name as an entity of its own, and the passages that mention it.",
    _open_unaligned,
    needs=(ENTITIES, FACTS),
)
"""The ontology of the paper's ablation without merged entities."""
FACT_WORDS = Artefact(
    "fact-words",
    "A BM25 index of all facts.",
    lambda bench, _: InMemory([words(fact.text) for fact in bench.get(FACTS).facts]),
    needs=(FACTS,),
)
