"""Sweep a setting of a retriever, from a run on Evaluate."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.artefacts.workbench import Workbench
from core.models.money.budget import NO_BUDGET
from core.playback.wording import begun
from core.retrievers import Spec
from core.retrievers.settings import Declared
from core.retrievers.spec import Value
from core.runs import Run
from core.studies.sweep import GROUPS, group_of, sweep_study, sweepable
from core.text.display.plurals import number
from pages.components.evaluate.column_names import named
from pages.components.shell import layout, nav
from pages.components.shell.actions import study_actions
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.card import card


def offer_sweep(workbench: Workbench, run: Run, retriever: str) -> None:
    """Offer each setting of `retriever`; a click creates a study of it and opens it.

    The study starts at once, unless it may call a model: its page then shows the cost first.
    """
    spec = Spec.known(retriever) if run.configuration(retriever) else None
    settings = sweepable(spec) if spec else {}
    if spec is None or not settings or not visitor().may_edit:
        return
    with st.popover("Sweep a setting", key="evaluate_sweep"):
        questions = number(run.questions, "question")
        st.caption(
            layout.literal(
                f"Run {named(retriever)} on these {questions} with each value of one setting, and "
                "open the result as a study. The current value is in bold."
            )
        )
        with st.container(key="evaluate_sweep_settings", gap="small"):
            for group in GROUPS:
                offered = [
                    one for one in spec.declared if one.name in settings and group_of(one) == group
                ]
                if offered:
                    st.html(f"<h4 class='hop-sweep-group'>{escape(group)}</h4>")
                for one in offered:
                    if _offer(one, settings[one.name], spec.values[one.name]):
                        with layout.mendable():
                            _begin(workbench, run, spec, one.name)


def _offer(one: Declared, values: Sequence[Value], now: Value) -> bool:
    """Show a setting with its meaning, its values, its range and its default; True if chosen."""
    said = {value: _range_and_default(one, value) for value in values}
    tried = "".join(
        f"<b>{escape(text)}</b>" if value == now else f"<span>{escape(text)}</span>"
        for value, text in said.items()
    )
    facts = [begun(one.setting.says)] if one.setting.says != one.title else []
    if one.kind in (int, float):
        facts.append(one.allowed)
    facts.append(f"default: {_range_and_default(one, one.default)}")
    body = (
        f"<div class='hop-sweep'><h5>{escape(begun(one.title))}</h5><p>{tried}</p>"
        f"<small>{escape(' · '.join(facts))}</small></div>"
    )
    label = f"{begun(one.title)}: {', '.join(said.values())}"
    return card(body, label, key=f"evaluate_sweep_{one.name}")


def _range_and_default(one: Declared, value: Value) -> str:
    return value.card.title if isinstance(value, Spec) else one.worded(value)


def _begin(workbench: Workbench, run: Run, spec: Spec, setting: str) -> None:
    """Add a study of `setting`, start it unless it needs a budget, and open it."""
    text = sweep_study(spec, setting, run, workbench.index.name)
    study = study_actions.add_study(text, f"{spec.key}-{setting}")
    if workbench.oracle is None or not spec.asks_model:
        study_actions.start_study(study, None, NO_BUDGET)
    nav.go("studies", study=study.stem, index=workbench.index.name)
