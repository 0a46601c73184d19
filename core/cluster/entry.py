"""The ways into a build on Ray: its stages, and the reading of files."""

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
    """The stages of a build on the Ray that `engine` names, as `address_of` reads it.

    Raises
    ------
    InputError : it cannot be read, or Ray is not installed.
    """
    address = address_of(engine)
    if find_spec("ray") is None:
        raise InputError(
            "A build on Ray needs more packages. Run 'pip install -r "
            "requirements-cluster.txt', or build without --on."
        )
    return contextmanager(partial(_made, address))


@contextmanager
def reader_on(engine: str, tell: Callable[[], None]) -> Iterator[Read]:
    """What reads files on the Ray that `engine` names, which is joined until the end of this.

    `tell` is called while it begins, and may raise.

    Raises
    ------
    StoreError : nothing answers there.
    """
    with joined(address_of(engine), tell):
        from core.cluster.reading import read_files

        yield read_files


def _made(address: str, work: Work) -> Iterator[Made]:
    with joined(address, lambda: work.report(Progress("chunk", 0, len(work.documents)))):
        from core.cluster.making import Building
        from core.cluster.waiting import readable_errors

        with readable_errors():
            yield Building(work).run()
