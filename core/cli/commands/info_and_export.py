"""Commands that show an index: info, export."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.commands.ask import RETRIEVER, RetrieverOption
from core.cli.commands.exported_trace import kept_trace, story_page
from core.cli.common import (
    AnyIndexOption,
    IndexOption,
    JsonFlag,
    check_place,
    console,
    index_place,
    note,
    open_workbench,
    print_json,
    stored_index,
    write_file,
)
from core.cli.entities_table import entities_table
from core.cli.tables import counts_table
from core.errors import InputError, StoreError
from core.places import Place
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.store.index import Index
    from core.types import Query


class Format(StrEnum):
    """Export formats: of the whole graph, or (story, spans) of one retrieval."""

    GRAPHML = "graphml"
    JSON = "json"
    CSV = "csv"
    HTML = "html"
    STORY = "story"
    SPANS = "spans"


def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="csv: the edges, plus the passages in OUT.nodes.csv. html: an offline page with "
            "at most the 1,000 passages with the most edges. story: an offline page that "
            "plays one retrieval. spans: one retrieval as OTLP JSON with OpenInference "
            "attributes, for Phoenix.",
        ),
    ],
    index: AnyIndexOption = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Trace file (from ask) for a story or spans."),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Query to run on the index for a story or spans."),
    ] = None,
    excel: Annotated[
        bool,
        typer.Option(
            "--excel",
            help="Add a byte order mark to CSV files, so that Excel reads them as UTF-8.",
        ),
    ] = False,
    retriever: RetrieverOption = RETRIEVER,
) -> None:
    """Export the graph of an index, or one retrieval as a story or spans."""
    beside = out.with_suffix(".nodes.csv") if form is Format.CSV and out.name else None
    for place in (out, beside):
        check_place(place)
    if form is Format.STORY:
        write_file(out, story_page(trace, index, question, retriever))
        note(f"Wrote the story to {out}. Open it in any browser")
        return
    if form is Format.SPANS:
        from core.spans.export import export_spans

        write_file(out, export_spans(kept_trace(trace, index, question, retriever)))
        note(f"Wrote the spans to {out}. Send them to Phoenix: POST /v1/traces")
        return
    if trace or question:
        raise InputError("To export a trace or a question, use --format story or --format spans.")
    if index is None:
        raise InputError("Use --index to name the index whose graph to export.")
    if excel and form is not Format.CSV:
        raise InputError("--excel is for CSV files: --format csv.")
    _export_graph(out, beside, index, form, excel=excel)


def _export_graph(out: Path, beside: Path | None, index: str, form: Format, *, excel: bool) -> None:
    """Write the graph of an index; `beside` receives the nodes if `form` is CSV."""
    from core.drawing.export import edges_csv, for_excel, nodes_csv, to_graphml, to_json
    from core.explore.webpage import graph_to_html

    opened = stored_index(index)
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
            content = for_excel(content) if excel else content
    if beside:
        nodes = nodes_csv(opened.passages)
        write_file(beside, for_excel(nodes) if excel else nodes)
    write_file(out, content)
    note(
        f"Wrote {number(len(opened.passages), 'passage')} and {number(len(edges), 'edge')} to {out}"
    )


def info(
    index: IndexOption,
    as_json: JsonFlag = False,
    check: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Compare the files of the index with the checksums from its build and print "
            "damaged files. Exit code 1 if a file is damaged or has no checksum.",
        ),
    ] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record-checksums",
            help="Record missing checksums of an index built by an older version, from its "
            "current files.",
        ),
    ] = False,
    entities: Annotated[
        bool,
        typer.Option(
            "--entities",
            help="Print the entities of HiGraRetriever before and after alignment, with their "
            "relations and components.",
        ),
    ] = False,
) -> None:
    """Print the size and settings of an index, and with --json its documents.

    If the index has no questions, suggest some rule-based ones generated from its graph.
    """
    if record:
        _record_checksums(index_place(index))
    if check:
        _verify(index_place(index), as_json)
    if entities:
        _print_entities(index, as_json)
    if record or check or entities:
        return
    from core.evidence import gold_json, gold_told
    from core.hop_graph.suggested import two_hop_questions
    from core.jobs import state
    from core.store.notices import notices
    from core.store.tables import read_meta

    folder = index_place(index)
    job = state(folder)
    if job is not None and job.status != "finished":
        note(f"Status of its last job: {job.status}. {job.message}")
    if not as_json:
        meta = read_meta(folder)
        console().print(counts_table(meta, _authorships(folder)))
        for notice in notices(meta):
            note(notice)
        if meta.counts.questions:
            note(gold_told(_questions_with_gold(stored_index(folder))))
        else:
            _suggest(folder)
        return
    opened = stored_index(folder)
    meta = opened.meta  # of this version, whatever is built meanwhile
    print_json(
        {
            "index": str(folder),
            "counts": {**asdict(meta.counts), "out_degree": meta.counts.out_degree},
            "chunking": meta.chunking,
            "maker": meta.maker,
            "extraction": asdict(meta.extraction) if meta.extraction else None,
            "hub_limit": meta.hub_limit,
            "limits": asdict(meta.limits),
            "embedder": asdict(meta.embedder),
            "graph_version": meta.graph_version,
            "finished_at": meta.finished_at,
            "seconds": meta.seconds,
            "job": job.status if job else None,
            "artefacts": _artefacts_json(folder),
            "questions": gold_json(_questions_with_gold(opened)),
            "suggested": [
                {"question": query.text, "gold": list(query.gold)}
                for query in two_hop_questions(opened)
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


def _questions_with_gold(index: "Index") -> list["Query"]:
    """Return the questions of an index, with their located evidence as gold."""
    from core.evidence import with_evidence_as_gold

    return [with_evidence_as_gold(query) for query in index.questions]


def _record_checksums(folder: Place) -> None:
    """Store checksums for files that have none, and print what was recorded."""
    from core.store.verification import record_missing

    if made := record_missing(folder):
        note(f"Recorded the checksums of {', '.join(made)}. They cannot detect earlier damage")
    else:
        note("All files of the index already have checksums")


def _verify(folder: Place, as_json: bool) -> None:
    """Print the result of the verification; StoreError unless all files are intact."""
    from core.store.verification import verify

    report = verify(folder)
    if as_json:
        damaged = [{"file": each.path, "problem": each.problem} for each in report.damaged]
        print_json(
            {
                "index": str(folder),
                "files": report.files,
                "damaged": damaged,
                "unrecorded": list(report.unrecorded),
                "repeated_id": report.repeated_id,
            }
        )
    else:
        for each in report.damaged:
            console().print(f"{each.path}: {each.problem}", soft_wrap=True)
    if problem := report.problem() or report.gap():
        raise StoreError(problem)
    note(f"The index is intact ({number(report.files, 'file')} checked)")
    if report.note():
        note(report.note())


def _print_entities(index: str, as_json: bool) -> None:
    """Print the sizes of the ontology; ArtefactMissing if it is not built."""
    from core.artefacts.entity_graph.graph import ENTITIES
    from core.artefacts.ontology.ontology import ONTOLOGY
    from core.artefacts.ontology.sizes import ontology_sizes

    bench = open_workbench(index)
    sizes = ontology_sizes(bench.get(ONTOLOGY), bench.get(ENTITIES))
    if as_json:
        print_json(asdict(sizes))
    else:
        console().print(entities_table(sizes))


def _authorships(folder: Place) -> dict[str, str]:
    """Return who wrote each stored artefact that a model contributed to, by name."""
    from core.artefacts.authorship import authorship_told
    from core.retrievers.registry import artefacts_by_name
    from core.store.artefact_tables import shelved

    known = artefacts_by_name()
    authorships = {
        name: authorship_told(known.get(name), row) for name, row in shelved(folder).items()
    }
    return {name: said for name, said in authorships.items() if said}


def _artefacts_json(folder: Place) -> list[dict[str, Any]]:
    """Describe the stored artefacts for --json: who made them, and when."""
    from core.store.artefact_tables import shelved

    return [
        {
            "name": row.name,
            "maker": row.maker,
            "authorship": asdict(row.authorship) if row.authorship else None,
            "made_at": row.made_at,
        }
        for row in shelved(folder).values()
    ]


def _suggest(folder: Place) -> None:
    """Print suggested questions on standard error."""
    from core.hop_graph.suggested import BY_RULES, two_hop_questions

    if suggested := two_hop_questions(stored_index(folder)):
        note(f"Suggested questions, {BY_RULES}:")
        for query in suggested:
            note(f"· {query.text}")
