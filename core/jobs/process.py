"""Start, cancel and resume jobs in separate processes that outlive their parent."""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core import errors
from core.errors import HopRagError, StoreError
from core.jobs.job import Job
from core.jobs.journal import recorded_jobs
from core.jobs.state import state
from core.jobs.worker import CANCEL
from core.models.money.budget import Budget
from core.places import Place

_PROJECT = Path(__file__).parent.parent.parent


def start(job: Job, environ: Mapping[str, str] | None = None) -> None:
    """Start `job` in a separate process; return when it has locked the index.

    Parameters
    ----------
    environ : the environment of that process, if it is not that of this one.

    Raises
    ------
    IndexLocked : another process is writing the index.
    StoreError : the process could not begin.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "core.jobs", str(job.place.absolute())],
        cwd=_PROJECT,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    # Somebody has to learn that it ended, or it stays in the process table.
    threading.Thread(target=process.wait, daemon=True).start()
    with process.stdin as given, process.stdout as said:  # type: ignore[union-attr]
        with suppress(BrokenPipeError):  # it ended at once; what it said tells why
            given.write(json.dumps(job.to_dict()).encode())
            given.close()
        check_taken(said.read())


def check_taken(said: bytes) -> None:
    """Raise the error that prevented a process from starting its job, if it reported one.

    Parameters
    ----------
    said : the standard output of the process.
    """
    *before, answer = said.decode(errors="replace").splitlines() or [""]
    if answer == TAKEN:
        return
    try:
        refusal = json.loads(answer)
        kind, message = getattr(errors, refusal["error"]), str(refusal["message"])
    except (ValueError, TypeError, KeyError, AttributeError):
        last = " ".join([*before, answer][-3:])
        raise StoreError(f"The job could not start: {last or 'it ended immediately'}") from None
    raise kind(message)


TAKEN = "taken"
"""What the process says when it has locked the index; else it says why not, as JSON."""


def refusal(error: HopRagError) -> str:
    """Return an error as JSON, as a job process reports it to its parent."""
    return json.dumps({"error": type(error).__name__, "message": str(error)})


def cancel(index: Place) -> None:
    """Ask the job that runs on `index` to stop; it does so within about a batch of texts.

    Raises
    ------
    StoreError : the folder cannot be written.
    """
    now = state(index)
    if now is None or not now.running:
        return
    try:
        (index / CANCEL).touch()
    except OSError as error:
        raise StoreError(
            f"{index} is not writable ({error.strerror}), so the job cannot be stopped."
        ) from error


def build_anew(index: Place, by: str = "", environ: Mapping[str, str] | None = None) -> None:
    """Start the last build of `index` again, over whatever is left of it.

    What was added since has to be added again.

    Parameters
    ----------
    by : the person who asks for it, where visitors are told apart.
    environ : as of `start`.

    Raises
    ------
    StoreError : no build of it is recorded.
    IndexLocked : it is being written.
    """
    job = last_build(index)
    if job is None:
        raise StoreError(
            f"No build of {index.name} is recorded. Build it again from its files on the "
            "Corpus page, with the same name."
        )
    start(replace(job, restart=True, by=by), environ)


def last_build(index: Place) -> Job | None:
    """Return the last job that built `index`; None if the record has none that can be read."""
    for raw in reversed(recorded_jobs(index)):
        with suppress(ValueError, TypeError, KeyError):
            job = Job.from_dict(raw, index)
            if job.kind == "build":
                return job
    return None


def resume(
    index: Place,
    budget: Budget | None = None,
    by: str = "",
    environ: Mapping[str, str] | None = None,
) -> None:
    """Start the last job of `index` again; what it had embedded is not embedded again, and what
    it had paid for is not asked again. After a build or a make that failed, the model is asked once
    more for what it answered and could not be used, as that may be why.

    Parameters
    ----------
    budget : instead of the job's own, of which this run may spend as much once more.
    by : the person who resumes it, where visitors are told apart.
    environ : as of `start`.

    Raises
    ------
    StoreError : there is no job to resume, or its record is damaged.
    IndexLocked : it is still running.
    """
    now = state(index)
    if now is None or now.job is None:
        raise StoreError(f"{index.name} has no job to resume. Build it again from its files.")
    failed = now.status == "failed" and now.job.kind in ("build", "make")
    start(
        replace(
            now.job,
            budget=now.job.budget if budget is None else budget,
            by=by,
            again=now.job.again or failed,
        ),
        environ,
    )
