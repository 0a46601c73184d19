"""Runs on the command line: kept by `evaluate --run`, listed and compared by `runs`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.api.progress import progress_bars
from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    index_place,
    note,
    plain,
    print_json,
    stored_index,
)
from core.cli.tables import (
    chain_table,
    cross_index_table,
    cross_index_title,
    difference_table,
    effect_table,
    measures_table,
    runs_table,
)
from core.errors import InputError

if TYPE_CHECKING:
    from core.artefacts.workbench import Workbench
    from core.evaluation import Counted, Evaluation
    from core.retrievers import Spec
    from core.runs import Run, Runs
    from core.runs.analysis.chain_slices import Slice
    from core.runs.analysis.cross_index import Side
    from core.runs.trec.export import Level
    from core.types import Query

runs = typer.Typer(
    help="Manage the stored evaluation runs of an index: list, show, rename, delete, compare.",
    no_args_is_help=True,
)
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Name or id of a run.")]


def measure_unnamed(
    workbench: "Workbench",
    questions: "Sequence[Query]",
    specs: "Sequence[Spec]",
    question_set: str,
    *,
    answers: bool,
    judge: bool,
) -> "Evaluation":
    """Measure without storing the run; as `core.runs.measuring.evaluate`, with a progress bar."""
    from core.runs.measuring import evaluate

    with _progress() as report_progress:
        return evaluate(
            *(questions, workbench, specs),
            question_set=question_set,
            answers=answers,
            judge=judge,
            told=report_progress,
        )


def measure_named(
    workbench: "Workbench",
    questions: "Sequence[Query]",
    specs: "Sequence[Spec]",
    name: str,
    question_set: str,
    baseline: str,
    others: Sequence[Path],
    trec: Path | None,
    level: "Level",
    *,
    force: bool,
    answers: bool,
    judge: bool,
) -> "Evaluation":
    """Evaluate the remaining questions of the named run, add imported rankings, and report it.

    Parameters
    ----------
    others : results to import as further columns; with answers, they are answered from, too.
    trec : folder for TREC files of the run, whose lines name what `level` says.
    force : import whatever share of a file's ids is unknown.

    Raises
    ------
    InputError : a run of that name is finished, or asks something else; or a file is not imported.
    """
    from core.api.evaluating import measured_run, stored_run
    from core.cli.run_files import bring, write
    from core.errors import HopRagError
    from core.runs import Runs
    from core.runs.answers import answers_of
    from core.runs.evaluation_report import report_of
    from core.runs.imported_answers import answer_imported

    kept = Runs(workbench.index.path)
    run = stored_run(
        *(workbench, questions, specs, name, question_set),
        baseline=baseline,
        answers=answers,
        judge=judge,
    )
    with _progress() as report_progress:
        report = measured_run(workbench, run, report_progress)
    _say_partial(report, kept.get(run.id))
    for path in others:
        bring(kept, kept.get(run.id), path, workbench.index, force=force)
    if others:
        took, stopped = report.answering, report.stopped
        if not stopped and (read := answers_of(run, workbench)):
            try:
                answer_imported(kept, kept.get(run.id), workbench.index, read)
            except HopRagError as error:
                stopped = error
            took = took.plus(read.usage) if took else read.usage
        report = replace(report_of(kept, kept.get(run.id)), answering=took, stopped=stopped)
    if trec:
        write(kept, kept.get(run.id), trec, workbench.index, level)
    note(f"Stored as run {run.name} ({run.id}).")
    return report


@contextmanager
def _progress() -> "Iterator[Counted]":
    """Show a progress bar and yield the function that advances it."""
    with progress_bars() as bars:
        task = bars.add_task("Asking")
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _say_partial(report: "Evaluation", run: "Run") -> None:
    """Name the retrievers whose measures are over some of the questions only."""
    for key in report.keys:
        if (asked := len(report.of(key))) < run.questions:
            note(
                f"{key} has rankings for {asked:,} of {run.questions:,} questions. Its measures "
                "are means over these only."
            )


@runs.command("list")
def list_runs(index: IndexOption, as_json: JsonFlag = False) -> None:
    """List the runs of an index, newest first."""
    stored = runs_of(index).all()
    if as_json:
        print_json([_told(run) for run in stored])
        return
    console().print(runs_table(stored))


@runs.command()
def show(run: RunArgument, index: IndexOption, as_json: JsonFlag = False) -> None:
    """Print the results of a run, as `evaluate` does, and the digests of its configurations."""
    from core.marks import level_told
    from core.runs.evaluation_report import report_of
    from core.runs.gold import level_of

    kept = runs_of(index)
    known = kept.get(run)
    report = report_of(kept, known)
    _say_partial(report, known)
    chain = _by_hop(kept, known)
    if as_json:
        told = {hop: asdict(each) for hop, each in chain.items()}
        by_hop = {"by_chain_position": told} if told else {}
        print_json({**_told(known), **report.to_json(), **by_hop})
        return
    console().print(
        f"{plain(known.name)}: {known.questions:,} questions of {plain(known.question_set)}, "
        f"{known.state}, {known.made_at} ({known.id}). {level_told(level_of(known))}"
    )
    for column in known.columns:
        console().print(f"  {column.configuration or 'elsewhere':10}  {plain(column.retriever)}")
    if report.rows:
        console().print(measures_table(report))
    if chain:
        from core.runs.analysis.chain_slices import DEEPEST

        console().print(f"R@{DEEPEST} of the evidence at each position of the reasoning chain:")
        console().print(chain_table(chain, known.retrievers))


def _by_hop(kept: "Runs", run: "Run") -> "dict[str, Slice]":
    """Return recall by chain position; empty where fewer than two are known."""
    from core.runs.analysis.chain_slices import chain_slices, has_chain

    if not has_chain(kept, run):
        return {}
    return {each.value: each for each in chain_slices(kept, run)}


@runs.command()
def rename(
    run: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="New name.")],
    index: IndexOption,
) -> None:
    """Rename a run."""
    runs_of(index).rename(run, name)


@runs.command()
def delete(run: RunArgument, index: IndexOption) -> None:
    """Delete a run and its results. Reviews stay with the index."""
    from core.reviews import Reviews
    from core.reviews.reviews_of_run import staying

    kept = runs_of(index)
    gone = kept.get(run)
    kept_reviews = staying(gone, kept, Reviews(kept.path.parent).all())
    kept.delete(gone.id)
    note(str(kept_reviews))


@runs.command("remove-column")
def remove_column(
    run: RunArgument,
    retriever: Annotated[
        str, typer.Argument(metavar="RETRIEVER", help="The retriever, as `runs show` lists it.")
    ],
    index: IndexOption,
) -> None:
    """Remove one retriever and its results from a run. Reviews stay with the index."""
    kept = runs_of(index)
    known = kept.get(run)
    kept.remove_column(known.id, retriever)
    note(f"Removed {retriever} from {known.name}.")


@runs.command()
def compare(
    run: RunArgument,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The run to compare with.")],
    index: IndexOption,
    measure: Annotated[
        str, typer.Option(metavar="MEASURE", help="Measure, such as R@5. Default: R@20.")
    ] = "",
    with_index: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="Index of run BEFORE, if it differs (same corpus). Compares evidence recall and "
            "tokens to read.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Compare each retriever of a run with the same retriever in another run, by question."""
    if with_index:
        if measure:
            raise InputError("--with-index compares all measures. Omit --measure.")
        _compare_indexes(_side(index, run), _side(with_index, before), as_json=as_json)
        return
    from core.runs.analysis.standings import between

    kept = runs_of(index)
    ours, theirs = kept.get(run), kept.get(before)
    differences = between(kept, ours, theirs, measure or "R@20")
    if not differences:
        raise InputError(f"{ours.name} and {theirs.name} share no retriever or no question.")
    if as_json:
        print_json({key: each.to_dict() for key, each in differences.items()})
        return
    console().print(difference_table(differences, f"{plain(ours.name)} minus {plain(theirs.name)}"))


@runs.command()
def effect(
    trial: Annotated[str, typer.Argument(metavar="TRIAL", help="A trial: a run with one change.")],
    index: IndexOption,
    as_json: JsonFlag = False,
) -> None:
    """Print the net effect of a change on all questions, as on the Errors page.

    Questions that lost gold before, and the others, are described but not tested, because
    they were selected by their outcome.
    """
    from core.reviews.losses.change_effect import effect_of, of_trial

    kept = runs_of(index)
    run = kept.get(trial)
    parents = of_trial(run, kept.all())
    if not parents:
        raise InputError(
            f"{run.name} is not a trial of another run. Start a trial on Errors, or compare two "
            "runs: python -m core runs compare"
        )
    effects = {
        (before, after): effect_of(kept, (parent, before), (run, after))
        for parent, before in parents
        for after in run.retrievers
    }
    if as_json:
        print_json([{"before": b, "after": a, **asdict(each)} for (b, a), each in effects.items()])
        return
    for (before, after), each in effects.items():
        console().print(effect_table(each, f"{plain(after)} minus {plain(before)}"))


def _side(index: str, run: str) -> "Side":
    """Return a run of an index, which is opened without its embedder."""
    from core.runs.analysis.cross_index import Side

    kept = runs_of(index)
    return Side(stored_index(index), kept.get(run))


def _compare_indexes(ours: "Side", theirs: "Side", *, as_json: bool) -> None:
    from core.runs.analysis.cross_index import compare_indexes

    differences = compare_indexes(ours, theirs)
    if as_json:
        print_json(differences.to_json())
        return
    console().print(cross_index_title(differences), soft_wrap=True)
    console().print(cross_index_table(differences))
    console().print(plain(str(differences.scope)), soft_wrap=True)


def runs_of(index: str) -> "Runs":
    """Return the runs of an index, which `--index` names."""
    from core.runs import Runs
    from core.store.metadata import require_finished

    folder = index_place(index)
    require_finished(folder)
    return Runs(folder)


def _told(run: "Run") -> dict[str, object]:
    from core.runs.gold import level_of

    return {
        "id": run.id,
        "name": run.name,
        "made_at": run.made_at,
        "state": run.state,
        "message": run.message,
        "question_set": run.question_set,
        "questions": run.questions,
        "gold": level_of(run),
        "content": run.content,
        "graph": run.graph,
        "settings": dict(run.settings),
        "configurations": {each.retriever: each.configuration for each in run.columns},
    }
