"""Waiting for Ray: told while it lasts, and ended where nothing will come of it.

Ray itself waits for ever for a processor, and makes a process again as often as it is lost.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ray

from core.cluster.session import LIVES, TICK
from core.errors import HopRagError, StoreError
from core.progress import Progress, Report

PATIENCE = 300.0  # seconds without a process, or without any processor, after which a build ends
_LOOK = 10.0  # seconds
_KEPT = "finished embeddings are kept."


def task(function: Callable[..., Any], returns: int = 1) -> Any:
    """`function` for a process of Ray's, and for another one where that is lost.

    `returns` is how many things it returns.
    """
    return ray.remote(function).options(max_retries=LIVES, num_returns=returns)


def wait_for_process(tell: Callable[[], None]) -> None:
    """Return when a process of Ray's has begun; `tell` is called meanwhile, and may raise.

    Raises
    ------
    StoreError : none began within `PATIENCE`.
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
    """What is asked of a process to see that there is one."""


def _no_process_error() -> StoreError:
    free = ray.available_resources().get("CPU", 0)  # type: ignore[no-untyped-call]
    return StoreError(
        f"Ray did not start a process within {PATIENCE:,.0f} seconds. It has {processors():g} "
        f"processors, {free:g} of them free, and a build needs one. Check 'ray status' for "
        f"what is using them, or add a node with a free processor, then resume; {_KEPT}"
    )


def processors() -> float:
    """Of all nodes that Ray has now."""
    known: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return known.get("CPU", 0)


def with_timeout(report: Report) -> Report:
    """`report`, which ends a build that has had no processor to run on for `PATIENCE`.

    It is told progress again and again, as the stages do.
    """
    looked = seen = time.monotonic()

    def told(progress: Progress) -> None:
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

    return told


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raises what a worker raised for the user, or what became of Ray, as an error to be read."""
    try:
        yield
    except Exception as error:
        meant = _readable(error)
        if meant is error:
            raise
        raise meant from error


def _readable(error: Exception) -> Exception:
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
