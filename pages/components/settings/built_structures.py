"""Settings: the structures built for an index's retrievers."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

import streamlit as st

from core.artefacts.stored_artefacts import OnShelf, on_shelf
from core.library.catalogue import Listed
from core.maps.stored import CORPUS_MAP
from core.playback.wording import begun
from core.retrievers.registry import artefacts_by_name, standing_on
from core.store.artefact_tables import shelved
from pages.components.shell import layout, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.figures import section
from pages.components.shell.formatting import ago, duration, size
from pages.components.shell.widgets.dialogs import (
    close_dialog,
    confirm,
    is_open,
    open_dialog,
    subject,
)

_DROP = "settings_drop"


def show_shelf() -> None:
    """Draw the structures that were built for the retrievers of one index."""
    entries = [each for each in resources.entries() if each.meta]
    if not entries:
        return
    section("Built for retrievers")
    with layout.mendable():
        _show(_choose_index(entries))
    if is_open(_DROP):
        _confirm(*subject())


def _choose_index(entries: Sequence[Listed]) -> Listed:
    """Draw the choice of an index, by default the current one."""
    by_name = {each.name: each for each in entries}
    now = resources.index_name()
    name = st.selectbox(
        "Index",
        list(by_name),
        index=list(by_name).index(now) if now in by_name else 0,
        key="settings_shelf_index",
    )
    return by_name[name]


def _show(entry: Listed) -> None:
    """List the built structures, each with a Delete button."""
    if not shelved(entry.path):
        st.caption(
            "Nothing has been built for retrievers yet. The first query to a retriever "
            "builds what the retriever needs and lists it here."
        )
        return
    for each in on_shelf(resources.workbench(entry), artefacts_by_name()):
        with (
            st.container(border=True, key=f"settings_shelf_{each.row.name}"),
            st.container(horizontal=True, vertical_alignment="center", wrap=False),
        ):
            st.html(_row(each), width="stretch")
            if st.button("Delete", key=f"settings_drop_{each.row.name}"):
                open_dialog(_DROP, entry.name, each.row.name)


def _row(each: OnShelf) -> str:
    """Return a structure as HTML: state, size, age, cost, and the retrievers that use it."""
    row = each.row
    word, kind = ("up to date", "") if each.current else ("stale", "busy")
    users = " · ".join(_users(row.name)) or "no retriever"
    facts = [
        size(row.size),
        f"built {ago(datetime.fromisoformat(row.made_at))}",
        f"in {duration(row.seconds)}",
        *([each.authorship] if each.authorship else []),
        *([str(row.spending)] if row.spending else []),
    ]
    says = each.artefact.says if each.artefact else "No retriever uses it anymore."
    return (
        f"<div class='hop-index'><strong>{escape(_title(row.name))}</strong>"
        f"<span class='hop-status hop-{kind}'>{word}</span>"
        f"<p>{escape(says)}</p><p>{escape(' · '.join(facts))}</p>"
        f"<p>For {escape(users)}</p></div>"
    )


def _title(name: str) -> str:
    """Return the title of an artefact, or its name if no retriever uses it anymore."""
    known = artefacts_by_name().get(name)
    return begun(known.title if known else name)


@st.dialog("Delete built data", on_dismiss=close_dialog)
def _confirm(index: str, name: str) -> None:
    """Draw the dialog that confirms the deletion of a structure."""
    st.text(
        f"This deletes {_title(name)} from {index}. Rebuilding it takes time but reuses "
        "cached embeddings and model replies."
    )
    if confirm("settings_drop", goes="Delete it", stays="Keep it"):
        with layout.mendable():
            index_actions.drop(
                index, name, resources.workbench(resources.entry(index)).embedder.info
            )
            close_dialog()
            st.rerun()


def _users(name: str) -> list[str]:
    """Return the titles of the pages and retrievers that use the artefact called `name`."""
    if name == CORPUS_MAP.name:
        return ["Explore"]
    return [card.title for card in standing_on(name)]
