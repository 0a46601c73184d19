"""The passages that a model was to ask about and rules did: named, and asked for again."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core import jobs
from core.artefacts.workbench import Workbench
from core.hop_graph.model_questions import prompt_of
from core.models.money.forecast import foreseen
from core.models.money.prices import FREE, price_of
from core.settings import settings
from core.text.display.plurals import number
from core.text.import_sources import is_made_elsewhere
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.shell import layout, model_servers
from pages.components.shell.actions import index_actions
from pages.components.shell.visitors.visitor import visitor

_LISTED = 1000


def show_by_rules(
    workbench: Workbench, by_rules: Sequence[str], why: Mapping[str, str], *, locked: bool
) -> None:
    """Show how many passages have rule-based questions, and a button that asks the model again.

    Parameters
    ----------
    by_rules : their ids; nothing is drawn without any.
    why : the reason, by id, if the last job recorded it.
    locked : whether a job is running.
    """
    if not by_rules:
        return
    index = workbench.index
    from_file = is_made_elsewhere(index.meta.maker)
    reason = (
        f"because {index.meta.maker.partition(':')[2]} contains none for these passages."
        if from_file
        else f"because the replies from {index.meta.maker} were unusable."
    )
    told = (
        f"{number(len(by_rules), 'passage')} of {index.meta.counts.vertices:,} have rule-based "
        f"pseudo-queries, {reason}"
    )
    with st.container(key="build_by_rules", gap="small"):
        (st.caption if from_file else st.warning)(layout.literal(told))
        if not from_file:
            _ask_again(workbench, by_rules, locked=locked)
        with st.expander("Which passages"):
            named = [index.passage(name) for name in by_rules[:_LISTED]]
            rows = [(each.title, each.id, why.get(each.id, "")) for each in named]
            columns = ["Passage", "Id", "Reason"]
            st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True)


def _ask_again(workbench: Workbench, by_rules: Sequence[str], *, locked: bool) -> None:
    """Draw the cost of asking the model again, a budget, and the button."""
    index, endpoint = workbench.index, model_servers.endpoint()
    if not visitor().may_edit:
        return
    oracle = workbench.oracle
    if oracle is None or endpoint is None or endpoint.model != index.meta.maker:
        st.caption(
            layout.literal(
                f"To retry, set {index.meta.maker} as the language model (see Settings)."
            )
        )
        return
    price = price_of(endpoint, settings().prices)
    prompts = [prompt_of(index.passage(name), index.meta.limits) for name in by_rules]
    calls = foreseen(oracle, prompts, settings().prices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        budget = ask_budget("build_again_budget", in_money=price not in (None, FREE))
        if st.button("Ask again", key="build_again", disabled=locked):
            index_actions.start(jobs.Job("add", index.path, budget=budget, again=True))
            st.rerun()
    st.caption(layout.literal(f"{endpoint.model}: {calls}. Replies are cached."))
