"""The documents of an index: searched, selected, and removed."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core import jobs
from core.store.index import Index
from core.store.schema import StoredDocument
from core.text.display.plurals import counted, number
from pages.components.building.adding_files import ADD
from pages.components.shell import layout, nav
from pages.components.shell.actions import index_actions
from pages.components.shell.client_input.selections import selected_rows
from pages.components.shell.glossary import hint
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.dialogs import (
    close_dialog,
    confirm,
    is_open,
    open_dialog,
    subject,
)

_ROWS = 500  # of a page
_WHOLE = 20  # of them are seen at once; the others are scrolled to
_REMOVE = "build_remove"


def show_documents(index: Index, locked: bool) -> None:
    """Draw the searchable table of documents; if the index is `locked`, none can be removed."""
    wanted = st.text_input(
        "Search title, id or file", key="build_search", placeholder="Title, id or file"
    )
    found = index.catalogue.matching(wanted)
    if not found:
        st.info(f"No document has '{layout.literal(wanted)}' in its title, id or file.")
        return
    pages = -(-len(found) // _ROWS)
    page = st.pagination(pages, key=f"build_documents_page_{wanted}") if pages > 1 else 1
    shown = index.documents.take(found[(page - 1) * _ROWS : page * _ROWS])
    scrolls = f"; scroll the table to see more than {_WHOLE}" if len(shown) > _WHOLE else ""
    st.caption(f"{number(len(found), 'document')}{scrolls}")
    chosen = st.dataframe(
        _table(index, shown),
        hide_index=True,
        height=38 + 35 * min(_WHOLE, len(shown)),
        on_select="rerun",
        selection_mode="multi-row",
        # Another list is another table: a selection must not slip to other documents.
        key=f"build_documents_{index.meta.finished_at}_{wanted}_{page}",
        column_config={
            "title": st.column_config.Column("Title", width=210),
            "id": st.column_config.Column("Id", width=150),
            "file": st.column_config.Column("File", width=130),
            "passages": st.column_config.NumberColumn("Passages", width=80, help=hint("passage")),
            "added": st.column_config.DatetimeColumn("Added", format="YYYY-MM-DD", width=95),
        },
    )
    selected = selected_rows(chosen, shown)
    with st.container(horizontal=True, horizontal_alignment="right"):
        if not visitor().may_edit:
            return
        if st.button("Add files", key="build_add"):
            nav.go("corpus", index=index.name, **{ADD: "1"})
        label = f"Remove {len(selected):,}" if selected else "Remove selected documents"
        if st.button(label, key="build_remove", disabled=locked or not selected):
            open_dialog(_REMOVE, *(document.id for document in selected))
    if is_open(_REMOVE):
        _confirm(index, index.catalogue.of(subject()))


@st.dialog("Remove documents", on_dismiss=close_dialog)
def _confirm(index: Index, documents: Sequence[StoredDocument]) -> None:
    """Ask for confirmation, then start the job that removes the documents."""
    its, them = ("its", "it") if len(documents) == 1 else ("their", "them")
    st.text(
        f"This removes {number(len(documents), 'document')} of {len(index.documents):,} from "
        f"{index.name}, with {its} passages, pseudo-queries and edges."
    )
    st.text("Text that also appears in another file is kept as a document of that file.")
    st.text("\n".join(f"· {document.title or document.id}" for document in documents[:8]))
    if len(documents) > 8:
        st.text(f"and {len(documents) - 8:,} more")
    if len(documents) == len(index.documents):
        st.warning(
            "An index needs at least one document. To remove everything, delete the index "
            "on the Start page."
        )
        return
    if losing := _questions_losing_gold(index, documents):
        have = counted(losing, "question has", "questions have")
        where = "this document" if len(documents) == 1 else "these documents"
        whose = "its" if losing == 1 else "their"
        st.warning(f"{have} gold in {where}, so {whose} recall can no longer reach 100%.")
    if confirm("build_remove", goes=f"Remove {them}", stays=f"Keep {them}"):
        with layout.mendable():
            names = tuple(document.id for document in documents)
            close_dialog()
            index_actions.start(jobs.Job("remove", index.path, documents=names))
            st.rerun()


def _questions_losing_gold(index: Index, documents: Sequence[StoredDocument]) -> int:
    """Return how many questions have gold in the documents to remove."""
    ids = {document.id for document in documents}
    ids.update(*(index.document_passages.get(name, ()) for name in list(ids)))
    return sum(
        not ids.isdisjoint({*query.gold, *(each.document for each in query.evidence)})
        for query in index.questions
    )


def _table(index: Index, documents: Sequence[StoredDocument]) -> pd.DataFrame:
    """Return a table of the documents: title, id, file, number of passages, and time added."""
    passages = index.catalogue.passages([document.id for document in documents])
    return pd.DataFrame(
        {
            "title": [document.title for document in documents],
            "id": [document.id for document in documents],
            "file": [document.source for document in documents],
            "passages": [passages[document.id] for document in documents],
            "added": pd.to_datetime(
                [document.added_at for document in documents], format="ISO8601", errors="coerce"
            ),
        }
    )
