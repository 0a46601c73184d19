"""Where the gold of a run lies on the map, and how much of it was lost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from core.funnel.stages import stage_words
from core.maps.heat import GoldOutcome, HeatData, heat_data
from core.runs import Run, Runs
from core.store.index import Index
from core.text.display.plurals import number
from pages.components.evaluate.column_names import badged
from pages.components.shell.formatting import cropped
from pages.components.shell.glossary import hint

_RUN, _RETRIEVER = "map_run", "map_run_retriever"
_NONE = ""
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True, eq=False)
class ShownHeat:
    """The gold of a run by passage; `asked` lists each passage's questions and stages of loss."""

    data: HeatData
    asked: Mapping[str, Sequence[tuple[str, str]]]


def heat(index: Index) -> ShownHeat | None:
    """Draw the choice of a run and one of its retrievers; return its gold, if any."""
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
            format_func=lambda name: _column_name(known[name]) if name else "None",
            help=hint("run"),
        )
        st.caption(
            "Colours each region or passage by the share of its gold passages that were lost."
        )
        if not chosen:
            return None
        run = known[chosen]
        measured = [name for name in run.retrievers if runs.stages(run.id, name)]
        if not measured:
            st.caption("No loss analysis: this run was imported without its steps.")
            return None
        retriever = st.selectbox(
            "Retriever", measured, key=_RETRIEVER, format_func=badged, help=hint("retriever")
        )
    return _heat_of_run(index, str(index.path), run.id, str(retriever), runs.stamp())


def _column_name(run: Run) -> str:
    return cropped(run.name or run.id, 60)


@st.cache_resource(max_entries=12, show_spinner="Reading the run…")
def _heat_of_run(_index: Index, path: str, run: str, retriever: str, stamp: str) -> ShownHeat:  # noqa: ARG001
    """Read the outcomes of a run's gold, as heat data for the map."""
    outcomes, questions = [], 0
    asked: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in Runs(_index.path).every(run, retriever):
        questions += bool(row.fates)
        for fate in row.fates:
            place = fate.passage or (fate.gold if fate.gold in _index.number else "")
            outcomes.append(GoldOutcome(place, fate.lost))
            asked[place].append((row.question.text, stage_words(fate.stage)))
    data = heat_data(outcomes, _index.number, questions, badged(retriever))
    return ShownHeat(data, asked)


def show_outcomes(heat: ShownHeat, passage: str) -> None:
    """List the questions whose gold a passage is, and what became of it."""
    asked = heat.asked.get(passage, [])
    if not asked:
        return
    lines = "".join(
        f"<li><span dir='auto'>{escape(question)}</span> "
        f"<span class='hop-quiet'>{escape(stage)}</span></li>"
        for question, stage in asked[:_MOST_LISTED]
    )
    more = f" The first {_MOST_LISTED} are listed." if len(asked) > _MOST_LISTED else ""
    st.html(
        f"<h4 class='hop-small-title'>Gold of {number(len(asked), 'question')}</h4>"
        f"<ol class='hop-questions'>{lines}</ol><p class='hop-caption'>{more}</p>"
    )
