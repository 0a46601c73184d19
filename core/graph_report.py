"""What a build made, in numbers: the graph's size (the paper's Table 7), its shape, its questions.

None of it depends on a question that a user asks, so it is known before any is asked.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from lancedb.expr import col, lit
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from core.store.index import Index
from core.store.metadata import Counts
from core.types import Direction, PseudoQuery

SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Degrees:
    """The number of vertices with each `degree` that occurs, ascending."""

    degree: tuple[int, ...]
    vertices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SampledQuestion:
    """A pseudo-query and what is poor about it.

    `duplicated` : another pseudo-query of its direction has the very same text.
    `own` : an out-coming question that its own passage answers already, by its keywords: all that
    it asks for are keywords of one in-coming question of the same passage, so that this passage
    has a sentence about it. None for in-coming questions, which their passage should answer.
    """

    passage_id: str
    direction: Direction
    text: str
    duplicated: bool
    own: bool | None


@dataclass(frozen=True, slots=True)
class GraphReport:
    """`orphans` are ids of passages with no edge at all; each is a component of its own.

    `components` joins what edges join, whatever their direction. `largest_share` is the share of
    all vertices in the largest one, in [0, 1]. `by_rules` are the passages whose questions were to
    be made by a model and that rules made.
    """

    counts: Counts
    out_degrees: Degrees
    in_degrees: Degrees
    orphans: tuple[str, ...]
    components: int
    largest_share: float
    questions: tuple[SampledQuestion, ...]
    by_rules: tuple[str, ...] = ()

    @property
    def duplicated_share(self) -> float:
        """Share of the sampled questions that occur more than once, in [0, 1]."""
        return _share([question.duplicated for question in self.questions])

    @property
    def out_coming(self) -> int:
        """Number of out-questions in the sample."""
        return sum(question.own is not None for question in self.questions)

    @property
    def own_share(self) -> float:
        """Share of sampled out-questions that their own passage answers, in [0, 1]."""
        return _share([question.own for question in self.questions if question.own is not None])


def report(index: Index) -> GraphReport:
    """Report on the last finished version of `index`."""
    n = len(index.ids)
    source, target = index.graph.adjacency.source, index.graph.adjacency.target
    leaving, arriving = index.graph.adjacency.degrees()
    alone = np.flatnonzero(leaving + arriving == 0)
    joined = sparse.csr_matrix((np.ones(len(source), np.int8), (source, target)), shape=(n, n))
    components, member = connected_components(joined, directed=True, connection="weak")
    return GraphReport(
        counts=index.meta.counts,
        out_degrees=_degrees(leaving),
        in_degrees=_degrees(arriving),
        orphans=tuple(index.ids[vertex] for vertex in alone.tolist()),
        components=int(components),
        largest_share=float(np.bincount(member).max() / n),
        questions=_sample_rows(index),
        by_rules=_by_rules(index) if index.meta.counts.fallbacks else (),
    )


def _degrees(of_vertices: NDArray[np.int64]) -> Degrees:
    degree, vertices = np.unique(of_vertices, return_counts=True)
    return Degrees(tuple(degree.tolist()), tuple(vertices.tolist()))


def _sample_rows(index: Index) -> tuple[SampledQuestion, ...]:
    """Return a sample of pseudo-questions, with flags for duplicates and for answers in the own
    passage.
    """
    made = _sample(index)
    copies = _copies(index, [query.text for query in made])
    answered = _answered(index, [query.passage_id for query in made])
    return tuple(
        SampledQuestion(
            passage_id=query.passage_id,
            direction=query.direction,
            text=index.graph.spoken(query),
            duplicated=copies[query.direction, query.text] > 1,
            own=_is_own(query.keywords, answered.get(query.passage_id, []))
            if query.direction == "out"
            else None,
        )
        for query in made
    )


def _sample(index: Index) -> list[PseudoQuery]:
    """Return `SAMPLE` pseudo-questions, the same ones whenever the graph is the same.

    Those with the smallest ids are as good as random, because an id is a hash. In a large index
    they are evenly spaced, so that not all ids are read.
    """
    if index.large:
        counts = index.meta.counts
        last = counts.in_coming + counts.out_coming - 1
        numbers = np.unique(np.linspace(0, last, SAMPLE, dtype=np.int64)).tolist()
        ids = index.tables.take("pseudo_queries", numbers, ["id"])["id"].to_pylist()
    else:
        every = index.tables.select("pseudo_queries", ["id"])
        chosen = pc.select_k_unstable(every, SAMPLE, [("id", "ascending")])
        ids = every.take(chosen)["id"].to_pylist()
    return index.graph.questions(ids)


def _by_rules(index: Index) -> tuple[str, ...]:
    """Return the passages with rule-based questions in a build by model, in their order."""
    others = col("maker") != lit(index.meta.maker)
    passages = index.tables.where("pseudo_queries", others, ["passage_id"])["passage_id"]
    return tuple(sorted(set(passages.to_pylist()), key=index.number.__getitem__))


def _copies(index: Index, texts: Sequence[str]) -> Counter[tuple[str, str]]:
    """Count how often each of `texts` occurs among the questions of each direction."""
    rows = index.tables.find("pseudo_queries", "text", texts, ["direction", "text"])
    return Counter((row["direction"], row["text"]) for row in rows.to_pylist())


def _answered(index: Index, passages: Sequence[str]) -> dict[str, list[set[str]]]:
    """Return the keywords of each in-question of `passages`."""
    columns = ["passage_id", "direction", "keywords"]
    keywords_by_passage: dict[str, list[set[str]]] = {}
    for row in index.tables.find("pseudo_queries", "passage_id", passages, columns).to_pylist():
        if row["direction"] == "in":
            keywords_by_passage.setdefault(row["passage_id"], []).append(set(row["keywords"]))
    return keywords_by_passage


def _is_own(asked: Sequence[str], answered: Sequence[set[str]]) -> bool:
    return bool(asked) and any(keywords.issuperset(asked) for keywords in answered)


def _share(flags: Sequence[bool | None]) -> float:
    return sum(bool(flag) for flag in flags) / len(flags) if flags else 0.0
