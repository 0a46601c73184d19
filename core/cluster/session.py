"""Start Ray on this machine, or connect to a running cluster."""

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
PATIENCE = 120.0  # seconds to wait until Ray has started or answered
LIVES = 8  # retries of a batch whose process is lost
TICK = 0.5  # seconds between two calls of progress
_CORE = Path(__file__).parent.parent
_LEFT_OUT = [".git", "assets/screenshots", "tests", "**/__pycache__"]
_STORE = 2 * 2**30  # bytes of shared memory that a local Ray holds; the rest goes to disk
_SHARE = 6  # of the machine's memory, at most one part in so many


def address_of(on: str) -> str:
    """Return the address in `ray:ADDRESS`, or "" for `ray`, a local Ray on this machine.

    Raises
    ------
    InputError : `on` has another form.
    """
    engine, _, address = on.partition(":")
    if engine != ENGINE or on.endswith(":"):
        raise InputError(
            f"Unknown place to build {on!r}. Use --on ray for this machine, or --on ray:HOST:PORT."
        )
    return address


@contextmanager
def joined(address: str, tell: Callable[[], None]) -> Iterator[None]:
    """Connect to Ray within the context, and disconnect at the end.

    If this process is already connected, that connection is used and kept.

    Parameters
    ----------
    address : address of a cluster; "" starts a local Ray.
    tell : called repeatedly while Ray starts; may raise.

    Raises
    ------
    StoreError : Ray does not answer.
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
    """Connect to Ray in another thread, which lives until `left` is set.

    In the main thread, Ray would replace the handler of the signal with which a job is stopped,
    and would try an address that does not answer for 15 minutes. The processes of a local Ray end
    with the thread that started them.
    """
    ended: queue.Queue[Exception | None] = queue.Queue()

    def connect() -> None:
        """Connect, report None or the error, and keep the connection until `left` is set."""
        try:
            _init_ray(address)
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


def _init_ray(address: str) -> None:
    """Connect to the cluster at `address`, or start Ray here with a share of the memory."""
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
