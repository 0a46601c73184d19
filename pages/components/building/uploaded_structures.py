"""Files of pseudo-queries, edges, or entities for a new index: uploaded, matched, previewed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex

import pandas as pd
import streamlit as st

from core.corpus.extraction_files import read_extraction
from core.hop_graph.file_questions import KINDS, FromFile, coverage
from core.hop_graph.given_graph import GivenGraph, matched
from core.jobs.made_elsewhere import read_made
from core.store.extraction_table import Matched
from core.store.extraction_table import matched as matched_records
from core.text.import_sources import FILE, GRAPH, path_in
from core.types import Passage
from pages.components.corpus.chosen_files import ChosenFile, held_folder, write_upload
from pages.components.corpus.file_reading import remembered
from pages.components.shell import layout
from pages.components.shell.actions import permissions
from pages.components.shell.formatting import cropped
from pages.components.shell.visitors.uploads import release

LABELS = {FILE: "a file of pseudo-queries", GRAPH: "a graph of your own"}
"""What the kinds of files are called."""
OPENIE = "openie:"
"""The kind of a file of entities and triples."""
_HELP = {
    FILE: "JSON Lines of {passage, in: [{question, evidence}], out: […]}, where passage is an id "
    "or a title; or node2questiondict.pkl of the official HopRAG code.",
    GRAPH: "GraphML, or a table of source, target and optionally question and "
    "weight. Source and target are ids or titles of passages.",
    OPENIE: "HippoRAG’s OpenIE results, or JSON Lines of {passage, entities, triples}, "
    "where passage is an id, a title or a hash of the text.",
}
_TYPES = {
    FILE: ["jsonl", "ndjson", "pkl", "gz"],
    GRAPH: ["graphml", "csv", "tsv", "jsonl", "json", "gz"],
    OPENIE: ["json", "jsonl", "ndjson", "gz"],
}
_SHOWN = 20
_LETTERS = 200


def choose_made(kind: str, passages: Sequence[Passage]) -> str:
    """Return the maker of the uploaded file, or an empty string without a readable one."""
    file = _upload_field(kind, LABELS[kind].capitalize())
    if file is None:
        st.caption(layout.literal(_HELP[kind]))
        return ""
    maker = f"{kind}{file.path}"
    with layout.mendable():
        found = remembered(f"{_place(kind)}_read", file, lambda: read_made(maker, file.name))
        if isinstance(found, FromFile):
            _show_questions(found, passages)
        else:
            _show_graph(found, passages)
        return maker
    return ""


def choose_extraction(passages: Sequence[Passage]) -> Path | None:
    """Return the uploaded file of entities and triples; None unless a record of it fits."""
    st.caption(layout.literal(_HELP[OPENIE]))
    file = _upload_field(OPENIE, "Entities and triples")
    if file is None:
        return None
    path, name = file.path, file.name
    with layout.mendable():
        found = remembered(f"{_place(OPENIE)}_read", file, lambda: read_extraction(path, name))
        fits = matched_records(found, passages)
        st.caption(layout.literal(". ".join(fits.told(found, len(passages))) + "."))
        _show_extraction(fits, passages)
        return path if fits.found else None
    return None


def uploaded(kind: str) -> ChosenFile | None:
    """Return the uploaded file of a kind, if there is one."""
    file: ChosenFile | None = st.session_state.get(_place(kind))
    return file


def _upload_field(kind: str, label: str) -> ChosenFile | None:
    """Draw the upload field of a kind of file, or the uploaded file with a button to remove it."""
    key = f"corpus_made_{kind.rstrip(':')}"
    file = uploaded(kind)
    if file is None:
        st.file_uploader(
            label,
            type=_TYPES[kind],
            key=key,
            help=_HELP[kind],
            on_change=_store_upload,
            args=(key, kind),
        )
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{label}: **{layout.literal(file.name)}**", width="stretch")
        st.button("Remove", key=f"{key}_remove", on_click=_remove, args=(kind,))
    return file


def made_names(maker: str, extraction: Path | None) -> dict[Path, str]:
    """Return the user's names of the files that a maker reads: its own and the one of entities."""
    files = [st.session_state.get(_place(kind)) for kind in _HELP]
    used = (path_in(maker), extraction)
    return {file.path: file.name for file in files if file and file.path in used}


def _place(kind: str) -> str:
    return f"corpus_made_of_{kind.rstrip(':')}"


def _store_upload(key: str, kind: str) -> None:
    """Store an uploaded file in the session's folder; editors only."""
    upload = st.session_state[key]
    if upload is None:
        return
    with layout.mendable():
        permissions.need_editor()
        path = held_folder() / f"made-{token_hex(6)}"
        write_upload(upload, path)
        st.session_state[_place(kind)] = ChosenFile(path, upload.name)
    release([upload])


def _remove(kind: str) -> None:
    st.session_state.pop(_place(kind), None)


def _show_questions(found: FromFile, passages: Sequence[Passage]) -> None:
    """Show how many passages the file covers, and the in- and out-questions of the first ones."""
    st.caption(layout.literal(coverage(found, passages).told()))
    asked = found.matched(passages)
    shown = [each for each in passages if each.id in asked][:_SHOWN]
    columns = [
        ["\n".join(text for text, _ in asked[each.id][kind]) for each in shown] for kind in KINDS
    ]
    titles = [each.title or each.id for each in shown]
    _table({"Passage": titles, "In-questions": columns[0], "Out-questions": columns[1]})


def _show_graph(found: GivenGraph, passages: Sequence[Passage]) -> None:
    """Show how many edges of the file join passages, the first edges, and the unmatched nodes."""
    fits = matched(found.graph, passages)
    st.caption(layout.literal(". ".join(fits.told(len(passages))) + "."))
    titles = {each.id: each.title or each.id for each in passages}
    shown = fits.links[:_SHOWN]
    _table(
        {
            "Source": [titles[link.source] for link in shown],
            "Question": [link.question or "no question" for link in shown],
            "Target": [titles[link.target] for link in shown],
            "Weight": [link.weight for link in shown],
        }
    )
    if fits.unmatched:
        with st.expander(f"Unmatched nodes ({len(fits.unmatched):,})"):
            _table({"Node": list(fits.unmatched[: 50 * _SHOWN])})


def _show_extraction(fits: Matched, passages: Sequence[Passage]) -> None:
    """Show the entities and triples of the first matching passages."""
    shown = [each for each in passages if each.id in fits.found][:_SHOWN]
    found = [fits.found[each.id] for each in shown]
    _table(
        {
            "Passage": [each.title or each.id for each in shown],
            "Entities": [", ".join(one.entities) for one in found],
            "Triples": ["\n".join(map(" · ".join, one.triples)) for one in found],
        }
    )


def _table(columns: Mapping[str, Sequence[str | float]]) -> None:
    """Draw a table with its texts cropped."""
    cells = {
        name: [cropped(each, _LETTERS) if isinstance(each, str) else each for each in values]
        for name, values in columns.items()
    }
    st.dataframe(pd.DataFrame(cells), hide_index=True)
