"""Exchange runs with other tools on the command line: runs export, runs import."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.commands.runs import RunArgument, runs, runs_of
from core.cli.common import IndexOption, JsonFlag, stored_index
from core.cli.run_files import bring, write
from core.errors import InputError

if TYPE_CHECKING:
    from core.runs import Run, Runs
    from core.store.index import Index


class LevelChoice(StrEnum):
    """What the lines of TREC files name (`core.runs.trec.export.Level`)."""

    passage = "passage"
    document = "document"


LevelOption = Annotated[
    LevelChoice,
    typer.Option(
        "--level",
        help="Units in TREC files: passages, or documents with the score of their best passage.",
    ),
]
ForceFlag = Annotated[
    bool,
    typer.Option("--force", help="Import a file although more than 5% of its ids are unknown."),
]


@runs.command("export")
def export_run(
    run: RunArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the files.")],
    index: IndexOption,
    level: LevelOption = LevelChoice.passage,
) -> None:
    """Write a run as TREC files: qrels, and the ranking of each retriever."""
    kept = runs_of(index)
    write(kept, kept.get(run), folder, _index(kept), level.value)


@runs.command("import")
def import_run(
    run: RunArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Results from another pipeline.")],
    index: IndexOption,
    name: Annotated[
        str,
        typer.Option(
            "--name",
            metavar="NAME",
            help="Name of the column. Default: the pipeline's name in its spans, or the file name.",
        ),
    ] = "",
    new: Annotated[
        bool,
        typer.Option("--new", help="Start a run with this name on the questions of the index."),
    ] = False,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Add results from another pipeline to a run as a column.

    Each record has a question and its retrieved contexts: {question, contexts: [{text, id, title,
    score}], answer}. Files from Ragas, RAGChecker, BEIR, HippoRAG, LlamaIndex, LangChain and the
    HopRAG code are supported. Contexts are matched to passages by id or text, and evidence
    is located in them regardless of chunking. Spans in OTLP JSON, or exported by Phoenix, LangSmith
    or Langfuse, also give the stage at which evidence was lost.
    """
    kept = runs_of(index)
    opened = _index(kept)
    target = _new_run(opened, run) if new else kept.get(run)
    try:
        bring(kept, target, file, opened, name, force=force, as_json=as_json)
    except InputError:
        if new:
            kept.delete(target.id)
        raise


def _new_run(index: "Index", name: str) -> "Run":
    """Create a run without columns for an import; InputError if the name is taken."""
    from core.pipelines import begin_imported_run
    from core.runs import Runs
    from core.runs.question_sets import own_questions

    if any(run.name == name for run in Runs(index.path).all()):
        raise InputError(f"A run named {name!r} already exists. Omit --new to add to it.")
    return begin_imported_run(index, own_questions(index), name)


def _index(kept: "Runs") -> "Index":
    return stored_index(kept.path.parent)
