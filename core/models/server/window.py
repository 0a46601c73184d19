"""Many slow calls at once, their results in order, without a barrier and in bounded memory."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from core.errors import Cancelled

AHEAD = 8
"""Results that may wait for a slow one before them, for each call at a time."""
GRACE = 0.5  # seconds for what is about to come when nobody waits any more
_LOOK = 0.25  # seconds

T = TypeVar("T")
R = TypeVar("R")


def abandoned() -> bool:
    """Whether nobody waits any more for what this thread does, so that nothing new is begun."""
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
    """`do` of each item, in their order, with `at_once` under way for as long as there are items.

    Items are taken up to `AHEAD` times `at_once` before their results are. What `do` raises ends
    the iteration when it is its turn: what is under way is then waited for, the rest never begun.
    If whoever asks is interrupted or asks for no more, what is under way is left to itself.

    Parameters
    ----------
    meanwhile : called about four times a second while waiting; it may raise.
    """
    round_ = _Round(do, at_once, _ROUND.get())
    begun: deque[Future[R]] = deque()

    def wait_for(future: Future[R]) -> None:
        while not wait([future], _LOOK).done:
            if abandoned():  # as a part of what is done in another round
                raise Cancelled("These calls are no longer needed.")
            meanwhile()

    def first() -> R:
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
    """Threads that do one thing after the other, until they are left.

    They are daemons: a program that ends does not wait for a server.
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
        future: Future[R] = Future()
        self._todo.put((future, item))
        if self._threads < self._at_once:
            self._threads += 1
            threading.Thread(target=self._work, daemon=True).start()
        return future

    def leave(self) -> None:
        """Begin nothing more."""
        if not self.left:
            self.left = True
            for _ in range(self._threads):
                self._todo.put(None)

    def under_way(self) -> set[Future[R]]:
        with self._changing:
            return set(self._under_way)

    def _work(self) -> None:
        _ROUND.set(self)
        while task := self._todo.get():
            future, item = task
            with self._changing:
                self._under_way.add(future)
            # Only now, so that whoever leaves sees all that was begun.
            try:
                if self.left:
                    raise Cancelled("This is no longer needed.")
                future.set_result(self._do(item))
            except BaseException as error:
                future.set_exception(error)
            with self._changing:
                self._under_way.discard(future)


_ROUND: ContextVar[_Round[Any, Any] | None] = ContextVar("round", default=None)
