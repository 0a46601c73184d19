"""The choice of run, measure and baseline; renaming and deleting runs."""

from datetime import datetime

import streamlit as st

from core.measures import cut_off, meaning
from core.reviews import Reviews
from core.reviews.losses.change_effect import of_trial
from core.reviews.reviews_of_run import staying
from core.runs import Other, Run, Runs
from core.store.index import Index
from core.studies.naming import run_title
from core.text.display.plurals import number
from pages.components.evaluate.baseline import best, choose, chosen, default_baseline
from pages.components.evaluate.cached_results import MORE, SHOWN, USUAL
from pages.components.evaluate.column_names import named
from pages.components.evaluate.current_run import missing_run_message, reasons_to_open, run_to_show
from pages.components.evaluate.outdated_run import NEW
from pages.components.evaluate.run_files import zipped
from pages.components.evaluate.run_progress import is_measured, running, visible_part
from pages.components.evaluate.state import View, change, viewed
from pages.components.shell import address_params, layout
from pages.components.shell.actions import run_actions
from pages.components.shell.formatting import ago
from pages.components.shell.glossary import hint
from pages.components.shell.visitors.signature import signature
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.dialogs import (
    close_dialog,
    confirm,
    is_open,
    open_dialog,
    subject,
)

_RUN, _MEASURE, _BASE = "evaluate_run", "evaluate_measure", "evaluate_base"
_MORE = "evaluate_more_measures"
_RENAME, _DELETE = "evaluate_rename", "evaluate_delete"


def choose_run(index: Index, found: list[Run]) -> tuple[Run, Run, Other]:
    """Draw the choice of a run; return the run, its visible part, and its baseline.

    On one row with what changes the list of runs.
    """
    known = {run.id: run for run in found}
    asked = viewed().run
    who = signature()
    shown = asked if asked in known else run_to_show(index, found, who, newest=True)[0]
    st.session_state[_RUN] = shown
    if asked not in ("", shown):
        st.info(layout.literal(missing_run_message(known[shown])))
    told = reasons_to_open(index, found, who)
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate_toolbar"):
        chosen = st.selectbox(
            "Run",
            list(known),
            key=_RUN,
            format_func=lambda one: _listed(known[one], told.get(one, "")),
            on_change=_to_address,
            help=hint("run"),
        )
        run = known[str(chosen)]
        seen = visible_part(index, run)
        base = (
            _choose_baseline(seen, found, Runs(index.path)) if seen.columns else Other(run.id, "")
        )
        if visitor().may_edit and not running(index):
            st.toggle("New run", key=NEW)
        if visitor().may_edit and not is_measured(index, run):
            for label, name in (("Rename", _RENAME), ("Delete", _DELETE)):
                if st.button(label, key=f"{name}_button"):
                    open_dialog(name, run.id)
    if is_open(_RENAME):
        _rename(index, *subject())
    if is_open(_DELETE):
        _delete(index, *subject())
    return run, seen, base


def _to_address() -> None:
    address_params.go(
        View(run=st.session_state[_RUN], measure=viewed().measure, side=viewed().side)
    )


def _listed(run: Run, known: str) -> str:
    """Return a run's label in the list: title, why it is listed, age, questions and state."""
    state = {"finished": "", "begun": " · not finished"}.get(run.state, f" · {run.state}")
    asked = number(run.questions, "question")
    told = " · ".join(filter(None, (run_title(run), "trial" if run.is_trial else "", known)))
    return f"{told} · {ago(datetime.fromisoformat(run.made_at))} · {asked}{state}"


def _choose_baseline(run: Run, found: list[Run], runs: Runs) -> Other:
    """Draw the choice of a baseline, and return it."""
    bases = _baselines(run, found, best(run, runs))
    asked = Other(viewed().base_run, viewed().base)
    if asked in bases:
        choose(run, asked)
    before = chosen(run)
    st.session_state[_BASE] = before if before in bases else default_baseline(run, found, runs)

    def to_address() -> None:
        base: Other = st.session_state[_BASE]
        change(base_run=base.run, base=base.retriever)

    base: Other = st.selectbox(
        "Against",
        list(bases),
        key=_BASE,
        format_func=bases.__getitem__,
        width=250,
        on_change=to_address,
        help=hint("baseline"),
    )
    return base


def choose_measure(facts: str, more: str, passages: int) -> str:
    """Draw the choice of a measure beside the facts of the run, and return it.

    Parameters
    ----------
    facts : what was run; `more` is shown on demand.
    passages : of the index; cut-offs that are not below it are listed under more measures only.
    """
    st.session_state[_MEASURE] = measure = viewed().measure
    usual = [name for name in SHOWN if name == measure or cut_off(name) < passages]
    if len(usual) < len(SHOWN):
        few = number(passages, "passage")
        facts = f"{facts} The index has {few}; larger cut-offs are under More measures."
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate_view"):
        st.segmented_control(
            "Measure",
            usual if measure in usual else [*usual, measure],
            key=_MEASURE,
            required=True,
            label_visibility="collapsed",
            width="content",
            on_change=lambda: change(measure=st.session_state[_MEASURE]),
        )
        st.session_state[_MORE] = None
        st.selectbox(
            "More measures",
            [name for name in (*SHOWN, *MORE) if name not in (*usual, measure)],
            key=_MORE,
            index=None,
            placeholder="More measures",
            format_func=lambda name: f"{name}: {meaning(name)}",
            label_visibility="collapsed",
            width=160,
            on_change=lambda: change(measure=st.session_state[_MORE]),
        )
        st.caption(layout.literal(facts), help=layout.literal(more))
    return measure


def _baselines(run: Run, found: list[Run], leader: str) -> dict[Other, str]:
    """Return the possible baselines with their labels: of a trial its retriever, then all of this
    run.

    Other runs with a common retriever come last, as a whole. `leader` is the retriever with the
    highest usual measure, which its label says.
    """
    told = {leader: f"{named(leader)} · highest {USUAL}"} if len(run.retrievers) > 1 else {}
    own = {Other(run.id, name): told.get(name) or named(name) for name in run.retrievers}
    own = {
        Other(parent.id, name): f"{named(name)} in {run_title(parent)}"
        for parent, name in of_trial(run, found)
    } | own
    shared = [
        one for one in found if one.id != run.id and set(one.retrievers) & set(run.retrievers)
    ]
    return {**own, **{Other(one.id, ""): f"same retriever in {run_title(one)}" for one in shared}}


@st.dialog("Rename the run", on_dismiss=close_dialog)
def _rename(index: Index, run: str) -> None:
    """Draw the form that renames a run."""
    with st.form("evaluate_rename_form", border=False), layout.mendable():
        wish = st.text_input("New name", value=Runs(index.path).get(run).name)
        if st.form_submit_button("Rename", type="primary"):
            run_actions.rename_run(index.path, run, wish)
            close_dialog()
            st.rerun()


@st.dialog("Delete the run", on_dismiss=close_dialog)
def _delete(index: Index, run: str) -> None:
    """Draw the dialog that confirms the deletion of a run, with a button that saves it first."""
    with layout.mendable():
        kept = Runs(index.path)
        known = kept.get(run)
        st.text(f"This permanently deletes {run_title(known)}.")
        asked = (
            f"{number(known.questions, 'question')} by {number(len(known.columns), 'retriever')}"
        )
        st.warning(f"Its results for {asked} are deleted too. There is no other copy.")
        st.text(str(staying(known, kept, Reviews(index.path).all())))
        st.download_button(
            "Save the run",
            data=lambda: zipped(kept, known, index),
            file_name=f"{index.name}-{known.id}.zip",
            mime="application/zip",
            key=f"{_DELETE}_save",
            on_click="ignore",
            help="Each retriever's ranking, and the gold, as TREC run files and qrels.",
        )
    if confirm(_DELETE, goes="Delete it", stays="Keep it"):
        with layout.mendable():
            run_actions.delete_run(index.path, run)
            address_params.go(View())
            close_dialog()
            st.rerun()
