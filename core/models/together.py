"""What callers on several threads want at the same time, done in one go."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Together(Generic[T]):
    """Texts of one length that wait are worked on as one batch. Safe to share between threads.

    Who comes alone waits for nobody; while all workers are busy, those who come gather.

    Parameters
    ----------
    work : gives something for each of some texts, in their order.
    workers : where it is done.
    most : texts of a batch.
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
        """What `work` gives for `text`, or raises for the batch that it was in."""
        mine: Future[T] = Future()
        with self._lock:
            self._waiting.setdefault(length, []).append((text, mine))
        self._workers.submit(self._work_on_next)
        return mine.result()

    def _work_on_next(self) -> None:
        batch = self._next()
        if not batch:  # those that this was to be for were in one before
            return
        try:
            found = self._work([text for text, _ in batch])
        except BaseException as error:
            for _, waits in batch:
                waits.set_exception(error)
            return
        for (_, waits), each in zip(batch, found, strict=True):
            waits.set_result(each)

    def _next(self) -> list[tuple[str, Future[T]]]:
        """Those of the length that has waited longest."""
        with self._lock:
            if not self._waiting:
                return []
            length = next(iter(self._waiting))
            some = self._waiting.pop(length)
            if left := some[self._most :]:
                self._waiting[length] = left
            return some[: self._most]
