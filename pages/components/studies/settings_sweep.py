"""Sweep a setting of a retriever, from a run on Evaluate."""

import streamlit as st

from core.artefacts.workbench import Workbench
from core.models.money.budget import NO_BUDGET
from core.playback.wording import begun
from core.retrievers import Spec
from core.runs import Run
from core.studies.sweep import sweep_study, sweepable
from pages.components.evaluate.column_names import named
from pages.components.shell import layout, nav
from pages.components.shell.actions import study_actions
from pages.components.shell.visitors.visitor import visitor


def offer_sweep(workbench: Workbench, run: Run, retriever: str) -> None:
    """Offer each setting of `retriever`; a click makes a study of it and opens it.

    The study starts at once, unless it may call a model: then its page says first what it costs.
    """
    spec = Spec.known(retriever) if run.configuration(retriever) else None
    settings = sweepable(spec) if spec else {}
    if spec is None or not settings or not visitor().may_edit:
        return
    with st.popover("Sweep a setting", key="evaluate_sweep"):
        st.caption(layout.literal(f"Runs these questions with {named(retriever)} for each value."))
        for one in spec.declared:
            if not (values := settings.get(one.name)):
                continue
            label = f"{begun(one.title)}: {', '.join(map(one.worded, values))}"
            key, says = f"evaluate_sweep_{one.name}", layout.literal(one.setting.says)
            if st.button(layout.literal(label), key=key, help=says, type="tertiary"):
                with layout.mendable():
                    _begin(workbench, run, spec, one.name)


def _begin(workbench: Workbench, run: Run, spec: Spec, setting: str) -> None:
    text = sweep_study(spec, setting, run, workbench.index.name)
    study = study_actions.add_study(text, f"{spec.key}-{setting}")
    if workbench.oracle is None or not spec.asks_model:
        study_actions.start_study(study, None, NO_BUDGET)
    nav.go("studies", study=study.stem, index=workbench.index.name)
