"""From files to a job: the name and the embedder of a new index, or an index to add to."""

from collections.abc import Sequence
from pathlib import Path, PurePath

import streamlit as st

from core import jobs, library
from core.corpus.chunking import Chunking
from core.corpus.types import Corpus
from core.models.budget import Budget
from core.settings import BUNDLED_EMBEDDER, settings
from pages.components.building.maker import choose_maker
from pages.components.corpus.given import Given, keep_files
from pages.components.corpus.reading import passages_of
from pages.components.shell import frame, nav, resources

_NAME = "corpus_name"


def show_build_form(given: Sequence[Given], corpus: Corpus, chunking: Chunking) -> None:
    """Name, embedder, and the buttons that start a job and lead to the Build page."""
    indexes = settings().indexes
    left, right = st.columns(2)
    with left:
        name = _choose_name(given, indexes)
    with right:
        embedder = choose_embedder("corpus_embedder")
    taken = bool(name) and library.is_taken(indexes, name)
    replace = taken and st.checkbox(
        f"Replace the index {frame.literal(name)}, which is there already", key="corpus_replace"
    )
    maker, budget = choose_maker(name, passages_of(given, corpus, chunking))
    ready = bool(name and corpus.documents) and (replace or not taken)
    with st.container(horizontal=True):
        if st.button("Build the index", type="primary", key="corpus_build", disabled=not ready):
            with frame.mendable():
                _start(
                    jobs.Job(
                        kind="build",
                        index=indexes / library.checked_name(name),
                        files=tuple(each.path for each in given),
                        names=_names(given),
                        chunking=str(chunking),
                        embedder=embedder,
                        restart=bool(replace),
                        maker=maker,
                        budget=budget,
                    )
                )
        _add_button(given, budget)
    if not corpus.documents:
        st.info(
            "These files hold no document, so there is nothing to build. Add the files with the "
            "documents; questions alone can be added to an index that is there."
        )


def choose_embedder(key: str) -> str:
    """The bundled embedder, the one of the settings, or any name or path that is typed."""
    known = (resources.chosen_embedder(), settings().embedder, BUNDLED_EMBEDDER)
    chosen = st.selectbox(
        "Embedder",
        list(dict.fromkeys(known)),
        key=key,
        accept_new_options=True,
        help="The bundled one, or the name or the path of any sentence-transformers model.",
    )
    return str(chosen)


def _choose_name(given: Sequence[Given], indexes: Path) -> str:
    if _NAME not in st.session_state:
        wish = PurePath(given[0].name).name.partition(".")[0]
        st.session_state[_NAME] = library.new_name(indexes, wish)
    name = st.text_input("Name of the index", key=_NAME, max_chars=library.MAX_NAME)
    return str(name).strip()


def _add_button(given: Sequence[Given], budget: Budget) -> None:
    """Put the files into the index that is looked at, if there is one."""
    wanted = resources.index_name()
    entries = library.entries(settings().indexes)
    entry = next((each for each in entries if each.name == wanted and each.meta), None)
    if entry is None or entry.meta is None:
        return
    kept = (
        f"It keeps its chunking ({entry.meta.chunking}), its embedder, and what makes its "
        f"pseudo-queries ({frame.literal(entry.meta.maker or 'rules')})."
    )
    if st.button(f"Add to {frame.literal(entry.name)} instead", key="corpus_add", help=kept):
        files = tuple(each.path for each in given)
        with frame.mendable():
            _start(jobs.Job("add", entry.path, files, _names(given), budget=budget))


def _names(given: Sequence[Given]) -> dict[Path, str]:
    return {each.path: each.name for each in given}


def _start(job: jobs.Job) -> None:
    jobs.start(job)
    keep_files()
    resources.select_index(job.index.name)
    nav.go("build", index=job.index.name)
