"""Results of another pipeline, imported as a column of a run or as a new run."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.pipelines import ImportedResults, read_results
from core.runs import Run
from core.runs.question_sets import own_questions
from core.runs.store import MAX_NAME
from core.store.index import Index
from core.text.display.plurals import number
from core.types import Query
from pages.components.evaluate.outdated_run import NEW
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.formatting import cropped
from pages.components.shell.visitors.uploads import release

_HELP = (
    "Accepts records of {question, contexts: [{text, id, title, score}], answer}, a TREC run, and "
    "files from Ragas, RAGChecker, BEIR, HippoRAG, LlamaIndex, LangChain and the HopRAG code (its "
    "cache folder as a zip file). Contexts are matched to passages by id or text. Spans (OTLP JSON "
    "with OpenInference attributes, exports of Phoenix, LangSmith and Langfuse) also give the "
    "stage at which evidence was lost, and a walkthrough."
)
STEPS = (
    "To see at which stage it loses gold passages, import the pipeline's spans, or name its "
    "retriever in HOPRAG_RETRIEVERS."
)
"""How an imported ranking gets what its steps say."""
WAY, WAYS = "evaluate_way", ("Run retrievers", "Import results")
"""The key of the choice between the two ways to a run, and their labels."""
_SHOWN = 200  # unknown ids or texts in a list
_TEXT = 300  # characters of an unmatched text


def open_import() -> None:
    """Make Evaluate open at the import of another pipeline's results."""
    st.session_state[NEW], st.session_state[WAY] = True, WAYS[1]


def offer_import(bench: Workbench, run: Run, questions: Sequence[Query]) -> None:
    """Draw the form that adds another pipeline's results to `run`."""

    def add(found: ImportedResults, *, force: bool) -> None:
        run_actions.import_run(bench, run.name, found, force=force)

    _import(bench.index, questions, "Add as a column", run.id, add)


def importable(index: Index) -> list[Query]:
    """Return the questions that imported results may belong to: those of the index."""
    with suppress(InputError):
        return own_questions(index)
    return []


def offer_imported_run(bench: Workbench, questions: Sequence[Query]) -> None:
    """Draw the form that creates a run from another pipeline's results."""

    def begin(found: ImportedResults, *, force: bool) -> None:
        run = run_actions.begin_imported_run(bench, found, force=force)
        st.query_params["run"] = run.id

    with st.container(border=True, key="evaluate_import_first"):
        st.markdown(
            f"The results of your own pipeline for {number(len(questions), 'question')} of this "
            "index become a run that you can compare with every retriever. To run your retriever "
            "from the app instead, see [Custom retrievers](help?topic=custom-retrievers)."
        )
        _import(bench.index, questions, "Import as a run", "new", begin, hint=None)
        st.caption(_HELP)


def _import(
    index: Index,
    questions: Sequence[Query],
    button: str,
    key: str,
    act: Callable[..., None],
    *,
    hint: str | None = _HELP,
) -> None:
    """Draw the upload of results, the ids and texts that do not match, and the Import button."""
    given = st.file_uploader(
        "Results from another pipeline", key=f"evaluate_import_{key}", help=hint
    )
    if not given:
        return
    with layout.mendable():
        found = _read(given, questions, index)
        name = st.text_input(
            "Name",
            found.pipeline or found.name,
            max_chars=MAX_NAME,
            key=f"evaluate_import_name_{key}_{given.file_id}",
            help="Name of these results in tables and lists.",
        )
        found = found.named(name)
        st.text(str(found))
        _list_unmatched(found)
        force = False
        if found.is_doubtful:
            st.warning(
                "More than 5% of the ids are unknown. The file may belong to other questions or "
                "to another index."
            )
            _list_unknown(found)
            force = st.checkbox("Import anyway", key=f"evaluate_force_{key}")
        refused = found.is_doubtful and not force
        if st.button(button, key="evaluate_import_now", disabled=refused):
            act(found, force=force)
            release([given])
            st.toast(layout.literal(f"Imported {found.name}."))
            st.rerun()


def _read(given: UploadedFile, questions: Sequence[Query], index: Index) -> ImportedResults:
    """Read an upload through a temporary file, since the reader needs a path."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"results{Path(given.name).suffix}"
        path.write_bytes(given.getvalue())
        return read_results(path, questions, index, Path(given.name).stem)


def _list_unknown(found: ImportedResults) -> None:
    """Show the first ids of questions and passages that are not in the index."""
    sides = (("questions", found.unknown_questions), ("passage ids", found.unknown_passages))
    row = st.container(horizontal=True, gap="small")
    for what, ids in sides:
        if ids:
            with row.popover(f"Unknown {what} ({len(ids):,})"):
                st.text("\n".join(_first(ids)))


def _list_unmatched(found: ImportedResults) -> None:
    """Show the first imported texts that are not in the index."""
    texts = [cropped(one.text, _TEXT) for one in found.unmatched]
    if texts:
        with st.popover(f"{number(len(texts), 'text')} not in the index"):
            st.caption("The results include these texts. Evidence in them counts as retrieved.")
            st.text("\n\n".join(_first(texts)))


def _first(items: Sequence[str]) -> list[str]:
    more = len(items) - _SHOWN
    return [*items[:_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]
