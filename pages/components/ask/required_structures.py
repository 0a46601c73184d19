"""Structures that a retriever needs: what is missing, the button that builds it, and progress."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from core import jobs
from core.artefacts.base import Artefact
from core.artefacts.cost_forecast import estimated_seconds, forecast
from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import FREE, price_of
from core.playback.wording import begun
from core.retrievers import Spec
from core.settings import settings
from core.store.index import Index
from pages.components.building.job_progress import show_job
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.shell import layout, model_servers, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.formatting import duration
from pages.components.shell.visitors.visitor import visitor


def needs_first(spec: Spec, workbench: Workbench, *, place: str) -> bool:
    """Return whether `spec` lacks structures, and show the button that builds them.

    Once they are built, the page runs again.

    Raises
    ------
    StoreError : what was built is damaged.
    InputError : the table of prices cannot be read.
    """
    waiting = missing(spec.needs, workbench)
    if waiting:
        cost = cost_of(waiting, workbench)
        show_build(spec, waiting, workbench.index, cost, place=place)
    return bool(waiting)


def show_build(
    spec: Spec, waiting: Sequence[Artefact[Any]], index: Index, cost: str, *, place: str
) -> None:
    """Show what has to be built, its `cost` and the button, or the progress of the build.

    `place` is the prefix of widget keys, unique for each retriever of a page.
    """
    names = tuple(artefact.name for artefact in waiting)
    state = jobs.state(index.path)
    if state and (state.running or _ended_early(state, names)):
        show_job(index.path, f"{place}_needs")
        return
    with st.container(border=True, key=f"{place}_needs"):
        st.text(f"{spec.card.title} needs structures that this index does not have yet:")
        said = "".join(
            f"<li><b>{escape(begun(artefact.title))}:</b> {escape(artefact.says)}</li>"
            for artefact in waiting
        )
        st.html(f"<ul class='hop-needs'>{said}</ul>")
        st.caption(layout.literal(cost))
        if not visitor().may_edit:
            st.caption("An editor of this server can build them.")
            return
        budget = NO_BUDGET
        asks = any(artefact.asks_model for artefact in waiting)
        if asks and (endpoint := model_servers.endpoint()):
            in_money = price_of(endpoint, settings().prices) not in (None, FREE)
            st.caption(layout.literal(f"This calls {endpoint.model} and caches its replies."))
            budget = ask_budget(f"{place}_budget", in_money=in_money)
        _build_button("Build it", names, index, budget, place=place)


def left_out_line(
    spec: Spec, waiting: Sequence[Artefact[Any]], index: Index, *, place: str
) -> None:
    """Show one line that `spec` was not run, with a button that builds the missing structures.

    There is no button if the build calls a model, as it needs a budget first.
    """
    names = tuple(artefact.name for artefact in waiting)
    state = jobs.state(index.path)
    busy = bool(state and (state.running or _ended_early(state, names)))
    titles = ", ".join(artefact.title for artefact in waiting)
    with st.container(horizontal=True, vertical_alignment="center", key=f"{place}_left_out"):
        st.warning(
            layout.literal(
                f"{spec.card.title} is not in this comparison: the index lacks {titles}."
            )
        )
        asks = any(artefact.asks_model for artefact in waiting)
        if visitor().may_edit and not busy and not asks:
            _build_button(f"Build {titles}", names, index, NO_BUDGET, place=place)


def _build_button(
    label: str, names: Sequence[str], index: Index, budget: Budget, *, place: str
) -> None:
    """Draw the button that starts a job which builds the structures `names`."""
    if st.button(layout.literal(label), type="primary", key=f"{place}_build"):
        with layout.mendable():
            job = jobs.Job("make", index.path, artefacts=tuple(names), budget=budget)
            index_actions.start(job)
            st.rerun()


def cost_of(waiting: Sequence[Artefact[Any]], workbench: Workbench) -> str:
    """Describe the cost of building `waiting`: calls, money and time, in one or two sentences.

    Raises
    ------
    StoreError : what was built of some index is damaged.
    InputError : the table of prices cannot be read.
    """
    now = settings()
    asked = forecast(workbench, waiting, now.prices)
    paid = asked or "Building needs no model and costs nothing."
    built = [each.path for each in resources.entries() if each.meta]
    seconds = estimated_seconds(waiting, len(workbench.index.passages), built)
    if asked:
        return f"{paid} The time depends on the model."
    if seconds is None:
        return f"{paid} Expect seconds for a few hundred passages and minutes for ten thousand."
    about = "less than a minute" if seconds < 60 else f"about {duration(seconds)}"
    return f"{paid} Estimate from earlier builds: {about}."


def _ended_early(state: jobs.JobState, names: Sequence[str]) -> bool:
    """Return whether a build of one of `names` can be resumed."""
    return bool(state.resumable and state.job and not {*names}.isdisjoint(state.job.artefacts))
