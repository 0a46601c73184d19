"""One study: retrievers, progress, tables, charts, and its file."""

from html import escape
from pathlib import Path

import streamlit as st

from core import jobs
from core.jobs.named_models import naming
from core.jobs.study import asks_model, studies_folder
from core.library.catalogue import Listed
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import FREE, price_of
from core.retrievers import Spec
from core.settings import settings
from core.studies import Results, Study, Variant, read_study
from core.studies.forecast import forecast_of, model_forecast
from core.studies.measuring import columns_of
from core.studies.naming import size_told, study_about, study_title
from core.studies.shelf import is_own
from core.text.display import plurals
from pages.components.building.job_progress import show_job
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.shell import layout, model_servers, nav, resources
from pages.components.shell.actions import study_actions
from pages.components.shell.formatting import all_of, duration
from pages.components.shell.visitors.visitor import visitor
from pages.components.studies.conclusion_panel import show_conclusion
from pages.components.studies.study_results import has_own_data, journal_of, stored_results
from pages.components.studies.study_views import show_paper, show_view


def show_study(path: Path, entry: Listed) -> None:
    """Show a study, run on the index of `entry` unless it names data of its own.

    Raises
    ------
    InputError : the file holds no study any more, or a file that it reads is gone.
    StoreError : its runs cannot be read.
    """
    study = read_study(path)
    stored = stored_results(study, entry)
    variants, results = stored.variants, stored.results
    if st.button("‹ All studies", key="studies_back", type="tertiary"):
        nav.go("studies", index=entry.name)
    st.html(
        f"<h1 class='hop-title' dir='auto'>{escape(study_title(study))}</h1>"
        f"<p class='hop-lead' dir='auto'>{escape(study_about(study))}</p>"
    )
    if study.differs:
        st.caption(layout.literal(f"Differs from the paper: {study.differs}"))
    show_conclusion(results)
    journal = journal_of(study, entry)
    state = jobs.state(journal)
    if not (state and state.running):
        _offer_run(study, variants, results, entry, has_own_data(study))
    show_job(journal, "study")
    _show_retriever_notes(study, results)
    if results.lines:
        table = next((n for n, view in enumerate(study.views) if view.kind == "table"), None)
        for number, view in enumerate(study.views):
            show_view(results, variants, view, f"study_view_{number}", switch=number == table)
    for number, paper in enumerate(study.papers):
        show_paper(results, paper, f"study_paper_{number}")
    _file(study)


def _offer_run(
    study: Study, variants: tuple[Variant, ...], results: Results, entry: Listed, own_data: bool
) -> None:
    """Show the remaining work and a button that runs it."""
    endpoint = model_servers.endpoint()
    told = forecast_of(study, variants, with_model=endpoint is not None)
    where = study.data.index or ("its own data" if own_data else entry.name)
    left_out = len(_unrun_retrievers(study, results))
    without = " can run without a model" if left_out and not results.lines else ""
    ran = f"{size_told(study, left_out)}{without}"
    ran = (
        f"{ran}, {plurals.number(_lines(study, variants, left_out), 'line')}"
        if len(variants) > 1
        else ran
    )
    asked = {line.total for line in results.lines}
    questions = f", {plurals.number(asked.pop(), 'question')}" if len(asked) == 1 else ""
    grid = f"{ran} on {where}{questions}."
    with st.container(horizontal=True, vertical_alignment="center", key="study_run_row"):
        if visitor().may_edit and not results.complete and (own_data or entry.meta):
            budget = _budget(study, variants, entry, own_data=own_data)
            label = "Continue" if results.lines else "Run the study"
            if st.button(label, type="primary", key="study_run"):
                with layout.mendable():
                    study_actions.start_study(study.path, None if own_data else entry.path, budget)
                    st.rerun()
        left = f" About {duration(told.seconds)}." if told.seconds and told.results else ""
        rows = f" {told.results:,} results to measure, at most.{left}" if told.results else ""
        built = f" {plurals.number(told.to_build, 'index')} to build." if told.to_build else ""
        st.caption(layout.literal(f"{grid}{built}{rows}"))


def _unrun_retrievers(study: Study, results: Results) -> tuple[Spec, ...]:
    """Return the retrievers that were not run, or before a run, those that will not be."""
    if results.lines:
        return results.left_out
    return columns_of(study, with_model=model_servers.endpoint() is not None).left_out


def _lines(study: Study, variants: tuple[Variant, ...], left_out: int) -> int:
    """Return how many lines the results have: one for each retriever on each index."""
    return (len(study.retrievers) - left_out) * len(variants)


def _budget(
    study: Study, variants: tuple[Variant, ...], entry: Listed, *, own_data: bool
) -> Budget:
    """Return the most that the study may pay the model; a button estimates what it will ask."""
    endpoint = model_servers.endpoint()
    if endpoint is None or not asks_model(study):
        return NO_BUDGET
    price = None
    with layout.mendable():
        price = price_of(endpoint, settings().prices)
    budget = ask_budget("study_budget", in_money=price not in (None, FREE))
    if not own_data and st.button("Estimate calls and cost", key="study_forecast"):
        with layout.mendable(), st.spinner("Estimating the model calls"):
            for variant in variants:
                oracle = resources.oracle(entry.path, naming(endpoint, variant.models))
                bench = resources.workbench(entry).with_oracle(oracle)
                told = model_forecast(study, bench, settings().prices)
                asked = oracle.named if oracle else ""
                st.caption(layout.literal(f"{asked}: {told}. Replies are cached."))
    return budget


def _show_retriever_notes(study: Study, results: Results) -> None:
    """Name the retrievers that replace others, are left out, or are not finished."""
    substituted = {
        line.named.card.title: line.asked.card.title for line in results.lines if line.stands_in
    }
    if substituted:
        told = [f"{new} for {old}" for old, new in substituted.items()]
        st.info(layout.literal(f"No model is configured. Substituted: {all_of(told)}."))
    asked = {line.asked.key: line.asked.card for line in results.lines}
    by_rules = [card.title for card in asked.values() if card.asks_model and card.substitute]
    if by_rules and model_servers.endpoint() is None:
        st.caption(layout.literal(f"Rule-based, without a language model: {all_of(by_rules)}."))
    if titles := [*dict.fromkeys(spec.card.title for spec in _unrun_retrievers(study, results))]:
        need = "needs" if len(titles) == 1 else "need"
        was = "was" if len(titles) == 1 else "were"
        not_run = f" and {was} not run" if results.lines else ""
        st.caption(layout.literal(f"{all_of(titles)} {need} a model{not_run}."))
    behind = [line for line in results.lines if line.done < line.total]
    if behind:
        least = min(line.done for line in behind)
        st.caption(
            f"{plurals.number(len(behind), 'retriever')} not finished; "
            f"the slowest has {least:,} of {behind[0].total:,} questions. "
            "Means cover finished questions only."
        )


def _file(study: Study) -> None:
    """Show the study file with a download; an editor may delete an uploaded study."""
    with st.expander("Study file"):
        st.code(study.text, language="toml", wrap_lines=True)
        with st.container(horizontal=True):
            st.download_button(
                "Save the file",
                data=study.text,
                file_name=study.path.name,
                mime="application/toml",
                key="study_save",
                on_click="ignore",
            )
            own = is_own(study.path, studies_folder())
            if own and visitor().may_edit and st.button("Delete the study", key="study_delete"):
                study_actions.delete_study(study.path)
                nav.go("studies")
