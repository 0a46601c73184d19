"""A thread that runs the code of a file, so that a call that never returns can be abandoned."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import TypeVar

T = TypeVar("T")

MOST_LEFT = 3
"""Maximum number of abandoned calls that still run; with as many, no further call starts."""
_NAME = "custom retriever"
_Calls = SimpleQueue[Callable[[], None] | None]


class TimeLimitReached(Exception):
    """A call took longer than it may, or too many such calls still run."""


def in_worker() -> bool:
    """Return whether this thread runs the code of a file."""
    return current_thread().name == _NAME


class Worker:
    """Runs one call after the other, all in one thread: database connections and event loops may
    be used only in the thread that made them. After an abandoned call, a new thread takes over.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._calls: _Calls | None = None
        self._left: list[Event] = []

    def do(self, call: Callable[[], T], seconds: float) -> tuple[T | None, BaseException | None]:
        """Return the result of `call`, or else the exception that it raises.

        Raises
        ------
        TimeLimitReached : it takes longer than `seconds`, or too many abandoned calls still run.
        """
        with self._lock:
            self._left = [each for each in self._left if not each.is_set()]
            if len(self._left) >= MOST_LEFT:
                raise TimeLimitReached
            calls = self._calls = self._calls or _start_thread()
            outcome, ended = SimpleQueue[tuple[T | None, BaseException | None]](), Event()

            def run_call() -> None:
                """Run the call, and put its result or exception into the queue."""
                try:
                    outcome.put((call(), None))
                except BaseException as error:  # a file may raise SystemExit, too
                    outcome.put((None, error))
                ended.set()

            calls.put(run_call)
            try:
                return outcome.get(timeout=seconds)
            except Empty:
                calls.put(None)
                self._left.append(ended)
                self._calls = None
                raise TimeLimitReached from None


def _start_thread() -> _Calls:
    calls: _Calls = SimpleQueue()
    Thread(target=_run, args=(calls,), name=_NAME, daemon=True).start()
    return calls


def _run(calls: _Calls) -> None:
    while call := calls.get():
        call()
