"""Replay of a finished trace with other settings, without calling a model."""

import time
from contextlib import suppress
from dataclasses import replace
from html import escape
from threading import Thread

import streamlit as st

from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.counterfactual import amendments_text
from core.errors import HopRagError
from core.funnel.lists import Lists
from core.marks import Gold
from core.models.remembered import Remembered
from core.playback.wording import begun, not_asked_told
from core.replay import Replay, numeric_settings, replay, setting_range, with_maximum_counts
from core.retrievers import Spec
from core.retrievers.settings import Declared
from core.settings import settings
from core.traces import Trace
from pages.components.ask import model_calls
from pages.components.ask.request import Ask
from pages.components.shell import layout
from pages.components.shell.glossary import setting_hint
from pages.components.shell.widgets import scroll_into_view
from pages.components.trace import current_trace
from pages.components.trace.before_after import gold_names
from pages.components.trace.change_table import changes_row, changes_table
from pages.components.trace.trace_view import WALKTHROUGH

_ON, _OF, _READY = "replay_on", "replay_of", "replay_ready"
_ACROSS = 4  # sliders side by side


def show_replay(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> None:
    """Show the replay panel, closed at first; nothing if no setting can be changed."""
    if not numeric_settings(wanted.spec):
        return
    st.toggle(
        "Replay with other settings",
        key=_ON,
        help="Change the settings to see what it would have retrieved. No model is called.",
    )
    scroll_into_view.in_sight(WALKTHROUGH, block="start")
    if st.session_state[_ON]:
        _panel(workbench, wanted, trace, gold)


@st.fragment
def _panel(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> None:
    """Draw the sliders, and compare the replay with the original trace in a table."""
    with st.container(border=True, key="replay"), layout.mendable():
        chosen = _sliders(wanted)
        other = replace(wanted, spec=chosen)
        if missing(chosen.needs, workbench):
            return
        bench = _prepared_workbench(workbench, wanted).amended(wanted.amendments)
        _asked_by_a_click(workbench, other)
        started = time.perf_counter()
        again = replay(bench, chosen, wanted.question, settings().prices)
        took = time.perf_counter() - started
        index, lists = workbench.index, Lists(bench)
        columns = [
            changes_row(head, steps, gold, index, lists)
            for head, steps in (("As asked", trace.steps), ("Replayed", again.steps))
        ]
        st.html(changes_table(columns, gold_names(gold, index)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f"<p class='hop-caption'>{escape(_replay_summary(chosen, wanted, took))}</p>")
            same = chosen == wanted.spec
            if st.button("Show its walkthrough", key="replay_film", disabled=same):
                current_trace.replay(other, wanted, workbench.index.name)
                scroll_into_view.press(WALKTHROUGH)
                st.rerun()  # all of the page: a click here runs this panel alone
        _missing(bench, other, again)


def _prepared_workbench(workbench: Workbench, wanted: Ask) -> Workbench:
    """Return the workbench with the question's vectors; load what the sliders may need."""
    index = workbench.index
    about = (str(index.path), index.meta.finished_at, wanted.question, str(wanted.spec))
    held, memory = st.session_state.get(_READY, ("", None))
    begins = held != about
    if begins:
        memory = Remembered(workbench.embedder)
        st.session_state[_READY] = about, memory
    ready = workbench.embedding_by(memory)
    if begins and not (wanted.spec.asks_model and workbench.oracle):
        Thread(target=_read_ahead, args=(ready, wanted), daemon=True).start()
    return ready


def _read_ahead(ready: Workbench, wanted: Ask) -> None:
    """Replay with the largest counts, so that sliders find the data loaded.

    Errors are ignored here and shown once a slider meets them.
    """
    with suppress(HopRagError):
        replay(ready, with_maximum_counts(wanted.spec), wanted.question)


def _sliders(wanted: Ask) -> Spec:
    """Draw a slider for each numeric setting; they reset for another question or retriever."""
    spec, state = wanted.spec, st.session_state
    of = (wanted.question, str(spec), amendments_text(wanted.amendments))
    if state.get(_OF) != of:
        state[_OF] = of
        for one in numeric_settings(spec):
            state[_key(one)] = spec.values[one.name]
    numbers = numeric_settings(spec)
    for first in range(0, len(numbers), _ACROSS):
        places = st.columns(_ACROSS, gap="medium")
        for one, place in zip(numbers[first : first + _ACROSS], places, strict=False):
            with place:
                _slider(one, spec)
    return spec.with_settings(**{one.name: state[_key(one)] for one in numbers})


def _slider(one: Declared, spec: Spec) -> None:
    """Draw a slider over a setting's range, with its description if it has no title."""
    low, high = setting_range(one, float(str(spec.values[one.name])))
    whole = one.kind is int
    zero = f" (0: {one.setting.zero})" if one.setting.zero else ""
    st.slider(
        _label(one) + zero,
        min_value=int(low) if whole else low,
        max_value=int(high) if whole else high,
        step=1 if whole else 0.05,
        key=_key(one),
        help=layout.literal(setting_hint(one, f"{one.name}: {one.setting.says}.")),
    )
    if not one.setting.title:
        st.html(f"<p class='hop-setting' dir='auto'>{escape(one.setting.says)}</p>")


def _label(one: Declared) -> str:
    """Return the setting's title, with its unit if the title lacks it: `Room (tokens)`."""
    unit = one.setting.says.partition(" ")[0].rstrip(",")
    counts = one.kind is int and unit.endswith("s") and not one.setting.title
    return f"{begun(one.title)} ({unit})" if counts and unit != one.title else begun(one.title)


def _asked_by_a_click(workbench: Workbench, other: Ask) -> None:
    """Make the model calls that the user has just approved, and store the replies."""
    retriever = current_trace.retriever_of(workbench, other)
    gate = model_calls.agreed(retriever, other.question, place="replay")
    if gate:
        with model_calls.within_budget("replay"):
            current_trace.trace_of(workbench, other, gate)


def _missing(bench: Workbench, other: Ask, again: Replay) -> None:
    """Show what the model has not decided, and the button that makes the missing calls."""
    if not again.calls.calls:
        return
    st.caption(not_asked_told(again.unjudged))
    retriever = current_trace.retriever_of(bench, other)
    model_calls.ask_leave(retriever, other.question, again.calls, place="replay")


def _replay_summary(chosen: Spec, wanted: Ask, took: float) -> str:
    said = ", ".join(chosen.changes_from(wanted.spec)) or "as asked"
    return f"Replayed in {1000 * took:.0f} ms without a model: {said}."


def _key(one: Declared) -> str:
    return f"replay_{one.name}"
