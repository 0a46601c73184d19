"""The event loop of all requests to servers, in one thread, so that any call can be cancelled.

A thread that waits for a socket cannot be interrupted from elsewhere; a coroutine can, wherever
it waits: for a name, a connection, the head of an answer or its body.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end; cancel it if the caller is interrupted."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    finally:
        future.cancel()


def tidy(work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Schedule clean-up `work` without waiting for it, if the loop was ever started."""
    if _started_loop.cache_info().currsize:
        asyncio.run_coroutine_threadsafe(work(), _loop())


_beginning = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    with _beginning:
        return _started_loop()


@cache
def _started_loop() -> asyncio.AbstractEventLoop:
    """Start the event loop in a daemon thread, once per process."""
    loop = asyncio.new_event_loop()
    # A daemon: a program that ends does not wait for a server.
    threading.Thread(target=loop.run_forever, name="talk with models", daemon=True).start()
    return loop
