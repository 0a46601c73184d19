"""Dynamic batching: process requests of several threads in one batch."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Together(Generic[T]):
    """A dynamic batcher of texts of equal length. Safe to share between threads.

    A single request starts at once. Requests that arrive while all workers are busy are batched.

    Parameters
    ----------
    work : returns one result for each text of a batch, in order.
    workers : the executor that calls `work`.
    most : maximum number of texts per batch.
    """

    def __init__(
        self, work: Callable[[list[str]], Iterable[T]], workers: Executor, most: int
    ) -> None:
        self._work = work
        self._workers = workers
        self._most = most
        self._waiting: dict[int, list[tuple[str, Future[T]]]] = {}
        self._lock = Lock()

    def get(self, text: str, length: int) -> T:
        """Return the result of `work` for `text`, or raise the error of its batch."""
        mine: Future[T] = Future()
        with self._lock:
            self._waiting.setdefault(length, []).append((text, mine))
        self._workers.submit(self._work_on_next)
        return mine.result()

    def _work_on_next(self) -> None:
        """Process the next batch and pass results, or its error, to the waiting threads."""
        batch = self._next()
        if not batch:  # an earlier batch already contained these texts
            return
        try:
            results = self._work([text for text, _ in batch])
        except BaseException as error:
            for _, waits in batch:
                waits.set_exception(error)
            return
        for (_, waits), each in zip(batch, results, strict=True):
            waits.set_result(each)

    def _next(self) -> list[tuple[str, Future[T]]]:
        """Return the next batch: texts of the length that has waited longest."""
        with self._lock:
            if not self._waiting:
                return []
            length = next(iter(self._waiting))
            some = self._waiting.pop(length)
            if left := some[self._most :]:
                self._waiting[length] = left
            return some[: self._most]
