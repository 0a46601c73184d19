"""Links to other indexes with runs, for an index without one."""

import streamlit as st

from core.text.display.plurals import number
from pages.components.indexes.recent_runs import runs_of
from pages.components.shell import layout, nav, resources

MOST = 6


def show_elsewhere(here: str) -> None:
    """Draw a button for each index with runs, the latest change first."""
    found = [
        (entry.name, len(runs))
        for entry in resources.entries()
        if entry.meta and entry.name != here
        if (runs := [run for run in runs_of(entry) if run.retrievers])
    ]
    if not found:
        return
    st.text("Or review the runs of another index:")
    for name, many in found[:MOST]:
        label = f"{layout.literal(name)}: {number(many, 'run')}"
        if st.button(label, key=f"errors_elsewhere_{name}"):
            resources.select_index(name)
            nav.go("errors", index=name)
