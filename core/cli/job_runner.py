"""Run a job in the command's own process, with progress bars on standard error."""

from typing import TYPE_CHECKING

from core.cli.common import quiet

if TYPE_CHECKING:
    from core.jobs import Job
    from core.store.metadata import Meta


def run_here(job: "Job") -> "Meta":
    """Run the job with progress bars and return the new metadata; raises as `core.jobs.run`."""
    quiet()
    from core.api.progress import run_with_bars

    return run_with_bars(job)
