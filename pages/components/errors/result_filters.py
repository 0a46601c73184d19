"""The filters and the order of the listed results, in one row above the list."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.evaluation.outcomes import outcome_label
from core.funnel.stages import stage_words
from core.retrievers import Spec
from core.reviews import Views
from core.runs import Run, Runs
from core.store.index import Index
from core.studies.naming import run_title
from core.text.display import plurals
from pages.components.ask.retriever_names import called
from pages.components.errors import review_actions
from pages.components.errors.review_context import Bench
from pages.components.evaluate.current_run import (
    choose,
    missing_run_message,
    reasons_to_open,
    run_to_show,
)
from pages.components.runs.result_list import ORDERS, PAIRED, SAID, Wish, change, split
from pages.components.runs.stage_filter import LABEL, stage_choices
from pages.components.shell import address_params, layout

_VIEW = "errors_view_name"
_ANYTHING = {"": SAID[""]}
_LATER = ("said", "label", "stage")
"""What there may be nothing to choose of yet."""
_WHICH = {"lost": "that lost gold", "all": "all questions"}


def settled(wish: Wish, runs: Sequence[Run], index: Index, reviewer: str) -> tuple[Run, Wish]:
    """Return the run of the address or else the current one, and `wish` with its defaults filled
    in.
    """
    known = {run.id: run for run in runs}
    if wish.run not in known:
        last, column = run_to_show(index, runs, reviewer)
        wish = replace(wish, run=last, retriever=wish.retriever or column)
    run = known[wish.run]
    choose(index, run.id, wish.retriever)
    return run, replace(wish, retriever=run_to_show(index, runs, reviewer)[1])


def missing_result_message(asked_for: Wish, run: Run, shown: Wish) -> str:
    """Return a message if the address names a missing run or retriever; else an empty text."""
    if asked_for.run not in ("", run.id):
        return missing_run_message(run)
    if asked_for.retriever not in ("", shown.retriever):
        instead = named(shown.retriever)
        wanted = named(asked_for.retriever)[:60]
        return f"{run_title(run)} has no results for {wanted}. Showing {instead}."
    return ""


def show_filters(bench: Bench, runs: Sequence[Run]) -> None:
    """Draw the filters; each choice changes the address at once.

    What there is nothing to choose of yet has its place, so that none moves when there is.
    """
    wish = bench.wish
    with st.container(horizontal=True, gap="small", key="errors_row", vertical_alignment="center"):
        _column(bench, runs)
        orders: dict[str, str] = {
            name: said
            for name, said in ORDERS.items()
            if name not in PAIRED or _other_columns(bench, runs)
        }
        _choose("Order", "order", orders, wish.order)
        if wish.order in PAIRED:
            _choose_other_column(bench, runs)
        if wish.order == "random":
            _seed(wish)
        if wish.order not in ("regressions", "gains"):
            _choose("Which", "which", _WHICH, wish.which)
        _choose("Your verdict", "said", SAID if bench.reviewer else _ANYTHING, wish.said)
        _labels(bench)
        found = bench.at_stages
        named = stage_choices(wish.stage, found, found)
        stages = {stage: f"{LABEL}: {name}" for stage, name in named.items()}
        _choose(LABEL, "stage", stages, wish.stage)
        _views(bench)
    _show_active_filters(bench)


def column_row(bench: Bench, runs: Sequence[Run]) -> None:
    """Draw the choice of run and retriever only, for views that count all results."""
    with st.container(horizontal=True, gap="small", key="errors_row", vertical_alignment="center"):
        _column(bench, runs)


def _column(bench: Bench, runs: Sequence[Run]) -> None:
    """Draw the select boxes for the run and the retriever."""
    known = reasons_to_open(bench.workbench.index, runs, bench.reviewer)
    names = {one.id: _listed(one, runs, known.get(one.id, "")) for one in runs}
    _choose("Run", "run", names, bench.run.id)
    asked = {one: named(one) for one in bench.run.retrievers}
    _choose("Retriever", "retriever", asked, bench.retriever)


def _listed(run: Run, runs: Sequence[Run], known: str) -> str:
    """Return the label of a run and `known`, with the date if another run has the same name."""
    alike = sum(one.name == run.name for one in runs) > 1
    parts = (
        run_title(run),
        "trial" if run.is_trial else "",
        run.made_at[:10] if alike else "",
        known,
    )
    return " · ".join(filter(None, parts))


def named(retriever: str) -> str:
    """Return the display name of a run's column."""
    spec = Spec.known(retriever)
    return called(spec) if spec else retriever


def _choose(
    label: str,
    name: str,
    options: Mapping[str, str],
    now: str,
    then: Callable[[str], None] | None = None,
) -> None:
    """Draw a select box; a choice changes the address, or calls `then`."""
    key = f"errors_choose_{name}"
    st.session_state[key] = now if now in options else next(iter(options))

    def chosen() -> None:
        """Apply the selected option."""
        value = st.session_state[key]
        if then:
            then(value)
        else:
            change(**{name: value})

    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=options.__getitem__,
        label_visibility="collapsed",
        help=label,
        disabled=len(options) == 1 and name in _LATER,
        on_change=chosen,
    )


def _labels(bench: Bench) -> None:
    """Draw the choice of a label among those of the column's results."""
    now = bench.wish.label
    names = filter(None, dict.fromkeys((now, *bench.labelled)))
    options = {"": "Label: any", **{name: f"Label: {name}" for name in names}}
    _choose("Label", "label", options, now, _by_label)


def _by_label(label: str) -> None:
    change(label=label, by="", value="", axial=int(bool(label)), group=0)


def _other_columns(bench: Bench, runs: Sequence[Run]) -> dict[str, str]:
    """Return every other column of every run, by a word for the address."""
    here = bench.run.id, bench.retriever
    return {
        f"{run.id} {one}": named(one)
        if run.id == bench.run.id
        else f"{named(one)} · {run_title(run)}"
        for run in sorted(runs, key=lambda one: one.id != bench.run.id)
        for one in run.retrievers
        if (run.id, one) != here
    }


def _choose_other_column(bench: Bench, runs: Sequence[Run]) -> None:
    """Draw the choice of the column to compare with; options are keyed by run and retriever."""
    others = {word: f"against {said}" for word, said in _other_columns(bench, runs).items()}
    wish = bench.wish
    now = f"{wish.other_run} {wish.other}"
    if now not in others:
        run, _, one = next(iter(others)).partition(" ")
        change(other_run=run, other=one)
        st.rerun()

    def chosen(word: str) -> None:
        run, _, one = word.partition(" ")
        change(other_run=run, other=one)

    _choose("Against", "other", others, now, chosen)


def _seed(wish: Wish) -> None:
    """Draw the field for the seed of the random order."""
    key = "errors_seed"
    st.session_state[key] = wish.seed
    st.number_input(
        "Seed",
        min_value=0,
        max_value=10**6,
        step=1,
        key=key,
        width=120,
        label_visibility="collapsed",
        help="The same seed gives the same order.",
        on_change=lambda: change(seed=st.session_state[key]),
    )


def _views(bench: Bench) -> None:
    """Draw the saved views, and a field to save the current one."""
    saved = Views(bench.reviews).all()
    index = bench.workbench.index
    with st.popover(f"Views ({len(saved)})" if saved else "Views", key="errors_views"):
        for number, (name, view) in enumerate(saved.items()):
            with st.container(horizontal=True, gap="xsmall"):
                st.button(
                    layout.literal(name),
                    key=f"errors_view_{number}",
                    on_click=address_params.go,
                    args=(Wish.of(view),),
                    width="stretch",
                )
                st.button(
                    "Forget",
                    key=f"errors_view_gone_{number}",
                    on_click=_with_errors_shown(review_actions.drop_view),
                    args=(index, name),
                )
        with st.form("errors_view_form", border=False):
            st.text_input("Save view as", key=_VIEW, max_chars=60)
            st.form_submit_button("Save", key="errors_view_save", on_click=_save, args=(bench,))


def _save(bench: Bench) -> None:
    with layout.mendable():
        review_actions.save_view(bench.workbench.index, st.session_state[_VIEW], bench.wish.view)


def _with_errors_shown(act: Callable[..., object]) -> Callable[..., None]:
    """Wrap a callback so that its errors are shown on the page."""

    def done(*args: object) -> None:
        with layout.mendable():
            act(*args)

    return done


_ALL = Wish()
_NARROWS = (
    *("label", "by", "value", "axial", "group"),
    *("beside", "there", "outcome", "text", "field", "has", "won"),
)
"""What narrows the list and has no choice of its own in the row."""


def _show_active_filters(bench: Bench) -> None:
    """Show the active filters, with a button that removes them."""
    told = "; ".join(_active_filters(bench.wish))
    if not told:
        return
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", key="errors_narrow"
    ):
        st.caption(layout.literal(f"Only {told}: {plurals.number(bench.total, 'result')}."))
        usual = {name: getattr(_ALL, name) for name in _NARROWS}
        st.button("Show all", key="errors_widen", on_click=change, kwargs=usual)


def _active_filters(wish: Wish) -> Iterator[str]:
    """Yield a description of each active filter."""
    if wish.label and (wish.value or wish.axial):
        value = named(wish.value) if wish.by == "retriever" else stage_words(wish.value)
        yield " · ".join(filter(None, (wish.label, value)))
    if wish.group:
        yield f"group {wish.group}"
    if wish.outcome:
        yield outcome_label(wish.outcome)
    if wish.text:
        yield f"questions containing '{wish.text}'"
    if wish.field:
        yield f"{wish.field} {wish.has}"
    if wish.won and wish.other:
        yield f"{wish.won} {'to' if wish.won == 'equal' else 'than'} {named(wish.other)}"
    if wish.beside:
        there = ", ".join(map(stage_words, split(wish.there))) or "at any stage"
        yield f"gold lost with {named(wish.beside)}: {there}"


def all_runs(bench_runs: Runs) -> list[Run]:
    """Return the runs that have a retriever, newest first."""
    return [run for run in bench_runs.all() if run.retrievers]
