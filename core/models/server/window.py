"""Run slow calls concurrently and yield their results in order, in bounded memory."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from core.errors import Cancelled

AHEAD = 8
"""Items submitted ahead of the oldest pending result, per concurrent call."""
GRACE = 0.5  # seconds that running calls get to finish after the caller stops
_LOOK = 0.25  # seconds

T = TypeVar("T")
R = TypeVar("R")


def abandoned() -> bool:
    """Check whether the result of this thread's call is no longer needed.

    This is so if its round, or a round around it, was left. No further call should be started.
    """
    round_ = _ROUND.get()
    while round_ and not round_.left:
        round_ = round_.around
    return round_ is not None


def in_order(
    do: Callable[[T], R],
    items: Iterable[T],
    at_once: int,
    meanwhile: Callable[[], None] = lambda: None,
) -> Generator[R, None, None]:
    """Yield `do(item)` for each item, in order, with up to `at_once` concurrent calls.

    Up to `AHEAD * at_once` items are submitted ahead of the oldest pending result. If `do` raises,
    the error is raised in place of that item's result: running calls finish first, and no further
    ones start. If the caller stops early, running calls get `GRACE` seconds and are then abandoned.

    Parameters
    ----------
    meanwhile : called about four times a second while waiting; may raise.
    """
    round_ = _Round(do, at_once, _ROUND.get())
    begun: deque[Future[R]] = deque()

    def wait_for(future: Future[R]) -> None:
        """Wait for a call and call `meanwhile` regularly; Cancelled if an outer round was left."""
        while not wait([future], _LOOK).done:
            if abandoned():  # this round runs inside a call of another round
                raise Cancelled("These calls are no longer needed.")
            meanwhile()

    def first() -> R:
        """Return the result of the oldest call; if it failed, wait for all running calls first."""
        future = begun.popleft()
        wait_for(future)
        if future.exception():
            round_.leave()
            for other in round_.under_way():
                wait_for(other)
        return future.result()

    try:
        for item in items:
            begun.append(round_.submit(item))
            if len(begun) >= AHEAD * at_once:
                yield first()
        while begun:
            yield first()
    finally:
        round_.leave()
        wait(round_.under_way(), GRACE)


class _Round(Generic[T, R]):
    """A pool of threads that call `do` on queued items until `leave` is called.

    The threads are daemons: the program can exit without waiting for a server.
    """

    def __init__(
        self, do: Callable[[T], R], at_once: int, around: "_Round[Any, Any] | None"
    ) -> None:
        self.around = around
        self.left = False
        self._do = do
        self._at_once = at_once
        self._threads = 0
        self._todo: SimpleQueue[tuple[Future[R], T] | None] = SimpleQueue()
        self._changing = threading.Lock()
        self._under_way: set[Future[R]] = set()

    def submit(self, item: T) -> Future[R]:
        """Queue an item and start another thread if fewer than `at_once` exist."""
        future: Future[R] = Future()
        self._todo.put((future, item))
        if self._threads < self._at_once:
            self._threads += 1
            threading.Thread(target=self._work, daemon=True).start()
        return future

    def leave(self) -> None:
        """Start no further calls."""
        if not self.left:
            self.left = True
            for _ in range(self._threads):
                self._todo.put(None)

    def under_way(self) -> set[Future[R]]:
        with self._changing:
            return set(self._under_way)

    def _work(self) -> None:
        """Process queued items until the queue ends; after `leave`, cancel the remaining ones."""
        _ROUND.set(self)
        while task := self._todo.get():
            future, item = task
            with self._changing:
                self._under_way.add(future)
            # Checked after the call is registered, so that `under_way` includes every started call.
            try:
                if self.left:
                    raise Cancelled("This is no longer needed.")
                future.set_result(self._do(item))
            except BaseException as error:
                future.set_exception(error)
            with self._changing:
                self._under_way.discard(future)


_ROUND: ContextVar[_Round[Any, Any] | None] = ContextVar("round", default=None)
