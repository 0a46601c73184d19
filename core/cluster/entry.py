"""Entry points of a build on Ray: its stages, and the reading of files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

from core.cluster.session import address_of, joined
from core.corpus.files import Read
from core.errors import InputError
from core.indexing.builder import Made, Make, Work
from core.progress import Progress


def stages_on(engine: str) -> Make:
    """Return a function that runs the stages of a build on Ray.

    Parameters
    ----------
    engine : which Ray to use, see `address_of`.

    Raises
    ------
    InputError : `engine` is invalid, or Ray is not installed.
    """
    address = address_of(engine)
    if find_spec("ray") is None:
        raise InputError(
            "A build on Ray needs more packages. Run 'pip install -r "
            "requirements-cluster.txt', or build without --on."
        )
    return contextmanager(partial(_built, address))


@contextmanager
def reader_on(engine: str, tell: Callable[[], None]) -> Iterator[Read]:
    """Connect to Ray within the context, and return a function that reads files on it.

    Parameters
    ----------
    engine : which Ray to use, see `address_of`.
    tell : called repeatedly while Ray starts; may raise.

    Raises
    ------
    StoreError : Ray does not answer.
    """
    with joined(address_of(engine), tell):
        from core.cluster.reading import read_files

        yield read_files


def _built(address: str, work: Work) -> Iterator[Made]:
    """Build the work on a Ray cluster and yield the result."""
    with joined(address, lambda: work.report(Progress("chunk", 0, len(work.documents)))):
        from core.cluster.making import Building
        from core.cluster.waiting import readable_errors

        with readable_errors():
            yield Building(work).run()
