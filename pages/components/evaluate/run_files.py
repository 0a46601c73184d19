"""TREC files of a run for other tools, results of other pipelines, and removing a retriever."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st

from core.artefacts.workbench import Workbench
from core.marks import Marks
from core.reviews import Reviews
from core.reviews.reviews_of_run import staying
from core.runs import Run, Runs
from core.runs.trec.export import Level, without_scores, write_trec
from core.store.index import Index
from core.text.display.plurals import number
from pages.components.evaluate.column_names import named
from pages.components.evaluate.result_import import offer_import
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.formatting import all_of
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.dialogs import (
    close_dialog,
    confirm,
    is_open,
    open_dialog,
    subject,
)

_REMOVE = "evaluate_remove"
_LEVELS: dict[Level, str] = {"passage": "Passages", "document": "Documents"}


def show_files(runs: Runs, run: Run, bench: Workbench) -> None:
    """Draw the import of results, the downloads, and the removal of a retriever."""
    with st.expander("Import, export and remove", key="evaluate_files"):
        _download(runs, run, bench.index)
        if visitor().may_edit:
            offer_import(bench, run, runs.questions(run.id))
            _choose_removal(run)
    if is_open(_REMOVE):
        _remove(bench.index, *subject())


def _download(runs: Runs, run: Run, index: Index) -> None:
    """Draw the download of run files and qrels, by passage or by document."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        level: Level = st.segmented_control(
            "Lines name",
            list(_LEVELS),
            key="evaluate_level",
            default="passage",
            required=True,
            format_func=_LEVELS.__getitem__,
            help="The score of a document is the score of its best passage.",
        )
        st.download_button(
            "Download run files and qrels",
            data=lambda: zipped(runs, run, index, level),
            file_name="trec.zip",
            key="evaluate_trec",
        )
    if bare := without_scores(runs, run):
        st.caption(
            layout.literal(
                f"This run has no stored scores for {all_of([named(one) for one in bare])}. The "
                "files contain 1 / rank instead."
            )
        )


def _choose_removal(run: Run) -> None:
    """Draw the choice of a retriever to remove; a run keeps at least one."""
    if len(run.columns) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        gone = st.selectbox(
            "Retriever",
            run.retrievers[::-1],
            key=f"evaluate_removed_{run.id}",
            format_func=named,
            width=320,
        )
        if st.button("Remove from this run", key=f"{_REMOVE}_button"):
            open_dialog(_REMOVE, run.id, gone)


@st.dialog("Remove a retriever from the run", on_dismiss=close_dialog)
def _remove(index: Index, run: str, retriever: str) -> None:
    """Draw the dialog that confirms the removal of a retriever from a run."""
    with layout.mendable():
        kept = Runs(index.path)
        known = kept.get(run)
        rows = kept.count(run, retriever)
        st.text(f"This permanently removes {named(retriever)} from {known.name}.")
        st.warning(f"Its results for {number(rows, 'question')} are deleted too.")
        alone = replace(known, columns=tuple(c for c in known.columns if c.retriever == retriever))
        st.text(str(staying(alone, kept, Reviews(index.path).all())))
    if confirm(_REMOVE, goes="Remove it", stays="Keep it"):
        with layout.mendable():
            run_actions.remove_column(index.path, run, retriever)
            close_dialog()
            st.rerun()


def zipped(runs: Runs, run: Run, index: Index, level: Level = "passage") -> bytes:
    """Return the ranking of each retriever, and the gold, as TREC writes them."""
    stamp = f"{runs.stamp()} {Marks(index.path).stamp()} {index.meta.finished_at}"
    return _zipped(index, run.id, level, stamp)


@st.cache_data(max_entries=4, show_spinner=False)
def _zipped(_index: Index, run: str, level: Level, stamp: str) -> bytes:  # noqa: ARG001
    """Return the TREC files of a run as a ZIP archive, computed once per run state."""
    runs = Runs(_index.path)
    packed = BytesIO()
    with TemporaryDirectory() as place, ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in write_trec(runs, runs.get(run), Path(place), _index, level):
            archive.write(path, path.name)
    return packed.getvalue()
