"""Files of runs on the command line: write TREC files, import results."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.common import note, plain, print_json

if TYPE_CHECKING:
    from core.runs import Run, Runs
    from core.runs.trec.export import Level
    from core.store.index import Index


def write(kept: "Runs", run: "Run", folder: Path, index: "Index", level: "Level") -> None:
    """Write a run as TREC files, and print their paths and which scores are missing."""
    from core.runs.trec.export import without_scores, write_trec

    for path in write_trec(kept, run, folder, index, level):
        note(f"Written: {path}")
    for retriever in without_scores(kept, run):
        note(f"This run has no stored scores for {retriever}. Its file contains 1 / rank instead.")


def bring(
    kept: "Runs",
    run: "Run",
    path: Path,
    index: "Index",
    name: str = "",
    *,
    force: bool,
    as_json: bool = False,
) -> None:
    """Import results of another pipeline, and print how many of its ids are known.

    Raises
    ------
    InputError : the file is unreadable, or too many ids are unknown and `force` is False.
    """
    from core.pipelines import import_results, read_results

    results = read_results(path, kept.questions(run.id), index, name)
    refused = results.is_doubtful and not force
    if as_json:
        print_json({**results.to_json(), "imported": not refused})
    if refused:
        note("Use --force to import it anyway.")
    import_results(kept, run, results, index, force=force)
    note(f"Imported {path.name}: {results}")
    if not results.has_steps:
        note(
            "Only rankings are known, so lost evidence has no stage of loss. To get it, import the "
            "spans of the pipeline, or name its retriever in HOPRAG_RETRIEVERS and use `funnel`."
        )
    note(f"Open the run {plain(run.name)!r} on Evaluate or Errors, or use `runs show`.")
