"""A job in the command's own process, with bars on standard error."""

from typing import TYPE_CHECKING

from core.cli.common import progress_bars, quiet
from core.errors import BudgetReached, Cancelled

if TYPE_CHECKING:
    from core.jobs import Job
    from core.progress import Progress
    from core.store.meta import Meta

_STAGES = {
    "read": "Reading",
    "load": "Loading the embedder",
    "chunk": "Chunking",
    "questions": "Asking",
    "embed": "Embedding",
    "merge": "Merging",
    "write": "Writing",
    "corpus-map": "Drawing the map",
}


def run_here(job: "Job") -> "Meta":
    """Do `job` and show how far it is; raises as `core.jobs.run` does."""
    quiet()
    from core.jobs import run

    with progress_bars() as bars:
        tasks = {}

        def report(progress: "Progress") -> None:
            said = _STAGES.get(progress.stage, progress.stage.capitalize())
            if progress.stage not in tasks:
                tasks[progress.stage] = bars.add_task(said)
            task = tasks[progress.stage]
            bars.update(task, completed=progress.done, total=progress.total)
            if told := progress.model_told:
                bars.update(task, description=f"{said} ({told})")

        try:
            return run(job, report)
        except BudgetReached:
            raise
        except Cancelled as error:
            raise Cancelled(
                "Stopped. Finished embeddings are kept: run the same command again to resume."
            ) from error
