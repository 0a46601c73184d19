"""Wait for Ray with progress, timeouts and readable errors.

Ray itself waits forever for a processor, and by default restarts a lost process without limit.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ray

from core.cluster.session import LIVES, TICK
from core.errors import HopRagError, StoreError
from core.progress import Progress, Report

PATIENCE = 300.0  # seconds without a process or processor before a build fails
_LOOK = 10.0  # seconds between two checks
_KEPT = "finished embeddings are kept."


def task(function: Callable[..., Any], returns: int = 1) -> Any:
    """Return `function` as a Ray task that is retried if its process is lost.

    Parameters
    ----------
    returns : number of values that it returns.
    """
    return ray.remote(function).options(max_retries=LIVES, num_returns=returns)


def wait_for_process(tell: Callable[[], None]) -> None:
    """Wait until Ray has started a process, calling `tell` in between.

    Raises
    ------
    StoreError : no process started within `PATIENCE`.
    """
    begun = task(_do_nothing).remote()
    until = time.monotonic() + PATIENCE
    while not ray.wait([begun], timeout=TICK)[0]:
        tell()
        if time.monotonic() > until:
            ray.cancel(begun, force=True)
            raise _no_process_error()
    ray.get(begun)


def _do_nothing() -> None:
    """Do nothing; a task that only shows that a process runs."""


def _no_process_error() -> StoreError:
    """Return the error for a cluster without a free processor."""
    free = ray.available_resources().get("CPU", 0)  # type: ignore[no-untyped-call]
    return StoreError(
        f"Ray did not start a process within {PATIENCE:,.0f} seconds. It has {processors():g} "
        f"processors, {free:g} of them free, and a build needs one. Check 'ray status' for "
        f"what is using them, or add a node with a free processor, then resume; {_KEPT}"
    )


def processors() -> float:
    """Return the number of processors of all nodes of the cluster."""
    known: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return known.get("CPU", 0)


def with_timeout(report: Report) -> Report:
    """Return `report`, extended by a check for processors.

    It raises StoreError if the cluster has had no processor for `PATIENCE`. The stages report
    progress often enough for this check.
    """
    looked = seen = time.monotonic()

    def report_and_check(progress: Progress) -> None:
        """Report progress; raise StoreError if the cluster has had no processors for too long."""
        nonlocal looked, seen
        report(progress)
        now = time.monotonic()
        if now - looked < _LOOK:
            return
        looked = now
        if processors():
            seen = now
        elif now - seen > PATIENCE:
            raise StoreError(
                f"Ray has had no processors for {PATIENCE:,.0f} seconds: every node with "
                "processors has left. Add a node, check it with 'ray status', and resume; "
                f"{_KEPT}"
            )

    return report_and_check


@contextmanager
def readable_errors() -> Iterator[None]:
    """Turn exceptions of Ray into errors that a user can read.

    An error that a worker raised for the user is raised again as it was.
    """
    try:
        yield
    except Exception as error:
        meant = _explained_error(error)
        if meant is error:
            raise
        raise meant from error


def _explained_error(error: Exception) -> Exception:
    """Return the project's own error inside an error of Ray, or a StoreError that explains it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ray.exceptions.RayTaskError):  # is of the kind of its cause, too
            cause = cause.cause
        elif isinstance(cause, HopRagError):
            return cause
        else:
            cause = cause.__cause__
    name = type(error).__name__
    if isinstance(error, _PROCESS):
        return StoreError(
            f"Ray lost the process of one batch {LIVES + 1} times ({name}). The usual cause "
            "is insufficient memory. Close other programs there or use a machine with more "
            f"memory, then resume; {_KEPT} Ray's own logs say which process was killed and "
            "why."
        )
    if isinstance(error, ray.exceptions.RayError) and not isinstance(
        error, ray.exceptions.RayTaskError
    ):
        return StoreError(f"Ray was lost ({name}). Start it again and resume; {_KEPT}")
    return error


_PROCESS = (
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.ActorDiedError,
)
