"""Films made before they are asked for: that of the next result while this one is looked at."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

import streamlit as st

from core.film.data import FilmData

_HELD = 12


class Ahead:
    """The last films, and those that are being made. Safe to share between sessions."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "films")
        self._held: OrderedDict[Hashable, Future[FilmData]] = OrderedDict()
        self._lock = Lock()

    def film(self, about: Hashable, make: Callable[[], FilmData]) -> FilmData:
        """The film called `about`, as `make` makes it; an error of its own is raised again."""
        with self._lock:
            found = self._held.get(about)
        if found is None:
            made = make()
            found = Future[FilmData]()
            found.set_result(made)
            self._keep(about, found)
        return found.result()

    def begin(self, about: Hashable, make: Callable[[], FilmData]) -> None:
        """Have it made while something else is looked at."""
        with self._lock:
            known = about in self._held
        if not known:
            self._keep(about, self._pool.submit(make))

    def _keep(self, about: Hashable, film: Future[FilmData]) -> None:
        with self._lock:
            self._held[about] = film
            self._held.move_to_end(about)
            while len(self._held) > _HELD:
                self._held.popitem(last=False)[1].cancel()


@st.cache_resource(show_spinner=False)
def ahead() -> Ahead:
    """The one that all sessions share."""
    return Ahead()
