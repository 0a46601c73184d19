"""Makers that import pseudo-queries or a graph from a file or from another index.

A build reads the file. Whatever changes the index later takes what was read from the last version
of the index: the file may have gone.
"""

from collections import defaultdict
from pathlib import Path

from core.hop_graph.file_questions import Asked, Entry, FromFile, read_pseudo_queries
from core.hop_graph.given_graph import GivenGraph
from core.hop_graph.graph_files import GraphFile, Link, read_graph
from core.places import Place
from core.store.index import Index
from core.text.clean import one_line
from core.text.import_sources import FILE, GRAPH
from core.types import Direction

Made = FromFile | GivenGraph


def read_made(maker: str, name: str = "") -> Made:
    """Read the file that `maker` names by its path.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    InputError : it cannot be read.
    """
    path = Path(maker.partition(":")[2])
    name = name or path.name
    if maker.startswith(FILE):
        return read_pseudo_queries(path, name)
    return GivenGraph(f"{GRAPH}{name}", read_graph(path, name))


def stored_made(maker: str, place: Place) -> Made:
    """Return the maker of the index at `place`, with what it made there."""
    index = Index.open(place)
    if maker.startswith(FILE):
        return FromFile(maker, tuple(_entries(index, maker)))
    return GivenGraph(maker, GraphFile(tuple(_links(index))))


def _entries(index: Index, maker: str) -> list[Entry]:
    """Return the pseudo-queries that `maker` wrote, by passage.

    A question's sentence is empty unless the passage contains it.
    """
    texts = {passage.id: (passage.title, passage.text) for passage in index.passages}
    questions_by_passage: dict[str, dict[Direction, list[Asked]]] = defaultdict(
        lambda: {"in": [], "out": []}
    )
    for query in index.graph.all_pseudo_queries:
        if query.maker == maker:
            is_quoted = one_line(query.evidence) in one_line(texts[query.passage_id][1])
            sentence = one_line(query.evidence) if is_quoted else ""
            questions_by_passage[query.passage_id][query.direction].append((query.text, sentence))
    return [Entry(name, questions) for name, questions in questions_by_passage.items()]


def _links(index: Index) -> list[Link]:
    """Return the edges of an index with the out-question of each, if its sentence is known."""
    raised = {query.id: query for query in index.graph.all_pseudo_queries}
    return [
        Link(
            edge.source,
            edge.target,
            raised[edge.out_query_id].text if raised[edge.out_query_id].evidence else "",
            edge.similarity,
        )
        for passage in index.passages
        for edge in index.graph.out_edges(passage.id)
    ]
