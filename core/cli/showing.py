"""Commands that show an index: info, export."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    index_folder,
    note,
    print_json,
    write_file,
)
from core.cli.tables import counts_table

if TYPE_CHECKING:
    from core.store.index import Index
    from core.types import Edge


class Format(StrEnum):
    """What a graph can be written as."""

    GRAPHML = "graphml"
    JSON = "json"
    CSV = "csv"
    HTML = "html"


def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    index: IndexOption,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="csv writes the edges, and the passages beside them as OUT.nodes.csv; html is a "
            "page that needs no network and shows at most the 1,000 passages with most edges.",
        ),
    ],
) -> None:
    """Write the graph of an index: its passages and edges."""
    from core.drawing.export import edges_csv, nodes_csv, to_graphml, to_json
    from core.store.index import Index

    opened = Index.open(index_folder(index))
    edges = opened.graph.edges(range(len(opened.graph.columns.ids)))
    raised = {query.id: query.text for query in opened.graph.all_pseudo_queries}
    match form:
        case Format.HTML:
            content = _page(opened, edges, raised)
        case Format.GRAPHML:
            content = to_graphml(opened.passages, edges, raised)
        case Format.JSON:
            content = to_json(opened.passages, edges, raised)
        case Format.CSV:
            content = edges_csv(opened.passages, edges, raised)
            write_file(out.with_suffix(".nodes.csv"), nodes_csv(opened.passages))
    write_file(out, content)
    note(f"{len(opened.passages):,} passages and {len(edges):,} edges are in {out}")


def _page(index: "Index", edges: "list[Edge]", raised: dict[str, str]) -> bytes:
    """The passages with most edges first: beyond its cap the page leaves the last ones out."""
    from collections import Counter

    from core.drawing.webpage import to_html

    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    nodes = sorted(index.passages, key=lambda passage: -degree[passage.id])
    return to_html(nodes, edges, title=index.name, total=len(nodes), raised=raised)


def info(index: IndexOption, as_json: JsonFlag = False) -> None:
    """Print what an index holds: its size, its settings, and with --json its documents."""
    from core.jobs import state
    from core.store.index import Index
    from core.store.tables import read_meta

    folder = index_folder(index)
    job = state(folder)
    if job is not None and job.status != "finished":
        note(f"Its last job is {job.status}. {job.message}")
    meta = read_meta(folder)
    if not as_json:
        console().print(counts_table(meta))
        return
    opened = Index.open(folder)
    print_json(
        {
            "index": str(folder),
            "counts": {**asdict(meta.counts), "out_degree": meta.counts.out_degree},
            "chunking": meta.chunking,
            "maker": meta.maker,
            "embedder": asdict(meta.embedder),
            "graph_version": meta.graph_version,
            "finished_at": meta.finished_at,
            "seconds": meta.seconds,
            "job": job.status if job else None,
            "documents": [
                {
                    "id": document.id,
                    "title": document.title,
                    "source": document.source,
                    "passages": len(opened.document_passages.get(document.id, ())),
                }
                for document in opened.documents
            ],
        }
    )
