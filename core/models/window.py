"""Many slow calls at once, their results in order, without a barrier and in bounded memory."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

AHEAD = 8
"""Results that may wait for a slow one before them, for each call at a time."""
_LOOK = 0.25  # seconds

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    do: Callable[[T], R],
    items: Iterable[T],
    at_once: int,
    meanwhile: Callable[[], None] = lambda: None,
) -> Iterator[R]:
    """`do` of each item, in their order, with `at_once` under way for as long as there are items.

    Items are taken up to `AHEAD` times `at_once` before their results are. What `do` raises ends
    the iteration when it is its turn: what is under way is then waited for, the rest never begun.

    Parameters
    ----------
    meanwhile : called about four times a second while waiting; it may raise.
    """
    pool = ThreadPoolExecutor(at_once)
    begun: deque[Future[R]] = deque()

    def first() -> R:
        future = begun.popleft()
        while not wait([future], _LOOK).done:
            meanwhile()
        return future.result()

    try:
        for item in items:
            begun.append(pool.submit(do, item))
            if len(begun) >= AHEAD * at_once:
                yield first()
        while begun:
            yield first()
    finally:
        pool.shutdown(cancel_futures=True)
