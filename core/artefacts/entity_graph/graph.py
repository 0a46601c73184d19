"""Passages, the entities that they name and the facts that they state, as a weighted graph.

Rules build it: an entity is a name that `core.text.entities.keywords` finds, a fact is a sentence
whose subject is the name of its passage and whose objects are its other names. HippoRAG 2 (arXiv
2502.14802) uses triples of a language model; so does an index that has some, from a file or a
model (`core.artefacts.entity_graph.imported_facts`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.entity_graph.imported_facts import Fact as Fact
from core.artefacts.entity_graph.imported_facts import extracted, facts_given, passage_entities
from core.artefacts.lexical.keywords import KEYWORDS, keywords_of_many
from core.artefacts.making import embed_texts
from core.progress import Progress, Report
from core.ranking import Scores
from core.store import schema
from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key
from core.text.sentences import sentences
from core.vectors import Vectors

Numbers = NDArray[np.int64]
Mass = NDArray[np.float32]
"""(nodes, sources): the share of a probability that stands at each node, by where it came from."""

ALIKE = 0.8
MOST_SYNONYMS = 100
_BLOCK = 2_048  # names that are compared with all others at a time
_PASSAGES = 500  # passages between two reports


@dataclass(frozen=True, slots=True, eq=False)
class Entities:
    """All names of the corpus, sorted, and pairs of names with similar meaning.

    A bare number counts only if it is the name of a passage: a score or a year would join passages
    that have nothing else in common.

    `synonyms` are (first, second, cosine) with numbers of names, the smaller one first. A name that
    occurs in one passage only, and names no passage, has no synonyms: it leads nowhere. The other
    names are `linkable`, by number; their `vectors` are (linkable, d), unit-norm.
    """

    names: tuple[str, ...]
    number: Mapping[str, int]
    synonyms: tuple[Numbers, Numbers, Scores]
    linkable: Numbers
    vectors: Vectors

    def numbers(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of those `names` that are entities."""
        return [self.number[name] for name in names if name in self.number]

    def nearest(self, vectors: Vectors) -> list[tuple[str, float]]:
        """Return the name most similar to each of `vectors`, (n, d), and the cosine similarity.

        The list is empty if no name has a vector.
        """
        if not len(self.linkable):
            return []
        cosine = vectors @ self.vectors.T
        best = cosine.argmax(axis=1)
        highest = cosine[np.arange(len(vectors)), best].tolist()
        return [(self.names[n], c) for n, c in zip(self.linkable[best], highest, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The facts of a corpus; `vectors` is (facts, d), unit-norm."""

    facts: tuple[Fact, ...]
    vectors: Vectors


def _make_entities(bench: Bench, report: Report) -> Tables:
    """Collect and embed the names of all passages, and find their synonyms."""
    index = bench.index
    own = {key for name in index.names if (key := entity_key(name))}
    names_of_passages = passage_entities(index, extracted(index))
    bearers = Counter(name for names in names_of_passages for name in names)
    names = sorted({name for name in bearers if not name.isnumeric()} | own)
    linkable = [name for name in names if is_linkable(name) and (bearers[name] > 1 or name in own)]
    vectors = embed_texts(bench, linkable, report, "entities")
    one, other, cosine = synonyms(vectors, _blocks(report, len(linkable)))
    number = {name: i for i, name in enumerate(names)}
    places = np.array([number[name] for name in linkable], np.int64)
    return {
        "names": pa.table({"name": names}),
        "linkable": schema.vectors_table(linkable, vectors),
        "synonyms": pa.table(
            {"one": places[one], "other": places[other], "cosine": cosine.astype(np.float64)}
        ),
    }


def _blocks(report: Report, total: int) -> Callable[[int], None]:
    """Return a progress callback for comparisons, counted after the `total` embedded names."""
    return lambda done: report(Progress("entities", done, total))


def _open_entities(_: Bench, tables: Tables) -> Entities:
    """Build the entities from their tables."""
    names = tuple(tables["names"]["name"].to_pylist())
    pairs = tables["synonyms"]
    one, other = (pairs[name].to_numpy().astype(np.int64) for name in ("one", "other"))
    number = {name: i for i, name in enumerate(names)}
    linkable = np.array([number[name] for name in tables["linkable"]["text"].to_pylist()], np.int64)
    vectors = schema.vector_matrix(tables["linkable"]["vector"])
    return Entities(names, number, (one, other, pairs["cosine"].to_numpy()), linkable, vectors)


ENTITIES = Artefact(
    "entities",
    "The names in passages, and which of them are similar in meaning.",
    _open_entities,
    _make_entities,
    params={"alike": ALIKE, "most": MOST_SYNONYMS},
    version=2,
)


def is_linkable(name: str) -> bool:
    """Check whether a name may have synonyms: more than two letters, and no digit."""
    # Dates and numbers have similar vectors but different meanings.
    return sum(map(str.isalpha, name)) > 2 and not any(map(str.isdigit, name))


def synonyms(
    vectors: Vectors, report: Callable[[int], None], *, alike: float = ALIKE
) -> tuple[Numbers, Numbers, Vectors]:
    """Return (first, second, cosine) of the pairs of rows with a cosine of at least `alike`.

    The smaller number is first; each row has at most its `MOST_SYNONYMS` nearest later rows.
    """
    empty = np.zeros(0, np.int64)
    blocks: list[tuple[Numbers, Numbers, Vectors]] = [(empty, empty, np.zeros(0, np.float32))]
    for start in range(0, len(vectors), _BLOCK):
        cosine = vectors[start : start + _BLOCK] @ vectors[start:].T
        one, other = np.nonzero(cosine >= alike)
        later = other > one
        one, other = one[later], other[later]
        near = cosine[one, other]
        order = np.lexsort((-near, one))
        one, other, near = one[order], other[order], near[order]
        first = np.arange(len(one)) - np.searchsorted(one, one) < MOST_SYNONYMS
        blocks.append((one[first] + start, other[first] + start, near[first]))
        report(min(start + _BLOCK, len(vectors)))
    ones, others, nears = zip(*blocks, strict=True)
    return np.concatenate(ones), np.concatenate(others), np.concatenate(nears)


def _make_facts(bench: Bench, report: Report) -> Tables:
    """Extract the facts of all passages, imported ones in place of rules, and embed them."""
    index, keywords = bench.index, keywords_of_many(bench)
    known = bench.get(ENTITIES).number
    given = extracted(index)
    facts: list[Fact] = []
    for number, (passage, name) in enumerate(zip(index.passages, index.names, strict=True)):
        if extraction := given.get(number):
            facts += (
                _with_known_subject(fact, known)
                for fact in facts_given(number, name, passage.text, extraction)
            )
        else:
            facts += facts_of(number, name, passage.text, keywords)
        if number % _PASSAGES == 0:
            report(Progress("facts", number, len(index.passages)))
    texts = [fact.text for fact in facts]
    vectors = embed_texts(bench, texts, report, "facts")
    table = schema.vectors_table(texts, vectors)
    for name, values in (
        ("passage", pa.array([fact.passage for fact in facts], pa.int32())),
        ("subject", pa.array([fact.subject for fact in facts], pa.string())),
        (
            "objects",
            pa.array([[o for o in f.objects if o in known] for f in facts], pa.list_(pa.string())),
        ),
    ):
        table = table.append_column(name, values)
    return {"facts": table}


def _with_known_subject(fact: Fact, known: Mapping[str, int]) -> Fact:
    """Remove the subject of a fact if it is not an entity, such as a bare number."""
    return fact if fact.subject in known else replace(fact, subject="")


def facts_of(number: int, name: str, text: str, keywords: Keywords) -> Iterator[Fact]:
    """Yield a fact per sentence, also if it names nothing but its subject."""
    subject = entity_key(name)
    for sentence in sentences(text):
        objects = tuple(key for key in keywords.of(sentence) if key != subject)
        if subject or objects:
            statement = f"{name}. {sentence}" if name else sentence
            yield Fact(number, subject, statement, objects)


def _open_facts(_: Bench, tables: Tables) -> Facts:
    """Build the facts from their table."""
    table = tables["facts"]
    columns = (table[name].to_pylist() for name in ("passage", "subject", "text", "objects"))
    facts = tuple(
        Fact(passage, subject, text, tuple(objects))
        for passage, subject, text, objects in zip(*columns, strict=True)
    )
    return Facts(facts, schema.vector_matrix(table["vector"]))


FACTS = Artefact(
    "facts",
    "What each sentence states: a subject, the sentence, and the other names in it.",
    _open_facts,
    _make_facts,
    needs=(KEYWORDS, ENTITIES),
)


class EntityGraph:
    """An undirected weighted graph. Nodes are passages, followed by entities.

    The weight is 1 between a passage and an entity that it names, 1 per fact between subject and
    object, and the cosine between synonyms.
    """

    def __init__(
        self, passages: Sequence[Sequence[str]], entities: Entities, facts: Sequence[Fact]
    ) -> None:
        self.entities = entities
        self.passages = len(passages)
        self.size = self.passages + len(entities.names)
        number = entities.number
        held = [entities.numbers(names) for names in passages]
        named = np.array(list(chain(*held)), np.int64)
        namer = np.repeat(np.arange(self.passages), [len(numbers) for numbers in held])
        ends = [(number[f.subject], number[o]) for f in facts if f.subject for o in f.objects]
        subject, object_ = np.array(ends, np.int64).reshape(-1, 2).T
        one, other, cosine = entities.synonyms
        rows = (namer, subject + self.passages, one + self.passages)
        columns = (named + self.passages, object_ + self.passages, other + self.passages)
        weights = (np.ones(len(namer)), np.ones(len(ends)), cosine)
        self._stated = rows[1], columns[1], weights[1:2]
        self.bearers = np.bincount(named, minlength=len(entities.names))
        self._set_edges(self._edges(np.concatenate(rows), np.concatenate(columns), weights))

    @cached_property
    def counted_twice(self) -> Self:
        """The same graph with weight 2 per fact between subject and object (HippoRAG 2's code)."""
        changed = copy(self)
        changed._set_edges(self.edges + self._edges(*self._stated))
        return changed

    def _set_edges(self, edges: sparse.csr_matrix) -> None:
        """Set the edges, and the column-stochastic matrix of a random walk over them."""
        self.edges = edges
        degree = np.asarray(edges.sum(axis=0)).ravel()
        share = np.divide(1, degree, out=np.zeros_like(degree), where=degree > 0)
        self._step = (edges @ sparse.diags(share)).tocsr().astype(np.float32)
        self._stranded = bool((degree == 0).any())

    def within(self, nodes: Numbers) -> Self:
        """Return the same graph with only the edges among `nodes`."""
        inside = np.zeros(self.size, np.float32)
        inside[nodes] = 1
        restricted = copy(self)
        rows = self.edges[np.sort(nodes)]
        only = sparse.diags(inside)
        spots = sparse.csr_matrix(
            (np.ones(len(nodes), np.float32), (np.sort(nodes), np.arange(len(nodes)))),
            shape=(self.size, len(nodes)),
        )
        restricted._set_edges((spots @ rows @ only).tocsr())
        return restricted

    def neighbours(self, nodes: Numbers) -> Numbers:
        """Return `nodes` and their neighbours, by number."""
        return np.union1d(nodes, self.edges[nodes].indices).astype(np.int64)

    def _edges(
        self, rows: Numbers, columns: Numbers, weights: Sequence[Scores]
    ) -> sparse.csr_matrix:
        """Build a symmetric matrix from directed entries; parallel edges add up."""
        values = np.concatenate(weights).astype(np.float32)
        half = sparse.csr_matrix((values, (rows, columns)), shape=(self.size, self.size))
        return (half + half.T).tocsr()

    def node(self, name: str) -> int | None:
        """Return the node of an entity; None for a name that no passage has."""
        number = self.entities.number.get(name)
        return None if number is None else self.passages + number

    def spread(
        self, reset: Mass, damping: float, *, rounds: int = 30, enough: float = 1e-3
    ) -> Iterator[tuple[Mass, float]]:
        """Yield the iterations of personalised PageRank (Page et al., 1998): p = (1 - d) r + d M p.

        It is linear in `reset`, so that each column keeps the share of its source. A node without
        an edge returns its share to `reset`. Yields p, and how much of it moved, in [0, 2].

        Parameters
        ----------
        reset : r, non-negative; all of it sums to 1.
        damping : d, the probability to follow an edge, in (0, 1).
        rounds : the maximum number of iterations.
        enough : stop when less than this moves.
        """
        now = reset
        for _ in range(rounds):
            walked = self._step @ now
            back = 1 - damping
            if self._stranded:
                back += damping * max(0.0, 1 - float(walked.sum(dtype=np.float64)))
            then = damping * walked + back * reset
            moved = float(np.abs(then - now).sum())
            now = then
            yield now, moved
            if moved < enough:
                return

    def between(self, nodes: Sequence[int]) -> Iterator[tuple[int, int, float]]:
        """Yield each edge among `nodes` once, as (node, node, weight)."""
        inside = self.edges[list(nodes)][:, list(nodes)].tocoo()
        for one, other, weight in zip(inside.row, inside.col, inside.data, strict=True):
            if one < other:
                yield nodes[one], nodes[other], float(weight)


def _open_graph(bench: Bench, _: Tables) -> EntityGraph:
    names = passage_entities(bench.index, extracted(bench.index))
    return EntityGraph(names, bench.get(ENTITIES), bench.get(FACTS).facts)


ENTITY_GRAPH = Artefact(
    "entity-graph",
    "Passages and entities, linked by mention, co-occurrence or similarity.",
    _open_graph,
    needs=(ENTITIES, FACTS),
)
