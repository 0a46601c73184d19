"""The lost gold of a question: what became of each passage, and its fix."""

from html import escape

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.funnel.data import Fate
from core.funnel.evidence_chain import chain_summary, with_position
from core.marks import asked_text
from core.playback.wording import ended
from core.retrievers import Spec
from core.reviews.losses.gold_outcomes import ended as end_of_imported
from core.reviews.losses.lost_gold import fix_description
from core.runs import Row, Run
from core.runs.fixes import Found, known_rescues, lost_of
from core.store.index import Index
from core.text.display import plurals
from pages.components.ask.request import Ask
from pages.components.passages.highlighting import fact
from pages.components.shell import layout, nav
from pages.components.shell.actions import run_actions
from pages.components.shell.formatting import cropped
from pages.components.shell.visitors.visitor import visitor

_OPEN = "evaluate_losses"
_TEXT = 220  # characters of a lost passage


def losses_button(row: Row, number: int, *, width: int) -> None:
    """Draw how much gold the question lost; a press opens or closes the list of it."""
    lost = lost_of(row)
    if not lost:
        st.space(width)
        return
    now = is_open(row)
    st.button(
        f"{len(lost)} lost",
        key=f"evaluate_lost_{number}",
        type="primary" if now else "secondary",
        help="Stage of loss and possible fixes",
        width=width,
        on_click=_turn,
        args=(row,),
    )


def is_open(row: Row) -> bool:
    """Return whether the lost gold of this question is listed."""
    return bool(st.session_state.get(_OPEN) == (row.retriever, row.question.id))


def _turn(row: Row) -> None:
    st.session_state[_OPEN] = None if is_open(row) else (row.retriever, row.question.id)


def show_losses(run: Run, row: Row, workbench: Workbench) -> None:
    """Draw each lost gold passage, with a link to the walkthrough of its fix."""
    with layout.mendable(), st.container(key="evaluate_losses", gap="xsmall"):
        known = known_rescues(run, row, workbench)
        lost = lost_of(row)
        if chain := chain_summary(row.question, [fate.gold for fate in lost]):
            st.caption(layout.literal(ended(chain)))
        for at, fate in enumerate(lost):
            _loss(row, fate, known, workbench, at)
        if Spec.known(row.retriever) and len(known) < len(lost):
            _draw_search_button(run, row, workbench, len(lost))


def _loss(row: Row, fate: Fate, known: Found, workbench: Workbench, at: int) -> None:
    """Draw a lost gold passage, what happened to it, and the link to a walkthrough with its fix."""
    rescue = known.get(fate.gold)
    happened = str(fate) if Spec.known(row.retriever) else end_of_imported(fate)
    told = ended(with_position(row.question, fate.gold, happened))
    saved = _fix_summary(row, fate, known, workbench.index)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f"<div class='hop-loss'>{_passage(row, fate, workbench)}"
            f"<span dir='auto'>{escape(told)}</span>{saved}</div>",
            width="stretch",
        )
        if rescue:
            spec, by_hand = Spec.parse(rescue.retriever), parse(rescue.amendments)
            ask = Ask(row.question.text, spec, by_hand)
            _draw_walkthrough_button(
                "Show walkthrough with this fix", f"evaluate_saved_{at}", ask, workbench.index.name
            )


def _passage(row: Row, fate: Fate, workbench: Workbench) -> str:
    """Return the title and text of the lost gold; the text of evidence if the gold is evidence."""
    index, evidence = workbench.index, asked_text(row.question, fate.gold)
    held = index.passage(fate.passage) if fate.passage in index.number else None
    if evidence:
        text = fact(evidence.text, _TEXT)
    else:
        text = escape(cropped(held.text, _TEXT)) if held else ""
    title = (held.title or held.id) if held else ("Evidence" if evidence else fate.gold)
    return f"<b dir='auto'>{escape(title)}</b><span class='hop-quiet' dir='auto'>{text}</span>"


def _fix_summary(row: Row, fate: Fate, known: Found, index: Index) -> str:
    """Describe the fix of lost gold, or that there is none; empty if none was searched for."""
    if fate.gold not in known:
        return ""
    rescue = known[fate.gold]
    found = "hop-saved" if rescue and rescue.keeps else "hop-quiet"
    told = ended(fix_description(row.retriever, fate, known, index))
    return f"<span class='{found}' dir='auto'>{escape(told)}</span>"


def _draw_search_button(run: Run, row: Row, workbench: Workbench, lost: int) -> None:
    """Draw the button that searches for fixes by running single changes."""
    if not visitor().may_edit:
        return
    them = "it" if lost == 1 else "them"
    if st.button(f"What would retrieve {them}?", key="evaluate_rescue"):
        with st.spinner(f"Trying single changes for {plurals.number(lost, 'passage')}"):
            run_actions.rescue(run, row, workbench)
        st.rerun()


def _draw_walkthrough_button(label: str, key: str, ask: Ask, index: str) -> None:
    if st.button(label, key=key):
        nav.go("trace", index=index, **ask.params())
