"""Which retrievers lack a language model, what replaces it, and the way to Settings."""

from collections.abc import Sequence

import streamlit as st

from core.artefacts.workbench import Workbench
from core.playback.wording import join_names
from core.retrievers import CARDS, Spec
from core.steps import Step
from core.text.display.plurals import number
from pages.components.ask.rule_based_notice import stands_in
from pages.components.shell import layout, nav
from pages.components.shell.visitors.visitor import visitor

ASK = "To use a language model, set one up in Settings."


def without_model() -> str:
    """Return which retrievers need a language model, and how many use rules in its place.

    >>> without_model().partition(". ")[0]
    'HopRAG (model) and Zero-shot need a language model'
    """
    needing = [card.title for key, card in CARDS.items() if Spec(key).model_use == "required"]
    by_rules = sum(Spec(key).model_use == "optional" for key in CARDS)
    return (
        f"{join_names(needing)} need a language model. {number(by_rules, 'other retriever')} can "
        "use one; without one, they use rules."
    )


def model_setup_hint(*, with_model: bool, place: str) -> None:
    """Show what needs a language model, with a button that opens Settings."""
    if not with_model and (told := without_model()):
        _show(told, place)


def rules_notice(spec: Spec, steps: tuple[Step, ...], workbench: Workbench, *, place: str) -> None:
    """Say of a result that rules replaced the language model, with a button to Settings."""
    if stands_in(spec, steps, workbench):
        show_rules([spec.card.title], place=place)


def show_rules(names: Sequence[str], *, place: str) -> None:
    """Name the retrievers in whose results rules replaced the language model."""
    results = "this result" if len(names) == 1 else "these results"
    _show(f"Rules replaced the language model in {results}: {', '.join(names)}. {ASK}", place)


def _show(told: str, place: str) -> None:
    """Show a caption, and for editors a button that opens Settings."""
    st.caption(layout.literal(told))
    if visitor().may_edit and st.button(
        "Open Settings", key=f"{place}_model_settings", type="tertiary", icon=":material/settings:"
    ):
        nav.go("settings")
