"""Walkthroughs computed in advance: that of the next result while this one is shown."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

import streamlit as st

from core.walkthroughs.contract import WalkthroughData

_HELD = 12


class Ahead:
    """A cache of the last walkthroughs, and of those being computed.

    Safe to share between sessions.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "walkthroughs")
        self._held: OrderedDict[Hashable, Future[WalkthroughData]] = OrderedDict()
        self._lock = Lock()

    def walkthrough(self, about: Hashable, make: Callable[[], WalkthroughData]) -> WalkthroughData:
        """Return the walkthrough called `about`, computed by `make` unless it is cached."""
        with self._lock:
            found = self._held.get(about)
        if found is None:
            made = make()
            found = Future[WalkthroughData]()
            found.set_result(made)
            self._keep(about, found)
        return found.result()

    def begin(self, about: Hashable, make: Callable[[], WalkthroughData]) -> None:
        """Compute a walkthrough in the background."""
        with self._lock:
            known = about in self._held
        if not known:
            self._keep(about, self._pool.submit(make))

    def _keep(self, about: Hashable, made: Future[WalkthroughData]) -> None:
        """Store a computed walkthrough; drop the oldest beyond `_HELD`."""
        with self._lock:
            self._held[about] = made
            self._held.move_to_end(about)
            while len(self._held) > _HELD:
                self._held.popitem(last=False)[1].cancel()


@st.cache_resource(show_spinner=False)
def shared_prefetching() -> Ahead:
    """Return the cache that all sessions share."""
    return Ahead()
