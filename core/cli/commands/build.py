"""Commands that write an index: build, add, remove."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.build_budget import (
    BudgetOption,
    BudgetTokensOption,
    RulesOrModel,
    maker_named,
    show_pilot,
)
from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    index_place,
    note,
    print_json,
)
from core.cli.graph_options import EdgeCapOption, InQuestionsOption, OutQuestionsOption
from core.cli.job_runner import run_here
from core.cli.model_calls import AskAgainFlag
from core.cli.tables import counts_table
from core.corpus.formats import listed
from core.errors import HopRagError, IndexLocked, InputError
from core.store.graph_limits import MAX_HUB_LIMIT

if TYPE_CHECKING:
    from core.jobs import Job, JobState
    from core.store.metadata import Meta

_LISTED = 20
_FILES = f"Files and folders to read: {listed()}."
ReferencesFlag = Annotated[
    bool,
    typer.Option(
        "--references",
        help="Keep reference lists and markers such as [1], which are dropped by default.",
    ),
]


def build(
    corpus: Annotated[list[Path], typer.Argument(metavar="CORPUS...", help=_FILES)],
    index: IndexOption,
    chunk: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="How to split documents: fit (at headings, then long sections at "
            "paragraphs and sentences), as-is, paragraph, sentence, or "
            "tokens:SIZE:OVERLAP.",
        ),
    ] = "fit",
    embedder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Name or folder of the embedder, or server:MODEL for one on the server in "
            "HOPRAG_EMBEDDER_URL. Default: the configured one.",
        ),
    ] = "",
    restart: Annotated[
        bool,
        typer.Option(
            "--restart",
            help="Replace an index that is damaged or was built with another embedder.",
        ),
    ] = False,
    maker: Annotated[
        RulesOrModel,
        typer.Option(help="Generator of the pseudo-queries: rules, or the model in HOPRAG_LLM."),
    ] = RulesOrModel.RULES,
    pseudo_queries: Annotated[
        Path | None,
        typer.Option(
            "--pseudo-queries",
            metavar="FILE",
            help="Read the pseudo-queries from a file: JSON Lines of "
            "{passage, in: [{question, evidence}], out: […]}, or "
            "node2questiondict.pkl of the official HopRAG code. Passages missing from "
            "the file get rule-based questions.",
        ),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph",
            metavar="FILE",
            help="Read the edges from a file instead of matching pseudo-queries: GraphML, "
            "or a table of source, target and optionally question and weight. Source "
            "and target are passage ids or titles.",
        ),
    ] = None,
    openie: Annotated[
        Path | None,
        typer.Option(
            "--openie",
            metavar="FILE",
            help="Read entities and triples from a file, for entity-based retrievers: "
            "HippoRAG's OpenIE results, or JSON Lines of "
            "{passage, entities, triples}, where passage is an id, a title or a hash "
            "of the text.",
        ),
    ] = None,
    extract: Annotated[
        bool,
        typer.Option(
            "--extract",
            help="Have the model in HOPRAG_LLM extract entities and triples, for entity-based "
            "retrievers, with one call for each passage.",
        ),
    ] = False,
    hub_limit: Annotated[
        int,
        typer.Option(
            min=0,
            max=MAX_HUB_LIMIT,
            metavar="N",
            help="Rules generate no out-questions for a name in more than N passages. 0 is "
            "automatic: 20 passages or 1% of all, whichever is larger.",
        ),
    ] = 0,
    in_questions: InQuestionsOption = 0,
    out_questions: OutQuestionsOption = 0,
    edge_cap: EdgeCapOption = 0,
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    ask_again: AskAgainFlag = False,
    pilot: Annotated[
        bool,
        typer.Option(
            "--pilot",
            help="Run the model on five passages only and estimate the cost of the rest: of the "
            "pseudo-queries, or with --extract of the entities and triples.",
        ),
    ] = False,
    on: Annotated[
        str,
        typer.Option(
            metavar="ray[:ADDRESS]",
            help="Run the build on a local Ray, or on a Ray cluster at HOST:PORT, instead of "
            "in this process. Needs requirements-cluster.txt.",
        ),
    ] = "",
    references: ReferencesFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Build an index from documents. A stopped build resumes where it left off."""
    from core.api.opening import prepare_build
    from core.corpus.chunking.chunker import Chunking
    from core.hop_graph.pseudo_queries import rules_with
    from core.jobs import Job
    from core.jobs.maker import model_extractor, model_maker
    from core.models.leave import Leave
    from core.models.money.budget import Budget
    from core.store.graph_limits import GraphLimits

    cut = Chunking.parse(chunk)
    limit = Budget(budget, budget_tokens)
    limits = GraphLimits(in_questions, out_questions, edge_cap)
    if extract and openie:
        raise InputError("Use either --openie FILE or --extract.")
    if pilot:
        place, leave = index_place(index), Leave("the command's own call", ask_again)
        rules, model = rules_with(hub_limit, limits), maker_named(RulesOrModel.MODEL)
        asking, meter = (
            model_extractor(place, model, leave, limit)
            if extract
            else model_maker(place, model, leave, limit, rules)
        )
        show_pilot(asking, meter, corpus, cut, as_json, references=references)
        return
    job = Job(
        "build",
        index_place(index),
        files=tuple(corpus),
        chunking=chunk,
        embedder=embedder,
        restart=restart,
        maker=_maker(maker, pseudo_queries, graph),
        hub_limit=hub_limit,
        limits=limits,
        budget=limit,
        again=ask_again,
        on=on,
        references=references,
        extraction=openie and openie.resolve(),
        extractor=maker_named(RulesOrModel.MODEL) if extract else "",
    )
    prepare_build(job)
    _run_and_print(job, as_json)


def _maker(maker: RulesOrModel, questions: Path | None, graph: Path | None) -> str:
    """Return the name of the maker of pseudo-questions; a file is checked before the build."""
    from core.api.opening import maker_of_file

    several = (maker is RulesOrModel.MODEL) + (questions is not None) + (graph is not None)
    if several > 1:
        raise InputError("Use either --maker model, --pseudo-queries FILE or --graph FILE.")
    return maker_of_file(questions, graph) or maker_named(maker)


def add(
    index: IndexOption,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help=_FILES),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="A file with an existing name replaces the earlier file.",
        ),
    ] = False,
    keep_both: Annotated[
        bool,
        typer.Option(
            "--keep-both", help="A file with an existing name is added as a separate file."
        ),
    ] = False,
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    ask_again: AskAgainFlag = False,
    references: ReferencesFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Add documents to an index. Existing documents stay unless --replace is given.

    With --ask-again and no file, only unusable model replies are requested again.
    """
    from core.jobs import Job
    from core.models.money.budget import Budget

    if replace and keep_both:
        raise InputError("Use either --replace or --keep-both, not both.")
    if not files and not ask_again:
        raise InputError("Name the files to add, or use --ask-again to retry unusable replies.")
    job = Job(
        "add",
        index_place(index),
        files=tuple(files or ()),
        known="replace" if replace else "keep" if keep_both else "ask",
        budget=Budget(budget, budget_tokens),
        again=ask_again,
        references=references,
    )
    _run_and_print(job, as_json)


def remove(
    index: IndexOption,
    document: Annotated[
        list[str] | None,
        typer.Option(metavar="ID...", help="Id of a document to remove. Repeatable."),
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Ids of more documents to remove.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Remove documents from an index. `info --json` lists their ids."""
    from core.jobs import Job

    documents = (*(document or ()), *(ids or ()))
    if not documents:
        raise InputError("Name the documents to remove: --document ID.")
    _run_and_print(Job("remove", index_place(index), documents=documents), as_json)


def _run_and_print(job: "Job", as_json: bool) -> None:
    """Run the job and print its result; list rejected documents even if it fails."""
    from core.jobs import state

    try:
        meta = run_here(job)
    except IndexLocked:
        raise  # what the journal tells is of the other job
    except HopRagError:
        _left_out(state(job.index))
        raise
    _left_out(state(job.index))
    _print(job, meta, as_json)


def _left_out(now: "JobState | None") -> None:
    """Report what the files contain that is not in the index, on standard error."""
    from core.text.display.plurals import number
    from core.text.import_sources import is_made_elsewhere

    if now is None:
        return
    for rejected in now.rejected[:_LISTED]:
        note(f"Not read: {rejected}")
    if now.rejected_count > _LISTED:
        note(f"… and {now.rejected_count - _LISTED:,} more files")
    if now.duplicate_count:
        note(f"Left out: {number(now.duplicate_count, 'duplicate document')}")
    for remark in now.notes:
        note(f"Note: {remark}")
    for remark in (*now.cut, *filter(None, [now.longest])):
        note(f"Cut: {remark}")
    for passage, why in list(now.missed.items())[:_LISTED]:
        note(f"Rule-based pseudo-queries: {passage}: {why}")
    if now.dropped:
        note(f"Dropped: {now.dropped:,} out-questions answered by the same passage")
    if now.missed and now.job and not is_made_elsewhere(now.job.maker):
        note("To retry these with the model: python -m core add --ask-again --index DIR")


def _print(job: "Job", meta: "Meta", as_json: bool) -> None:
    """Print the counts, notices and location of the new index, or all of it as JSON."""
    if not as_json:
        from core.store.notices import notices

        console().print(counts_table(meta))
        for notice in notices(meta):
            note(notice)
        note(f"The index is in {job.index}")
        return
    from core.jobs import state

    now = state(job.index)
    cut = now.cut if now else ()
    read = (now.rejected, now.duplicates, now.notes) if now else ((), (), ())
    spending = now.spending if now else None
    print_json(
        {
            "index": str(job.index),
            "counts": {**asdict(meta.counts), "out_degree": meta.counts.out_degree},
            "seconds": meta.seconds,
            "graph_version": meta.graph_version,
            "rejected": [{"name": each.name, "reason": each.reason} for each in read[0]],
            "duplicates": [asdict(each) for each in read[1]],
            "notes": list(read[2]),
            "cut": list(cut),
            "spending": asdict(spending) if spending else None,
            "dropped_questions": now.dropped if now else 0,
        }
    )
