"""Verification of an index in a thread, while it is opened or afterwards."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread

from core.errors import StoreError
from core.places import Place
from core.store.metadata import Meta
from core.store.passages.passages import is_large
from core.store.verification import Verification, verify, verify_tables

_REMEMBERED = 200  # results of this process


def is_costly(place: Place, meta: Meta) -> bool:
    """Check whether an index is only verified on request.

    This holds for a large index, of which little is read otherwise, and for object storage, from
    which each file would be fetched twice.
    """
    return not isinstance(place, Path) or is_large(meta.counts.vertices)


@contextmanager
def verifying(place: Place, meta: Meta) -> Iterator[None]:
    """Verify the index at `place` in a thread while it is opened.

    An index that `is_costly` is skipped. So are artefacts: their files are verified when one is
    read, so that a damaged one can be dropped and built again.

    Raises
    ------
    StoreError : a file of the index is damaged.
    """
    if is_costly(place, meta):
        yield
        return
    with ThreadPoolExecutor(1, "verification") as pool:
        future = pool.submit(verify_tables, place, artefacts=False)
        try:
            yield
        except StoreError as error:  # which may not know the file
            if problem := future.result().problem():
                raise StoreError(problem) from error
            raise
        if problem := future.result().problem():
            raise StoreError(problem)


class Verifications:
    """Verifications that run in the background, one for each version that is opened."""

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str], Future[Verification]] = {}
        self._lock = Lock()

    def begin(self, place: Place, version: str) -> None:
        """Verify the index at `place` in a thread, unless this version has been already.

        Parameters
        ----------
        version : identifies the version of the index, such as the time when it was finished.
        """
        with self._lock:
            if (place, version) in self._found:
                return
            future = self._found[place, version] = Future()
            while len(self._found) > _REMEMBERED:
                self._found.pop(next(iter(self._found)))
        # The interpreter does not wait for a daemon when it ends, as it would for a pool.
        Thread(target=_run, args=(future, place), name="verification", daemon=True).start()

    def forget(self, place: Place) -> None:
        """Discard the result for `place`, so that the next `begin` verifies it again."""
        with self._lock:
            for key in [key for key in self._found if key[0] == place]:
                del self._found[key]

    def result(self, place: Place, version: str) -> Verification | None:
        """Return the result, or None while the verification runs.

        Raises
        ------
        StoreError : the index could not be verified.
        """
        future = self._found.get((place, version))
        return future.result() if future and future.done() else None

    def wait(self, place: Place, version: str) -> Verification:
        """Wait for a running verification and return its result; raises as `result` does."""
        return self._found[place, version].result()


def _run(future: "Future[Verification]", place: Place) -> None:
    """Verify the index and store the result or the error in `future`."""
    try:
        future.set_result(verify(place))
    except StoreError as error:  # raised where the result is asked for
        future.set_exception(error)
    except Exception as error:  # a page shows it; without this the result would never come
        failure = StoreError(f"{place.name} cannot be verified ({type(error).__name__}: {error}).")
        failure.__cause__ = error
        future.set_exception(failure)
