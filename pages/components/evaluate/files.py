"""TREC files of a run: out for other tools, in from them; and removing what was imported."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.marks import Marks
from core.pipelines import ImportedResults, read_results
from core.reviews import Reviews
from core.reviews.staying import staying
from core.runs import Run, Runs
from core.runs.trec_export import Level, without_scores, write_trec
from core.store.index import Index
from pages.components.evaluate.names import named
from pages.components.shell import acts, frame
from pages.components.shell.dialogs import close_dialog, confirm, is_open, open_dialog, subject
from pages.components.shell.uploads import release
from pages.components.shell.visitor import visitor
from pages.components.shell.words import all_of, count

_REMOVE = "evaluate_remove"
_LEVELS: dict[Level, str] = {"passage": "Passages", "document": "Documents"}
_SHOWN = 200  # unknown ids in a list


def show_files(runs: Runs, run: Run, index: Index) -> None:
    """Download run files and qrels, add a ranking that was made elsewhere, remove a retriever."""
    with st.expander("TREC files and retrievers", key="evaluate_files"):
        _download(runs, run, index)
        if visitor().may_edit:
            _upload(runs, run, index)
            _choose_removal(run)
    if is_open(_REMOVE):
        _remove(index, *subject())


def _download(runs: Runs, run: Run, index: Index) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        level: Level = st.segmented_control(
            "Lines name",
            list(_LEVELS),
            key="evaluate_level",
            default="passage",
            required=True,
            format_func=_LEVELS.__getitem__,
            help="A document has the score of its best passage.",
        )
        st.download_button(
            "Download run files and qrels",
            data=lambda: zipped(runs, run, index, level),
            file_name="trec.zip",
            key="evaluate_trec",
        )
    if bare := without_scores(runs, run):
        st.caption(
            frame.literal(
                f"The scores of {all_of([named(one) for one in bare])} were not stored with this "
                "run; the files have 1 / rank instead."
            )
        )


def _upload(runs: Runs, run: Run, index: Index) -> None:
    given = st.file_uploader("A run made elsewhere (TREC)", key=f"evaluate_import_{run.id}")
    if not given:
        return
    with frame.mendable():
        found = _read(runs, run, index, given)
        st.text(str(found))
        force = False
        if found.is_doubtful:
            st.warning(
                "More than 5 % of its ids are unknown, so it may be of other questions or another "
                "index. It is imported only if you insist."
            )
            _list_unknown(found)
            force = st.checkbox("Import anyway", key=f"evaluate_force_{run.id}")
        refused = found.is_doubtful and not force
        if st.button("Add it as a column", key="evaluate_import_now", disabled=refused):
            acts.import_run(index, run, found, force=force)
            release([given])
            st.toast(frame.literal(f"Imported {found.name}."))
            st.rerun()


def _read(runs: Runs, run: Run, index: Index, given: UploadedFile) -> ImportedResults:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.run"
        path.write_bytes(given.getvalue())
        return read_results(runs, run, path, index, Path(given.name).stem)


def _list_unknown(found: ImportedResults) -> None:
    sides = (("question", found.unknown_questions), ("passage", found.unknown_passages))
    row = st.container(horizontal=True, gap="small")
    for what, ids in sides:
        if ids:
            with row.popover(f"Unknown {what} ids ({len(ids):,})"):
                more = len(ids) - _SHOWN
                told = [*ids[:_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]
                st.text("\n".join(told))


def _choose_removal(run: Run) -> None:
    """The retriever to remove; one at least stays."""
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
    with frame.mendable():
        kept = Runs(index.path)
        known = kept.get(run)
        rows = kept.count(run, retriever)
        st.text(f"{named(retriever)} will be removed from {known.name} for good.")
        st.warning(f"Gone with it: what was measured of {count(rows, 'question')}.")
        alone = replace(known, columns=tuple(c for c in known.columns if c.retriever == retriever))
        st.text(str(staying(alone, kept, Reviews(index.path).all())))
    if confirm(_REMOVE, goes="Remove it", stays="Keep it"):
        with frame.mendable():
            acts.remove_column(index.path, run, retriever)
            close_dialog()
            st.rerun()


def zipped(runs: Runs, run: Run, index: Index, level: Level = "passage") -> bytes:
    """The ranking of each retriever, and the gold, as TREC writes them."""
    stamp = f"{runs.stamp()} {Marks(index.path).stamp()} {index.meta.finished_at}"
    return _zipped(index, run.id, level, stamp)


@st.cache_data(max_entries=4, show_spinner=False)
def _zipped(_index: Index, run: str, level: Level, stamp: str) -> bytes:  # noqa: ARG001
    runs = Runs(_index.path)
    packed = BytesIO()
    with TemporaryDirectory() as place, ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in write_trec(runs, runs.get(run), Path(place), _index, level):
            archive.write(path, path.name)
    return packed.getvalue()
