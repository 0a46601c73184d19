"""Resources that sessions share: embedders and open indexes; and the current index."""

import gc
from contextlib import suppress
from pathlib import Path
from threading import Thread

import streamlit as st
from threadpoolctl import threadpool_limits

from core import OpenIndex
from core.artefacts.opening import oracle_of
from core.artefacts.workbench import Workbench
from core.errors import IndexMissing, ModelError, StoreError
from core.library.catalogue import Listed
from core.models.embedder import Embedder, load_embedder
from core.models.oracle import Oracle
from core.places import Place
from core.retrievers.hoprag.walks import HopRagCoverage
from core.settings import BUNDLED_EMBEDDER, Endpoint
from core.store.background_verification import Verifications
from core.store.index import Index
from core.store.metadata import Meta
from core.store.records.record import SHELF
from core.store.verification import Verification
from pages.components.shell import index_listing, model_servers
from pages.components.shell.actions import index_actions
from pages.components.shell.layout import literal
from pages.components.shell.visitors.visitor import shown

_INDEX = "index"
_verifications = Verifications()
_EMBEDDER = "chosen_embedder"


def chosen_embedder() -> str:
    """Return the name of the embedder for new indexes, as set on Settings."""
    name: str = st.session_state.get(_EMBEDDER) or model_servers.session_settings().embedder
    return name


def choose_embedder(name: str) -> None:
    st.session_state[_EMBEDDER] = name


def embedder(name: str) -> Embedder:
    """Return the embedder called `name`, from the server of this session if it is on one."""
    index_actions.need_embedder(name)
    return _embedder(name, model_servers.embedder_server(name))


@st.cache_resource(show_spinner="Loading the embedder…", max_entries=3)
def _embedder(name: str, server: Endpoint | None) -> Embedder:
    return load_embedder(name, server)


@st.cache_resource(show_spinner=False)
def preload_embedder() -> None:
    """Load the bundled embedder in the background, once per server.

    Loading takes several seconds, most of them for imports. Whoever needs it meanwhile waits for
    the same load.
    """
    Thread(target=_load_bundled, daemon=True).start()


def _load_bundled() -> None:
    with suppress(ModelError):  # raised again, and shown, when a retrieval needs the embedder
        load_embedder(BUNDLED_EMBEDDER)


@st.cache_resource(show_spinner=False, max_entries=8)
def _oracle(path: Place, endpoint: Endpoint | None) -> Oracle | None:
    return oracle_of(path, endpoint)


def oracle(path: Place, endpoint: Endpoint | None = None) -> Oracle | None:
    """Return the language model with the cached replies of the index at `path`.

    None without a model.

    It has no leave to ask: that belongs to one run of one session.

    Parameters
    ----------
    endpoint : the server, if not the configured one.
    """
    return _oracle(path.absolute(), endpoint or model_servers.endpoint())


@st.cache_resource(show_spinner="Opening the index…", max_entries=3)
def _workbench(
    path: Place,
    finished_at: str,
    server: Endpoint | None,  # noqa: ARG001 - of its embedder, in which sessions differ
    _meta: Meta,
) -> Workbench:
    """Open an index and prepare it for queries, once per version for all sessions."""
    made_by = embedder(_meta.embedder.name)
    # Sessions have a thread each. Where BLAS shares each of their products among all cores as well,
    # they wait for each other, and questions take several times as long.
    threadpool_limits(1, user_api="blas")
    workbench = OpenIndex.at(path, made_by, meta=_meta).workbench
    workbench.warm(HopRagCoverage.card.needs)
    # The model and the index stay; without them a full collection takes 10 ms instead of 400. Those
    # that were opened before and have gone since are let go first.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    if isinstance(path, Path):
        _verifications.begin(path, _version(path, finished_at))
    return workbench


@st.cache_resource(show_spinner=False, max_entries=3)
def _workbench_with_model(
    path: Place,
    finished_at: str,
    server: Endpoint | None,
    endpoint: Endpoint | None,  # noqa: ARG001 - a part of the cache's key: sessions differ in it
    _meta: Meta,
) -> Workbench:
    """Return the index with the language model that this session shares with others."""
    return _workbench(path, finished_at, server, _meta).with_oracle(oracle(path))


def entries() -> list[Listed]:
    """Return all indexes; show the error and stop the page if they cannot be listed."""
    try:
        return index_listing.entries()
    except StoreError as error:
        st.error(literal(shown(str(error))))
        st.stop()


def entry(name: str) -> Listed:
    """Return the index called `name`; IndexMissing if there is none."""
    if found := index_listing.entry(name):
        return found
    raise IndexMissing(f"No index named {name!r}. Choose one from the list.")


def workbench(listed: Listed) -> Workbench:
    """Return the index, open at the last finished version that was seen.

    Raises
    ------
    StoreError : it is damaged, or no build has finished.
    ModelError : its embedder is not to be had.
    """
    if listed.meta is None:
        raise StoreError(listed.problem)
    finished_at = listed.meta.finished_at
    server = model_servers.embedder_server(listed.meta.embedder.name)
    return _workbench_with_model(
        listed.path, finished_at, server, model_servers.endpoint(), listed.meta
    )


def stored(path: Place, meta: Meta | None = None) -> Index:
    """Return the passages, questions and edges of an index, without its embedder, which takes
    seconds.

    Parameters
    ----------
    meta : of an earlier version, which is to be opened instead.

    Raises
    ------
    StoreError : it is damaged, or no build has finished.
    """
    return Index.open(path, None, meta)


def verification(listed: Listed) -> Verification | None:
    """Return how the files of an index that was opened compare with their checksums.

    None while that is not known: it is found out in the background.

    Raises
    ------
    StoreError : its storage could not be read.
    """
    if listed.meta is None:
        return None
    return _verifications.result(listed.path, _version(listed.path, listed.meta.finished_at))


def verify(listed: Listed, *, again: bool = False) -> None:
    """Begin to verify an index in a folder in the background, unless that was done.

    Parameters
    ----------
    again : verify it although that was done: its files may have been restored.
    """
    if listed.meta is None or not isinstance(listed.path, Path):
        return
    if again:
        _verifications.forget(listed.path)
    _verifications.begin(listed.path, _version(listed.path, listed.meta.finished_at))


def _version(path: Place, finished_at: str) -> str:
    """Return a value that changes when the index or one of its artefacts is rebuilt."""
    if not isinstance(path, Path):
        return finished_at
    try:
        return f"{finished_at} {(path / SHELF).stat().st_mtime_ns}"
    except OSError:  # nothing was made
        return finished_at


def index_name() -> str | None:
    """Return the index of the address, or else the one opened last in this session."""
    name = st.query_params.get(_INDEX) or st.session_state.get(_INDEX)
    if name:
        select_index(name)
    return name


def select_index(name: str) -> None:
    """Make `name` the current index of every page."""
    st.session_state[_INDEX] = name
    st.query_params[_INDEX] = name


def forget_index(name: str) -> None:
    """Close the current index if it is `name`, which was deleted."""
    if index_name() == name:
        del st.session_state[_INDEX]
        st.query_params.pop(_INDEX, None)
