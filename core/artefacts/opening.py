"""Open an index for retrieval, with its embedder and the configured language model."""

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
    embedder : the embedder that built the index.
    oracle : the language model, if there is one (`oracle_of`).
    meta : metadata of an earlier version, to open that one.
    making : receives the progress of artefacts built on demand; without it, none are built.

    Raises
    ------
    IndexMissing : there is no such place, or no build there has finished.
    IndexIncompatible : another embedder or version of this program made it.
    StoreError : it is damaged.
    """
    return Workbench(Index.open(place, embedder.info, meta), embedder, oracle, making)


def oracle_of(place: Place, endpoint: Endpoint | None) -> Oracle | None:
    """Return the model at `endpoint` with the replies cached beside an index, or None.

    It has no permission for calls. Its reader model comes with it. None without an endpoint.
    """
    return oracle_at(endpoint, Replies(place)) if endpoint else None
