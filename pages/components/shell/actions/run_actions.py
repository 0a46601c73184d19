"""Start, search, import, rename and delete runs, as an editor."""

from collections.abc import Callable, Sequence

from core import OpenIndex, import_results, jobs
from core.artefacts.workbench import Workbench
from core.errors import HopRagError, InputError
from core.evaluation import question_outcomes
from core.evaluation.kept import KeptRankings, kept_passages
from core.models.money.budget import NO_BUDGET, Budget
from core.pipelines import ImportedResults
from core.places import Place
from core.retrievers import Spec
from core.runs import Row, Run, Runs, fixes, measuring
from core.runs.question_vectors import write_vectors
from core.settings_search import begin_search
from core.steps import Step
from core.text.display.plurals import number
from core.types import Query
from pages.components.shell import model_servers
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors.visitor import visitor


def ask_all(
    workbench: Workbench,
    spec: Spec,
    questions: Sequence[Query],
    on_progress: Callable[[int, int], None] | None = None,
    *,
    seconds: float = float("inf"),
) -> None:
    """Run every question against a retriever and store the rankings with the index."""
    need_editor()
    question_outcomes.ask_all(workbench, spec, questions, on_progress, seconds=seconds)


def hold(workbench: Workbench, spec: Spec, question: str, steps: Sequence[Step]) -> None:
    """Store the ranking of one of the index's questions, if the visitor is an editor."""
    kept = kept_passages(steps)
    if not visitor().may_edit or kept is None or not workbench.index.question(question):
        return
    held = KeptRankings.of(workbench)
    if held.ranking(spec, question) != kept:
        held.put(spec, {question: kept})


def evaluate(
    workbench: Workbench,
    questions: Sequence[Query],
    specs: Sequence[Spec],
    *,
    name: str,
    question_set: str,
    budget: Budget,
    answers: bool = False,
    judge: bool = False,
    trial_of: str = "",
    tell: Callable[[str], object] = str,
) -> Run:
    """Start a run in a separate process. A run that cannot start is deleted.

    Parameters
    ----------
    tell : called with what is done now, for the screen.
    """
    by = need_editor("evaluate", workbench.index.name)
    tell("checking the retrievers")
    run = measuring.begin(
        workbench,
        questions,
        specs,
        name=name,
        question_set=question_set,
        by=by,
        answers=answers,
        judge=judge,
        trial_of=trial_of,
    )
    tell(f"embedding {number(len(questions), 'question')}")
    write_vectors(jobs.evaluation_place(workbench.index.path), run, questions, workbench)
    tell("opening a process for it")
    return _start_run(workbench.index.path, run, budget)


def search_settings(
    workbench: Workbench,
    questions: Sequence[Query],
    base: Spec,
    *,
    name: str,
    question_set: str,
    measure: str,
) -> Run:
    """Start a search over the settings of `base`, in a separate process."""
    run = begin_search(
        workbench,
        questions,
        base,
        name=name,
        question_set=question_set,
        measured_by=measure,
        by=need_editor("search settings", workbench.index.name),
    )
    return _start_run(workbench.index.path, run, NO_BUDGET)


def _start_run(index: Place, run: Run, budget: Budget) -> Run:
    """Start measuring a new run, or delete it if that fails."""
    try:
        go_on(index, run, budget)
    except HopRagError:
        Runs(index).delete(run.id)
        raise
    return run


def go_on(index: Place, run: Run, budget: Budget | None = None) -> None:
    """Resume a run."""
    by = need_editor("resume a run", index.name)
    job = jobs.Job("evaluate", index, run=run.id, budget=budget or NO_BUDGET, by=by)
    jobs.start(job, model_servers.environ_of_jobs())


def cancel_evaluation(index: Place) -> None:
    """Cancel the run in progress of an index."""
    need_editor("cancel", index.name)
    jobs.cancel(jobs.evaluation_place(index))


def rescue(run: Run, row: Row, workbench: Workbench) -> fixes.Found:
    """Search for changes that retrieve the lost gold of a row of a run."""
    need_editor()
    return fixes.rescued(run, row, workbench)


def search_rescues(some: fixes.Losses, workbench: Workbench) -> fixes.Found:
    """Search for changes that retrieve lost gold, longer than a search that was stopped."""
    need_editor()
    return fixes.continued(some, workbench)


def rename_run(index: Place, run: str, name: str) -> None:
    """Rename a run."""
    need_editor("rename a run", index.name)
    Runs(index).rename(run, name)


def delete_run(index: Place, run: str) -> None:
    """Delete a run that is not in progress."""
    need_editor("delete a run", index.name)
    _check_not_measured(index, run)
    Runs(index).delete(run)


def _check_not_measured(index: Place, run: str) -> None:
    now = jobs.state(jobs.evaluation_place(index))
    if now and now.running and now.job and now.job.run == run:
        raise InputError("This run is still in progress. Cancel it first.")


def import_run(workbench: Workbench, run: str, found: ImportedResults, *, force: bool) -> None:
    """Add imported results to a run, which is created if it does not exist."""
    need_editor("import a run", workbench.index.name)
    import_results(OpenIndex(workbench), found, run, force=force)


def begin_imported_run(workbench: Workbench, found: ImportedResults, *, force: bool) -> Run:
    """Create a run from imported results, under their name."""
    runs = Runs(workbench.index.path)
    if any(run.name == found.name for run in runs.all()):
        raise InputError(f"A run named {found.name!r} already exists. Choose another name.")
    import_run(workbench, found.name, found, force=force)
    return next(run for run in runs.all() if run.name == found.name)


def remove_column(index: Place, run: str, retriever: str) -> None:
    """Remove a retriever from a run that is not in progress."""
    need_editor("remove a retriever from a run", index.name)
    _check_not_measured(index, run)
    Runs(index).remove_column(run, retriever)
