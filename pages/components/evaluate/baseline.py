"""The baseline of a run: chosen by the user, or a default."""

from collections.abc import Sequence

import streamlit as st

from core.retrievers import Spec
from core.reviews.losses.change_effect import of_trial
from core.runs import Other, Run, Runs
from pages.components.evaluate.cached_results import USUAL, standings_of

_CHOSEN = "set_against"


def choose(run: Run, other: Other) -> None:
    """Remember `other` as the baseline of `run` for this session."""
    st.session_state.setdefault(_CHOSEN, {})[run.id] = other


def chosen(run: Run) -> Other | None:
    """Return the baseline chosen last for `run`; None before any choice."""
    found: Other | None = st.session_state.get(_CHOSEN, {}).get(run.id)
    return found


def default_baseline(run: Run, found: Sequence[Run], runs: Runs) -> Other:
    """Return what a trial or a search started from, else the named baseline or the best retriever.

    The best is by the usual measure, so that another displayed measure does not change it.
    """
    if parents := of_trial(run, found):
        return Other(parents[0][0].id, parents[0][1])
    named = str(run.settings.get("baseline", ""))
    if named in (run.retrievers if run.is_search else run.retrievers[1:]):
        return Other(run.id, named)  # the first one stands there where none was named
    return Other(run.id, best(run, runs))


def best(run: Run, runs: Runs, *, walks_first: bool = False) -> str:
    """Return the retriever of `run` with the highest mean of the usual measure.

    Among equals it is one with default settings.

    Parameters
    ----------
    walks_first : prefer a walk among equals, as its walkthrough has most to tell.
    """
    means = {one.retriever: one.measures[USUAL].mean for one in standings_of(runs, run)}

    def rank(retriever: str) -> tuple[float, bool, bool]:
        spec = Spec.known(retriever)
        is_default = spec is not None and not spec.settings
        return means.get(retriever) or 0.0, walks_first and _walks(retriever), is_default

    return max(run.retrievers, key=rank, default="")


def _walks(retriever: str) -> bool:
    spec = Spec.known(retriever)
    return spec is not None and any(one.card.direction for one in spec.all_of_it())
