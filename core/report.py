"""What a build made, in numbers: the graph's size (the paper's Table 7), its shape, its questions.

None of it depends on a question that a user asks, so it is known before any is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from core.store.database import connect
from core.store.index import Index
from core.store.meta import Counts
from core.store.tables import open_version
from core.types import Direction

SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Degrees:
    """How many vertices have `degree` edges: one entry a degree that occurs, ascending."""

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
        """Of the sampled questions, in [0, 1]."""
        return _share([question.duplicated for question in self.questions])

    @property
    def out_coming(self) -> int:
        """How many of the sampled questions are out-coming."""
        return sum(question.own is not None for question in self.questions)

    @property
    def own_share(self) -> float:
        """Of the sampled out-coming questions, those their own passage answers; in [0, 1]."""
        return _share([question.own for question in self.questions if question.own is not None])


def report(index: Index) -> GraphReport:
    """The report of the last finished version of `index`."""
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
        questions=_sampled(index),
        by_rules=_by_rules(index) if index.meta.counts.fallbacks else (),
    )


def _degrees(of_vertices: NDArray[np.int64]) -> Degrees:
    degree, vertices = np.unique(of_vertices, return_counts=True)
    return Degrees(tuple(degree.tolist()), tuple(vertices.tolist()))


def _sampled(index: Index) -> tuple[SampledQuestion, ...]:
    """`SAMPLE` questions, those with the smallest ids: an id is a hash, so that the choice is as
    good as random, and the same whenever the graph is."""
    stored = open_version(connect(index.path), "pseudo_queries", index.meta)
    names = ["id", "passage_id", "direction", "text", "keywords"]
    table = stored.search().select(names).to_arrow()
    rows = table.take(pc.select_k_unstable(table, SAMPLE, [("id", "ascending")])).to_pylist()
    copies = _copies(table, rows)
    answered = _answered(table, rows)
    return tuple(
        SampledQuestion(
            passage_id=row["passage_id"],
            direction=row["direction"],
            text=index.graph.spoken(index.graph.pseudo_query(row["id"])),
            duplicated=copies[row["direction"], row["text"]] > 1,
            own=_is_own(row["keywords"], answered.get(row["passage_id"], []))
            if row["direction"] == "out"
            else None,
        )
        for row in rows
    )


def _by_rules(index: Index) -> tuple[str, ...]:
    """In the order of the passages."""
    stored = open_version(connect(index.path), "pseudo_queries", index.meta)
    table = stored.search().select(["passage_id", "maker"]).to_arrow()
    others = pc.not_equal(table["maker"], index.meta.maker)
    found = set(table.filter(others)["passage_id"].to_pylist())
    return tuple(name for name in index.ids if name in found)


def _copies(table: pa.Table, rows: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], int]:
    """How often the text of each sampled row occurs among the questions of its direction."""
    same = table.filter(_among(table["text"], [row["text"] for row in rows]))
    counted = same.group_by(["direction", "text"]).aggregate([([], "count_all")]).to_pylist()
    return {(row["direction"], row["text"]): row["count_all"] for row in counted}


def _answered(table: pa.Table, rows: Sequence[Mapping[str, str]]) -> dict[str, list[set[str]]]:
    """The keywords of each in-coming question of the passages that sampled rows belong to."""
    here = _among(table["passage_id"], [row["passage_id"] for row in rows])
    found: dict[str, list[set[str]]] = {}
    for row in table.filter(pc.and_(here, pc.equal(table["direction"], "in"))).to_pylist():
        found.setdefault(row["passage_id"], []).append(set(row["keywords"]))
    return found


def _among(column: pa.ChunkedArray, values: Sequence[str]) -> pa.ChunkedArray:
    return pc.is_in(column, pa.array(values, pa.string()))


def _is_own(asked: Sequence[str], answered: Sequence[set[str]]) -> bool:
    return bool(asked) and any(keywords.issuperset(asked) for keywords in answered)


def _share(flags: Sequence[bool | None]) -> float:
    return sum(bool(flag) for flag in flags) / len(flags) if flags else 0.0
