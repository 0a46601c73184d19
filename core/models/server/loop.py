"""The one thread in which all talk with servers is done, so that a call can be ended at any time.

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
    """Begin `work` that ends what was begun here, if anything was; nobody waits for it."""
    if _begun.cache_info().currsize:
        asyncio.run_coroutine_threadsafe(work(), _loop())


_beginning = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    with _beginning:
        return _begun()


@cache
def _begun() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    # A daemon: a program that ends does not wait for a server.
    threading.Thread(target=loop.run_forever, name="talk with models", daemon=True).start()
    return loop
