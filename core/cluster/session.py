"""Ray, begun on this machine or joined where it runs."""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from core.errors import InputError, StoreError
from core.settings import APP

ENGINE = "ray"
PATIENCE = 120.0  # seconds until Ray has begun or answered
LIVES = 8  # processes that one batch may cost beyond its first
TICK = 0.5  # seconds between two words of progress
_CORE = Path(__file__).parent.parent
_LEFT_OUT = [".git", "assets/screenshots", "tests", "**/__pycache__"]
_STORE = 2 * 2**30  # bytes of shared memory that a local Ray holds; the rest goes to disk
_SHARE = 6  # of the machine's memory, at most one part in so many


def address_of(on: str) -> str:
    """The address in `ray` or `ray:ADDRESS`; empty for a Ray of this machine's own.

    Raises
    ------
    InputError : it is neither.
    """
    engine, _, address = on.partition(":")
    if engine != ENGINE or on.endswith(":"):
        raise InputError(
            f"Unknown place to build {on!r}. Use --on ray for this machine, or --on ray:HOST:PORT."
        )
    return address


@contextmanager
def joined(address: str, tell: Callable[[], None]) -> Iterator[None]:
    """Be connected to the Ray at `address`, empty for one of this machine's own, and leave it at
    the end. Who is connected already stays so. `tell` is called while it begins, and may raise.

    Raises
    ------
    StoreError : nothing answers there.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # read when it begins
    os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"  # else what a stopped build left running starts one
    os.environ.setdefault("RAY_task_oom_retries", str(LIVES))  # else for ever
    import ray

    if ray.is_initialized():
        yield
        return
    left = threading.Event()
    try:
        _connect(address, tell, left)
        yield
    finally:
        ray.shutdown()
        left.set()


def _connect(address: str, tell: Callable[[], None], left: threading.Event) -> None:
    """Beside this thread: Ray would take the signal that ends a process for itself, which a job has
    its own use for, and would knock at an address where nobody is for a quarter of an hour.

    The processes of a local Ray go with the thread that began them, which stays until `left`.
    """
    ended: queue.Queue[Exception | None] = queue.Queue()

    def connect() -> None:
        try:
            _init(address)
        except Exception as error:  # of many kinds, and some have no other
            ended.put(error)
        else:
            ended.put(None)
            left.wait()

    threading.Thread(target=connect, daemon=True).start()
    until = time.monotonic() + PATIENCE
    error: Exception | None = TimeoutError(f"nothing in {PATIENCE:.0f} seconds")
    while time.monotonic() < until:
        tell()
        with suppress(queue.Empty):
            error = ended.get(timeout=TICK)
            break
    if error:
        where = f"at {address}" if address else "on this machine"
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise StoreError(
            f"Ray {where} does not answer ({why}). Start it with 'ray start --head', set "
            "RAY_AUTH_MODE=token if it requires a token, or build without --on. Finished "
            "embeddings are kept."
        ) from error


def _init(address: str) -> None:
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address:
        ray.init(address=address, runtime_env=_code(), **quiet)
    else:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        store = min(_STORE, memory // _SHARE)
        ray.init(address="local", object_store_memory=store, include_dashboard=False, **quiet)


def _code() -> dict[str, Any]:
    """Return the runtime environment that sends this code to the machines of a cluster."""
    shared = {"env_vars": {"OMP_WAIT_POLICY": "PASSIVE"}}  # as `let_threads_sleep` has it
    if _CORE.parent == APP:
        return {**shared, "working_dir": str(APP), "excludes": _LEFT_OUT}
    return {**shared, "py_modules": [str(_CORE)]}  # else all installed packages would be sent
