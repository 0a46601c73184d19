"""Passages with rule-based questions in place of a model's, and a button that asks again."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core import jobs
from core.artefacts.entity_graph.model_extraction import Extractor
from core.artefacts.workbench import Workbench
from core.hop_graph.model_questions import prompt_of
from core.models.money.forecast import foreseen
from core.models.money.prices import FREE, price_of
from core.models.prompt import Prompt
from core.settings import settings
from core.store.extraction_table import stored_extraction
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
            prompts = [prompt_of(index.passage(name), index.meta.limits) for name in by_rules]
            _ask_again(workbench, index.meta.maker, prompts, "build_again", locked=locked)
        with st.expander("Which passages"):
            named = [index.passage(name) for name in by_rules[:_LISTED]]
            rows = [(each.title, each.id, why.get(each.id, "")) for each in named]
            columns = ["Passage", "Id", "Reason"]
            st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True)


def show_unextracted(workbench: Workbench, *, locked: bool) -> None:
    """Show a button that asks again for entities and triples whose replies were unusable.

    Nothing is drawn if no model extracts, or if it did for every passage.
    """
    index, oracle = workbench.index, workbench.oracle
    found = index.meta.extraction
    if not found or not found.model or found.passages == index.meta.counts.vertices:
        return
    known, prompts = stored_extraction(index), []
    if oracle is not None:
        asking = Extractor(oracle)
        missing = [asking.prompt(one) for one in index.passages if one.id not in known]
        prompts = oracle.to_ask(missing, asking.read, again=True)
    if prompts or oracle is None:
        with st.container(key="build_unextracted", gap="small"):
            _ask_again(workbench, found.model, prompts, "build_extract_again", locked=locked)


def _ask_again(
    workbench: Workbench, model: str, prompts: Sequence[Prompt], place: str, *, locked: bool
) -> None:
    """Draw the cost of asking the model again, a budget, and the button."""
    index, endpoint = workbench.index, model_servers.endpoint()
    if not visitor().may_edit:
        return
    oracle = workbench.oracle
    if oracle is None or endpoint is None or endpoint.model != model:
        st.caption(layout.literal(f"To retry, set {model} as the language model (see Settings)."))
        return
    price = price_of(endpoint, settings().prices)
    calls = foreseen(oracle, prompts, settings().prices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        budget = ask_budget(f"{place}_budget", in_money=price not in (None, FREE))
        if st.button("Ask again", key=place, disabled=locked):
            index_actions.start(jobs.Job("add", index.path, budget=budget, again=True))
            st.rerun()
    st.caption(layout.literal(f"{endpoint.model}: {calls}. Replies are cached."))
