"""The effects of replayed settings, and a button that reverts them."""

from functools import partial

import streamlit as st

from core.artefacts.workbench import Workbench
from core.difference.side import Called
from core.marks import Gold
from core.traces import Trace
from pages.components.ask.request import Ask
from pages.components.shell import layout
from pages.components.trace import current_trace
from pages.components.trace.before_after import difference_shown, headline_and_switch, known_trace

REPLAY = Called("the replay", "replay")


def show_replayed(workbench: Workbench, wanted: Ask, before: Ask, trace: Trace, gold: Gold) -> bool:
    """Draw the settings changed since `before`, a button that reverts them, and their effects.

    Return True if the difference of both walks replaces the walkthrough.
    """
    was = known_trace(workbench, before)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="by_hand"):
        st.html("<p class='hop-side'>Replayed</p>", width="content")
        st.button(
            f"{layout.literal(', '.join(wanted.spec.changes_from(before.spec)))} ✕",
            key="replayed_back",
            help="Click to go back to the earlier settings.",
            on_click=partial(current_trace.ask, before, workbench.index.name),
        )
        if was:
            headline_and_switch(was, trace, gold)
    if was is None:
        return False
    head = ": ".join(filter(None, ("Replay", ", ".join(wanted.spec.new_values(before.spec)))))
    return difference_shown(was, trace, gold, workbench, REPLAY, head)
