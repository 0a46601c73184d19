"""Commands that show an index: info, export."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.asking import RETRIEVER, RetrieverOption
from core.cli.common import (
    AnyIndexOption,
    IndexOption,
    JsonFlag,
    check_place,
    console,
    index_place,
    note,
    print_json,
    write_file,
)
from core.cli.stories import story_page
from core.cli.tables import counts_table
from core.errors import InputError
from core.places import Place


class Format(StrEnum):
    """What a graph can be written as; a story is of one retrieval."""

    GRAPHML = "graphml"
    JSON = "json"
    CSV = "csv"
    HTML = "html"
    STORY = "story"


def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="csv writes the edges, and the passages beside them as OUT.nodes.csv; html is a "
            "page that needs no network and shows at most the 1,000 passages with most edges; "
            "story is a page that plays one retrieval, without a network too.",
        ),
    ],
    index: AnyIndexOption = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="The trace that a story plays, as ask writes it."),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Asked of the index, to be played as a story."),
    ] = None,
    retriever: RetrieverOption = RETRIEVER,
) -> None:
    """Write the graph of an index, its passages and edges; or one retrieval as a story."""
    beside = out.with_suffix(".nodes.csv") if form is Format.CSV and out.name else None
    for place in (out, beside):
        check_place(place)
    if form is Format.STORY:
        write_file(out, story_page(trace, index, question, retriever))
        note(f"The story is in {out}; any browser plays it")
        return
    if trace or question:
        raise InputError("A trace or a question is exported as a story: --format story.")
    if index is None:
        raise InputError("Say by --index whose graph is to be written.")
    _export_graph(out, beside, index, form)


def _export_graph(out: Path, beside: Path | None, index: str, form: Format) -> None:
    from core.drawing.export import edges_csv, nodes_csv, to_graphml, to_json
    from core.explore.webpage import graph_to_html
    from core.store.index import Index

    opened = Index.open(index_place(index))
    graph = opened.graph
    edges = graph.edges(range(len(graph.adjacency)))
    raised = {query.id: graph.spoken(query) for query in graph.all_pseudo_queries}
    match form:
        case Format.HTML:
            content = graph_to_html(opened.passages, edges, raised, opened.name)
        case Format.GRAPHML:
            content = to_graphml(opened.passages, edges, raised)
        case Format.JSON:
            content = to_json(opened.passages, edges, raised)
        case _:
            content = edges_csv(opened.passages, edges, raised)
    if beside:
        write_file(beside, nodes_csv(opened.passages))
    write_file(out, content)
    note(f"{len(opened.passages):,} passages and {len(edges):,} edges are in {out}")


def info(index: IndexOption, as_json: JsonFlag = False) -> None:
    """Print what an index holds: its size, its settings, and with --json its documents.

    Of one that has no questions it prints some that rules make from its graph.
    """
    from core.hop_graph.suggested import suggested
    from core.jobs import state
    from core.store.index import Index
    from core.store.notices import hub_notice, repeats_notice
    from core.store.tables import read_meta

    folder = index_place(index)
    job = state(folder)
    if job is not None and job.status != "finished":
        note(f"Its last job is {job.status}. {job.message}")
    if not as_json:
        meta = read_meta(folder)
        console().print(counts_table(meta))
        for notice in filter(None, (hub_notice(meta.counts), repeats_notice(meta.counts))):
            note(notice)
        if not meta.counts.questions:
            _suggest(folder)
        return
    opened = Index.open(folder)
    meta = opened.meta  # of this version, whatever is built meanwhile
    print_json(
        {
            "index": str(folder),
            "counts": {**asdict(meta.counts), "out_degree": meta.counts.out_degree},
            "chunking": meta.chunking,
            "maker": meta.maker,
            "hub_limit": meta.hub_limit,
            "embedder": asdict(meta.embedder),
            "graph_version": meta.graph_version,
            "finished_at": meta.finished_at,
            "seconds": meta.seconds,
            "job": job.status if job else None,
            "suggested": [
                {"question": query.text, "gold": list(query.gold)} for query in suggested(opened)
            ],
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


def _suggest(folder: Place) -> None:
    """Questions to begin with, on standard error."""
    from core.hop_graph.suggested import BY_RULES, suggested
    from core.store.index import Index

    if found := suggested(Index.open(folder)):
        note(f"Questions to begin with, {BY_RULES}:")
        for query in found:
            note(f"· {query.text}")
