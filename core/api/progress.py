"""Progress bars, in a terminal and in a notebook."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.errors import BudgetReached, Cancelled

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from core.jobs import Job
    from core.progress import Progress
    from core.store.metadata import Meta

_STAGES = {
    "read": "Reading",
    "load": "Loading the embedder",
    "chunk": "Chunking",
    "questions": "Asking",
    "embed": "Embedding",
    "merge": "Merging",
    "extract": "Extracting",
    "write": "Writing",
    "corpus-map": "Drawing the map",
}


@contextmanager
def progress_bars() -> Iterator["Bars"]:
    """Bars on standard error."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:<12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield bars


def run_with_bars(job: "Job") -> "Meta":
    """Run `job` in this process with progress bars.

    Raises
    ------
    HopRagError : as `core.jobs.run` does.
    """
    from core.jobs import run

    with progress_bars() as bars:
        tasks = {}

        def report(progress: "Progress") -> None:
            """Update the bar of the stage, and create it when the stage begins."""
            stage_name = _STAGES.get(progress.stage, progress.stage.capitalize())
            if progress.stage not in tasks:
                tasks[progress.stage] = bars.add_task(stage_name)
            task = tasks[progress.stage]
            bars.update(task, completed=progress.done, total=progress.total)
            if told := progress.model_told:
                bars.update(task, description=f"{stage_name} ({told})")

        try:
            return run(job, report)
        except BudgetReached:
            raise
        except Cancelled as error:
            raise Cancelled(
                "Stopped. Finished embeddings are kept: run the same command again to resume."
            ) from error
