"""Filters of the map by document and by a field of documents; those by number are on the map."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.maps.messages import FieldData, field_data, shown_bits
from core.store.index import Index

_DOCUMENT, _FIELD, _VALUES = "map_document", "map_field", "map_values"
SOURCE = "Source file"
_NO_FIELD = "None"
_MOST_VALUES = 200


@dataclass(frozen=True, slots=True)
class Filtered:
    """The filter of the map; empty and None if nothing is filtered."""

    hidden: str
    field: FieldData | None
    shown: int


def filters(index: Index) -> Filtered:
    """Draw the filters, and return what they leave."""
    documents = _documents(index, _version(index))
    state = st.session_state
    narrowed = bool(state.get(_DOCUMENT) or state.get(_VALUES))
    with st.popover("Filter (on)" if narrowed else "Filter", width="stretch"):
        wanted = st.text_input(
            "Document", key=_DOCUMENT, placeholder="Part of a title, id or file name"
        )
        field = st.selectbox("Field", [_NO_FIELD, *documents.fields], key=_FIELD)
        values = documents.values(field) if field != _NO_FIELD else []
        frequent = [value for value, _ in Counter(values).most_common(_MOST_VALUES) if value]
        chosen = (
            st.multiselect("Values", frequent, key=_VALUES, placeholder="All") if values else []
        )
        st.caption("Passages of other documents are not drawn. A field also colours the map.")
    shown = _filtered_vertices(index, documents, wanted or "", values, chosen)
    field_shown = field_data(str(field), values) if values else None
    if shown is None:
        return Filtered("", field_shown, len(index.ids))
    return Filtered(shown_bits(shown, len(index.ids)), field_shown, len(shown))


@dataclass(frozen=True, slots=True, eq=False)
class _Documents:
    """The document number of each passage, and the fields of each document."""

    of: Sequence[int]
    rows: Sequence[dict[str, str]]
    fields: Sequence[str]

    def values(self, field: str) -> list[str]:
        """Return the value of a field for each passage."""
        return [self.rows[number].get(field, "") for number in self.of]


def _version(index: Index) -> str:
    return f"{index.path} {index.meta.finished_at}"


@st.cache_resource(max_entries=6, show_spinner=False)
def _documents(_index: Index, version: str) -> _Documents:  # noqa: ARG001
    """Return the document number of each passage, and each document's source and metadata as text.

    Fields with a single value are left out, since they filter nothing.
    """
    rows: list[dict[str, str]] = []
    number: dict[str, int] = {}
    for document in _index.documents:
        number[document.id] = len(rows)
        told = {name: str(value) for name, value in document.metadata.items() if value is not None}
        rows.append({SOURCE: document.source, **told})
    of = [number[passage.document_id] for passage in _index.passages]
    counted = Counter(name for row in rows for name, value in row.items() if value)
    fields = [name for name, _ in counted.most_common() if len({r.get(name) for r in rows}) > 1]
    return _Documents(of, rows, fields)


def _filtered_vertices(
    index: Index, documents: _Documents, wanted: str, values: Sequence[str], chosen: Sequence[str]
) -> list[int] | None:
    """Return the vertex numbers of the passages shown; None if nothing is filtered."""
    if not wanted.strip() and not chosen:
        return None
    matching = set(index.catalogue.matching(wanted))
    allowed = set(chosen)
    return [
        passage
        for passage, document in enumerate(documents.of)
        if document in matching and (not allowed or values[passage] in allowed)
    ]
