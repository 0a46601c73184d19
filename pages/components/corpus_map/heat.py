"""Where the gold of a run lies on the map, and how much of it was lost."""

from collections.abc import Mapping

import streamlit as st

from core.corpus_map.heat import GoldOutcome, HeatData, heat_data
from core.runs import Run, Runs
from core.store.index import Index
from pages.components.evaluate.names import badged
from pages.components.shell.words import cropped

_RUN, _RETRIEVER = "map_run", "map_run_retriever"
_NONE = ""


def heat(index: Index, unit: Mapping[str, int]) -> HeatData | None:
    """Draw the choice of a run and one of its retrievers; return its gold by place, if any.

    Parameters
    ----------
    unit : the place on the map of each passage.
    """
    runs = Runs(index.path)
    known = {run.id: run for run in runs.all() if run.retrievers}
    on = st.session_state.get(_RUN) in known
    with st.popover("Lost gold (on)" if on else "Lost gold", width="stretch"):
        if not known:
            st.caption("This index has no run. Start an evaluation on the Evaluate page first.")
            return None
        chosen = st.selectbox(
            "Run",
            [_NONE, *known],
            key=_RUN,
            format_func=lambda name: _called(known[name]) if name else "None",
        )
        st.caption("Colours each place by the share of its gold passages that were lost.")
        if not chosen:
            return None
        run = known[chosen]
        measured = [name for name in run.retrievers if runs.stages(run.id, name)]
        if not measured:
            st.caption("No loss is known of this run: it was imported without its steps.")
            return None
        retriever = st.selectbox("Retriever", measured, key=_RETRIEVER, format_func=badged)
    return _heat(index, unit, runs, run.id, str(retriever))


def _called(run: Run) -> str:
    return cropped(run.name or run.id, 60)


def _heat(index: Index, unit: Mapping[str, int], runs: Runs, run: str, retriever: str) -> HeatData:
    outcomes, questions = [], 0
    for row in runs.every(run, retriever):
        questions += bool(row.fates)
        for fate in row.fates:
            place = fate.passage or (fate.gold if fate.gold in index.number else "")
            outcomes.append(GoldOutcome(place, fate.lost))
    return heat_data(outcomes, unit, questions, badged(retriever))
