"""The groups of a run's lost questions by cause, computed once."""

import streamlit as st

from core.places import Place
from core.reviews.losses.clusters import Cluster, clusters_of
from core.runs import Runs
from core.store.index import Index


def groups_of(index: Index, run: str, retriever: str) -> list[Cluster]:
    """Return those of all questions of the column of a run that lost gold."""
    asked = Runs(index.path).count(run, retriever)
    return _groups(index.path, run, retriever, asked, index)


@st.cache_resource(max_entries=10, show_spinner="Grouping the questions…")
def _groups(
    path: Place,
    run: str,
    retriever: str,
    asked: int,  # noqa: ARG001 - a part of the cache's key: a run may still go on
    _index: Index,
) -> list[Cluster]:
    """Group the questions by cause of loss, computed once per number of measured results."""
    return clusters_of(Runs(path), run, retriever, _index)
