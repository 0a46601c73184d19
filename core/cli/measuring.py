"""Measuring a question set for the command `evaluate`, stored as a run or not."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.api.progress import progress_bars
from core.cli.common import note
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.artefacts.workbench import Workbench
    from core.evaluation import Counted, Evaluation
    from core.retrievers import Spec
    from core.runs import Run
    from core.runs.trec.export import Level
    from core.types import Query


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
            on_progress=report_progress,
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
    """Run the questions that the named run lacks, import other results, and report the run.

    Parameters
    ----------
    others : results to import as columns; with `answers`, answers are generated from them.
    trec : folder for TREC files of the run; `level` says what their lines name.
    force : import a file even if most of its ids are unknown.

    Raises
    ------
    InputError : the run is finished or has other questions, or a file cannot be imported.
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
    say_partial(report, kept.get(run.id))
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


def say_partial(report: "Evaluation", run: "Run") -> None:
    """Print which retrievers have rankings for only part of the questions."""
    for key in report.keys:
        if (asked := len(report.of(key))) < run.questions:
            note(
                f"{key} has rankings for {asked:,} of {number(run.questions, 'question')}. "
                "Its measures are means over these only."
            )
