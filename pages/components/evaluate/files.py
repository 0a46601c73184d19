"""TREC files of a run: out for other tools, in from them."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st

from core.places import Place
from core.runs import Run, Runs
from core.runs.trec import write_trec
from core.store.index import Index
from pages.components.shell import acts, frame
from pages.components.shell.uploads import release
from pages.components.shell.visitor import visitor


def show_files(runs: Runs, run: Run, index: Index) -> None:
    """A download of run files and qrels, and a place for a ranking that was made elsewhere."""
    with st.expander("TREC files"):
        st.download_button(
            "Download run files and qrels",
            data=lambda: zipped(runs, run),
            file_name="trec.zip",
            key="evaluate_trec",
        )
        if not visitor().may_edit:
            return
        given = st.file_uploader("A run made elsewhere", key=f"evaluate_import_{run.id}")
        if given and st.button("Add it as a column", key="evaluate_import_now"):
            with frame.mendable(), TemporaryDirectory() as folder:
                path = Path(folder) / "made.run"
                path.write_bytes(given.getvalue())
                found = acts.import_run(index, run, path, Path(given.name).stem)
                release([given])
                st.toast(frame.literal(str(found)))
                st.rerun()


def zipped(runs: Runs, run: Run) -> bytes:
    """The ranking of each retriever, and the gold, as TREC writes them."""
    return _zipped(runs.path.parent, run.id, runs.stamp())


@st.cache_data(max_entries=4, show_spinner=False)
def _zipped(folder: Place, run: str, stamp: str) -> bytes:  # noqa: ARG001
    runs = Runs(folder)
    packed = BytesIO()
    with TemporaryDirectory() as place, ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in write_trec(runs, runs.get(run), Path(place)):
            archive.write(path, path.name)
    return packed.getvalue()
