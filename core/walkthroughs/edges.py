"""Edges of a walkthrough: both pseudo-queries of each, and the sentences that they came from."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from core.lost_gold.gold_distance import IndexView
from core.playback import DrawnLine
from core.types import Edge, PseudoQuery
from core.walkthroughs.contract import EdgeData
from core.walkthroughs.nodes import Nodes
from core.walkthroughs.score import rounded


@dataclass(frozen=True)
class Edges:
    """The edges of the hop graph and the lines that a retriever drew, by id.

    Parameters
    ----------
    wanted : ids of edges whose pseudo-queries are needed; they are read in one go.
    index : has the pseudo-queries; without it only the question that an edge carries is known.
    """

    nodes: Nodes
    wanted: tuple[str, ...]
    index: IndexView | None = None

    @cached_property
    def _lines(self) -> dict[str, DrawnLine]:
        return {line.id: line for line in self.nodes.plot.cast.lines}

    @cached_property
    def _asked(self) -> dict[str, PseudoQuery]:
        """The pseudo-queries by id."""
        if self.index is None:
            return {}
        edges = [edge for name in self.wanted if (edge := self.of_graph(name))]
        ids = dict.fromkeys(one for edge in edges for one in (edge.out_query_id, edge.in_query_id))
        return {one.id: one for one in self.index.graph.questions(list(ids))}

    def of_graph(self, name: str) -> Edge | None:
        """Return an edge of the hop graph; None for any other line."""
        return self.nodes.plot.cast.edges.get(name)

    def known(self, names: Iterable[str]) -> list[str]:
        """Return those of `names` that are edges or lines."""
        return [name for name in names if self.of_graph(name) or name in self._lines]

    def is_pseudo_query(self, name: str) -> bool:
        """Return whether an edge's question was made when the graph was built."""
        return self.of_graph(name) is not None

    def ends(self, name: str) -> tuple[str, ...]:
        """Return the source and the target of an edge; nothing of an unknown one."""
        edge = self.of_graph(name) or self._lines.get(name)
        return (edge.source, edge.target) if edge else ()

    def other_end(self, name: str, node: str) -> str:
        """Return the end of an edge that is not `node`."""
        edge = self.of_graph(name) or self._lines[name]
        return edge.source if edge.target == node else edge.target

    def sentence(self, name: str, node: str) -> int | None:
        """Return the number of the sentence of `node` that an edge's question comes from."""
        edge = self.of_graph(name)
        if edge is None or node not in (edge.source, edge.target):
            return None
        asked = self._asked.get(edge.out_query_id if node == edge.source else edge.in_query_id)
        return self.nodes.place(node, asked.evidence) if asked else None

    def data(self, name: str) -> EdgeData:
        """Return an edge for the browser."""
        edge = self.of_graph(name)
        if edge is None:
            line = self._lines[name]
            ends = (line.target, line.source) if line.backwards else (line.source, line.target)
            return _without_pseudo_queries(*ends, line.label)
        made = _without_pseudo_queries(edge.source, edge.target, edge.question) | {
            "similarity": rounded(edge.similarity),
            "jaccard": rounded(edge.jaccard),
            "cosine": rounded(edge.cosine),
            "is_pseudo_query": True,
        }
        raised, answered = (self._asked.get(id_) for id_ in (edge.out_query_id, edge.in_query_id))
        if self.index and raised and answered:
            made |= {
                "raised": self.index.graph.spoken(raised),
                "raised_by": self.nodes.place(edge.source, raised.evidence),
                "answered_by": self.nodes.place(edge.target, answered.evidence),
                "shared": sorted({*raised.keywords} & {*answered.keywords}),
            }
        return made


def _without_pseudo_queries(source: str, target: str, question: str) -> EdgeData:
    """Return an edge without pseudo-queries or scores, as outside the hop graph."""
    return EdgeData(
        source=source,
        target=target,
        question=question,
        raised="",
        raised_by=None,
        answered_by=None,
        similarity=None,
        jaccard=None,
        cosine=None,
        shared=[],
        is_pseudo_query=False,
    )
