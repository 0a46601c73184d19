"""The groups of alike questions of a run's column: found once, looked at again and again."""

import streamlit as st

from core.evaluate.outcomes import LOST_GOLD
from core.places import Place
from core.reviews.clusters import Case, Cluster, clusters
from core.reviews.losses import first_loss
from core.runs import Row, Runs, Where

_LOST = Where(outcomes=LOST_GOLD)
_AT_ONCE = 500


def groups_of(path: Place, run: str, retriever: str) -> list[Cluster]:
    """Those of all questions of the column of a run, in the index at `path`, that lost gold."""
    return _groups(path, run, retriever, Runs(path).count(run, retriever))


def lost_at(row: Row) -> str:
    """The stage of the first loss of a row; empty where none is known."""
    loss = first_loss(row.fates)
    return loss.stage if loss else ""


@st.cache_resource(max_entries=10, show_spinner="Grouping the questions…")
def _groups(
    path: Place,
    run: str,
    retriever: str,
    asked: int,  # noqa: ARG001 - a part of the cache's key: a run may still go on
) -> list[Cluster]:
    runs, cases = Runs(path), list[Case]()
    for offset in range(0, runs.count(run, retriever, _LOST), _AT_ONCE):
        rows = runs.rows(run, retriever, _LOST, order="asked", limit=_AT_ONCE, offset=offset)
        cases += [Case(row.question.id, row.question.text, lost_at(row)) for row in rows]
    return clusters(cases)
