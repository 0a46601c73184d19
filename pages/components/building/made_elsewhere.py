"""A file of pseudo-queries or edges for a new index: uploaded, matched to passages, previewed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex

import pandas as pd
import streamlit as st

from core.hop_graph.file_questions import KINDS, FromFile, coverage
from core.hop_graph.given_graph import GivenGraph, matched
from core.jobs.made_elsewhere import read_made
from core.text.maker_names import FILE, GRAPH, path_in
from core.types import Passage
from pages.components.corpus.chosen_files import ChosenFile, held_folder, write_upload
from pages.components.corpus.reading import remembered
from pages.components.shell import acts, frame
from pages.components.shell.uploads import release
from pages.components.shell.words import cropped

LABELS = {FILE: "a file of pseudo-queries", GRAPH: "a graph of your own"}
"""What the kinds of files are called."""
_HELP = {
    FILE: "JSON Lines of {passage, in: [{question, evidence}], out: […]}, where passage is an id "
    "or a title; or node2questiondict.pkl of the official HopRAG code.",
    GRAPH: "GraphML, or CSV, TSV or JSON Lines of source, target and optionally question and "
    "weight. Source and target are ids or titles of passages.",
}
_TYPES = {
    FILE: ["jsonl", "ndjson", "pkl", "gz"],
    GRAPH: ["graphml", "csv", "tsv", "jsonl", "json", "gz"],
}
_SHOWN = 20
_LETTERS = 200


def choose_made(kind: str, passages: Sequence[Passage]) -> str:
    """Return the maker of the uploaded file; empty while there is none that can be read."""
    key = f"corpus_made_{kind.rstrip(':')}"
    st.file_uploader(
        LABELS[kind].capitalize(),
        type=_TYPES[kind],
        key=key,
        help=_HELP[kind],
        on_change=_take,
        args=(key, kind),
    )
    file: ChosenFile | None = st.session_state.get(_place(kind))
    if file is None:
        st.caption(frame.literal(_HELP[kind]))
        return ""
    maker = f"{kind}{file.path}"
    with frame.mendable():
        found = remembered(f"{key}_read", file, lambda: read_made(maker, file.name))
        if isinstance(found, FromFile):
            _show_questions(found, passages)
        else:
            _show_graph(found, passages)
        return maker
    return ""


def made_names(maker: str) -> dict[Path, str]:
    """Return what the user calls the file that a maker reads."""
    files = [st.session_state.get(_place(kind)) for kind in LABELS]
    return {file.path: file.name for file in files if file and file.path == path_in(maker)}


def _place(kind: str) -> str:
    return f"corpus_made_of_{kind.rstrip(':')}"


def _take(key: str, kind: str) -> None:
    upload = st.session_state[key]
    if upload is None:
        st.session_state.pop(_place(kind), None)
        return
    with frame.mendable():
        acts.need_editor()
        path = held_folder() / f"made-{token_hex(6)}"
        write_upload(upload, path)
        st.session_state[_place(kind)] = ChosenFile(path, upload.name)
    release([upload])


def _show_questions(found: FromFile, passages: Sequence[Passage]) -> None:
    st.caption(frame.literal(coverage(found, passages).told()))
    asked = found.matched(passages)
    shown = [each for each in passages if each.id in asked][:_SHOWN]
    columns = [
        ["\n".join(text for text, _ in asked[each.id][kind]) for each in shown] for kind in KINDS
    ]
    titles = [each.title or each.id for each in shown]
    _table({"Passage": titles, "In-questions": columns[0], "Out-questions": columns[1]})


def _show_graph(found: GivenGraph, passages: Sequence[Passage]) -> None:
    fits = matched(found.graph, passages)
    st.caption(frame.literal(". ".join(fits.told(len(passages))) + "."))
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


def _table(columns: Mapping[str, Sequence[str | float]]) -> None:
    cells = {
        name: [cropped(each, _LETTERS) if isinstance(each, str) else each for each in values]
        for name, values in columns.items()
    }
    st.dataframe(pd.DataFrame(cells), hide_index=True)
