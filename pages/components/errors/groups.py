"""The groups of alike questions of a run's column: found once, looked at again and again."""

import streamlit as st

from core.places import Place
from core.reviews.clusters import Cluster, clusters_of
from core.runs import Runs


def groups_of(path: Place, run: str, retriever: str) -> list[Cluster]:
    """Those of all questions of the column of a run, in the index at `path`, that lost gold."""
    return _groups(path, run, retriever, Runs(path).count(run, retriever))


@st.cache_resource(max_entries=10, show_spinner="Grouping the questions…")
def _groups(
    path: Place,
    run: str,
    retriever: str,
    asked: int,  # noqa: ARG001 - a part of the cache's key: a run may still go on
) -> list[Cluster]:
    return clusters_of(Runs(path), run, retriever)
