"""Graphs in files: GraphML, or a list of edges as CSV, TSV or JSON Lines.

An edge has a source and a target, which are ids or titles of passages, and perhaps a question and
a weight.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.corpus.artefact_files import artefact_bytes
from core.corpus.file_contents import LIMITS
from core.corpus.record_files.delimited import csv_records
from core.corpus.record_files.json_records import json_records
from core.errors import FileRejected
from core.text.clean import one_line

SHAPE = "source, target, question, weight"
MOST_EDGES = 2_000_000
LONGEST = 500  # characters of a question
_GRAPHML = ".graphml"
_TITLES = ("title", "label", "name")
_COLUMNS = "name its columns source and target, and optionally question and weight"


@dataclass(frozen=True, slots=True)
class Link:
    """An edge read from a file; `question` is empty if the file gives none."""

    source: str
    target: str
    question: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class GraphFile:
    """The content of a file.

    Parameters
    ----------
    titles : other names of nodes, by their name in `links`.
    nodes : the names of nodes, also of those without an edge.
    """

    links: tuple[Link, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()


def read_graph(path: Path, name: str) -> GraphFile:
    """Read the graph in a file that the user calls `name`.

    Raises
    ------
    FileRejected : the file is not a graph, or a row lacks source, target or a usable weight.
    """
    data = artefact_bytes(path, name)
    ending = name.lower().removesuffix(".gz")
    if ending.endswith((_GRAPHML, ".xml")):
        return _graphml(data, name)
    if ending.endswith((".csv", ".tsv")):
        rows: Iterable[Mapping[str, Any]] = csv_records(data, name, LIMITS)[0]
    elif "json" in ending.rpartition(".")[2]:
        rows = json_records(data, name)
    else:
        raise FileRejected(name, f"a graph is GraphML, or a table or JSON Lines with {SHAPE}")
    return _validated(_links(rows, name), name)


def _links(rows: Iterable[Mapping[str, Any]], name: str) -> Iterator[Link]:
    """Convert rows to edges; FileRejected names the first record without source or target."""
    for number, row in enumerate(rows, start=1):
        fields = {str(key).strip().lower(): value for key, value in row.items() if key is not None}
        where = f"record {number:,}"
        source, target = (_node(fields.get(end)) for end in ("source", "target"))
        if not source or not target:
            missing = "target" if source else "source"
            raise FileRejected(name, f"{where} has no {missing}; {_COLUMNS}")
        yield _link(source, target, fields, name, where)


def _node(value: object) -> str:
    return one_line(str(value)) if isinstance(value, str | int) else ""


def _link(source: str, target: str, fields: Mapping[str, Any], name: str, where: str) -> Link:
    """Build an edge; FileRejected if its question is no text, or too long."""
    question = fields.get("question") or ""
    if not isinstance(question, str) or len(question) > LONGEST:
        raise FileRejected(
            name, f"{where}: its question must be a text of at most {LONGEST} characters"
        )
    return Link(source, target, one_line(question), _weight(fields.get("weight"), name, where))


def _weight(value: object, name: str, where: str) -> float:
    """Parse a weight of at least 0; 1 if it is missing, FileRejected if it is invalid."""
    if value is None or value == "":
        return 1.0
    try:
        weight = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        weight = math.nan
    if not math.isfinite(weight) or weight < 0 or isinstance(value, bool):
        raise FileRejected(
            name, f"{where}: its weight '{str(value)[:40]}' is not a number of at least 0"
        )
    return weight


def _validated(links: Iterable[Link], name: str) -> GraphFile:
    """Collect the edges of a file; raise FileRejected if there are none or too many."""
    links_read: list[Link] = []
    for link in links:
        links_read.append(link)
        if len(links_read) > MOST_EDGES:
            raise FileRejected(
                name, (f"it has more than {MOST_EDGES:,} edges; leave out weak edges")
            )
    if not links_read:
        raise FileRejected(name, f"it has no edges; {_COLUMNS}")
    return GraphFile(tuple(links_read))


def _graphml(data: bytes, name: str) -> GraphFile:
    """Parse GraphML with titles of nodes; entity declarations are rejected as unsafe."""
    import networkx as nx

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise FileRejected(name, "it declares entities, which GraphML does not need; remove them")
    try:
        graph = nx.parse_graphml(data.decode("utf-8-sig"), force_multigraph=True)
    except (ET.ParseError, nx.NetworkXException, ValueError, LookupError, TypeError) as error:
        raise FileRejected(
            name, "it is not readable GraphML in UTF-8; write it with networkx.write_graphml"
        ) from error
    titles = {
        str(node): one_line(str(title))
        for node, values in graph.nodes(data=True)
        if (title := next((values[key] for key in _TITLES if values.get(key)), None))
    }
    checked = _validated(_graphml_links(graph, name), name)
    return GraphFile(checked.links, titles, tuple(map(str, graph.nodes)))


def _graphml_links(graph: Any, name: str) -> Iterator[Link]:
    """Yield the edges of a graph, in both directions if it is undirected."""
    for number, (source, target, values) in enumerate(graph.edges(data=True), start=1):
        weight = values.get("weight", values.get("similarity"))
        fields = {**values, "weight": weight}
        made = _link(str(source), str(target), fields, name, f"edge {number:,}")
        yield made
        if not graph.is_directed():
            yield Link(made.target, made.source, made.question, made.weight)
