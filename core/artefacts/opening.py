"""Open an index for retrieval, with its embedder and the language model that is configured."""

from core.artefacts.workbench import Workbench
from core.models.embedder import Embedder
from core.models.kept.replies import Replies
from core.models.money.personal import oracle_at
from core.models.oracle import Oracle
from core.places import Place
from core.progress import Report
from core.settings import Endpoint
from core.store.index import Index
from core.store.metadata import Meta


def open_workbench(
    place: Place,
    embedder: Embedder,
    oracle: Oracle | None = None,
    *,
    meta: Meta | None = None,
    making: Report | None = None,
) -> Workbench:
    """Open the index at `place` for retrieval.

    Parameters
    ----------
    embedder : the one that made the index.
    oracle : the language model, if there is one (`oracle_of`).
    meta : of an earlier version, which is to be opened instead.
    making : is told of artefacts that are made when they are needed; none are made without it.

    Raises
    ------
    IndexMissing : there is no such place, or no build there has finished.
    IndexIncompatible : another embedder or version of this program made it.
    StoreError : it is damaged.
    """
    return Workbench(Index.open(place, embedder.info, meta), embedder, oracle, making)


def oracle_of(place: Place, endpoint: Endpoint | None) -> Oracle | None:
    """Return the language model at `endpoint` with its replies kept beside an index.

    It has no leave to ask. Its reader comes with it. None without an endpoint.
    """
    return oracle_at(endpoint, Replies(place)) if endpoint else None
