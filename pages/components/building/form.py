"""The form that starts a job: a new index with name and embedder, or files for an index."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from core import jobs
from core.corpus.chunking.chunker import Chunking
from core.corpus.index_name import suggest_name
from core.corpus.types import Corpus
from core.library import catalogue
from core.library.catalogue import Listed
from core.places import Place
from core.settings import settings
from core.store.graph_limits import AUTOMATIC
from core.text.import_sources import GRAPH
from core.types import Passage
from pages.components.building.adding_files import choose_known, set_adding
from pages.components.building.extraction_form import choose_extractor
from pages.components.building.limits_form import choose_limits
from pages.components.building.pseudo_query_maker import budget_to_add, choose_maker, draws_budget
from pages.components.building.uploaded_structures import made_names
from pages.components.corpus.chosen_files import ChosenFile, keep_files
from pages.components.corpus.chunking_preview import show_unread
from pages.components.corpus.file_reading import keeps_references
from pages.components.corpus.gold_names import gold_names
from pages.components.corpus.index_description import made_with
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import index_actions
from pages.components.shell.glossary import hint
from pages.components.shell.visitors import access

_NAME = "corpus_name"
_WISHED, _MADE = "corpus_name_wished", "corpus_name_made"


def show_add_form(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> None:
    """Draw what the index keeps of its settings, the Add button, and the link to a new index."""
    name, meta = layout.literal(entry.name), entry.meta
    known = choose_known(entry, files, corpus)
    budget = budget_to_add(meta)
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_adding"):
        facts = " · ".join(made_with(meta)) if meta else ""
        st.html(
            f"<div class='hop-index'><strong dir='auto'>Into {escape(entry.name)}</strong>"
            f"<p>Same settings as the index: {escape(facts)}</p></div>",
            width="stretch",
        )
        # Nothing is built by it: it leads to the form of a new index.
        st.button(
            "Build a new index instead …",
            key="corpus_to_build",
            on_click=set_adding,
            kwargs={"adding": False},
        )
        adds = st.button(f"Add to {name}", key="corpus_add", type="primary", disabled=known is None)
    if adds:
        with layout.mendable():
            _start(
                jobs.Job(
                    kind="add",
                    index=entry.path,
                    files=tuple(each.path for each in files),
                    names=_names(files),
                    budget=budget,
                    known=known or "ask",
                    references=keeps_references(),
                    gold_names=gold_names(),
                )
            )


def show_build_form(
    entry: Listed | None,
    files: Sequence[ChosenFile],
    corpus: Corpus,
    passages: Sequence[Passage],
    chunking: Chunking,
) -> None:
    """Draw name, embedder and Build button; with `entry` also the link to add to that index."""
    indexes = settings().indexes
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = _choose_name(files, corpus, indexes)
        embedder = choose_embedder("corpus_embedder")
        buttons = st.container(horizontal=True, width="content")
    show_unread(embedder, corpus)
    taken = _is_taken(indexes, name)
    replace = taken and st.checkbox(
        f"Replace the existing index {layout.literal(name)}", key="corpus_replace"
    )
    maker, budget = choose_maker(name, passages, embedder)
    hub_limit, limits = (0, AUTOMATIC) if maker.startswith(GRAPH) else choose_limits()
    extraction, extractor, budget = choose_extractor(
        name, passages, budget, has_budget=draws_budget(maker, embedder)
    )
    ready = bool(name and corpus.documents and maker) and (replace or not taken)
    with buttons:
        if st.button("Build index", type="primary", key="corpus_build", disabled=not ready):
            with layout.mendable():
                _start(
                    jobs.Job(
                        kind="build",
                        index=indexes / catalogue.checked_name(name),
                        files=tuple(each.path for each in files),
                        names={**_names(files), **made_names(maker, extraction)},
                        chunking=str(chunking),
                        embedder=embedder,
                        restart=bool(replace),
                        maker=maker,
                        hub_limit=hub_limit,
                        limits=limits,
                        budget=budget,
                        references=keeps_references(),
                        extraction=extraction,
                        extractor=extractor,
                        gold_names=gold_names(),
                    )
                )
        if entry:
            st.button(
                f"Add to the existing index {layout.literal(entry.name)} …",
                key="corpus_to_add",
                on_click=set_adding,
                kwargs={"adding": True},
            )
    if not corpus.documents:
        st.info(
            "These files contain no documents, so there is nothing to build. Add files with "
            "documents, or add these questions to an existing index."
        )


def _is_taken(indexes: Place, name: str) -> bool:
    """Return whether an index has that name; invalid names are never looked up on the disk."""
    with layout.mendable():
        return bool(name) and catalogue.is_taken(indexes, catalogue.checked_name(name))
    return False


def choose_embedder(key: str) -> str:
    """Draw the choice of an embedder, known or typed as a name or path; return its name."""
    closed = access.is_reachable()  # then only what the settings name
    known = (resources.chosen_embedder(), *index_actions.embedders())
    chosen = st.selectbox(
        "Embedder",
        list(dict.fromkeys(known)),
        key=key,
        accept_new_options=not closed,
        help=hint(
            "embedder",
            "Choose the bundled embedder, the name or path of a sentence-transformers "
            "model, or server:NAME for a model on the embedder server (see Settings).",
        ),
    )
    return str(chosen)


def _choose_name(files: Sequence[ChosenFile], corpus: Corpus, indexes: Place) -> str:
    """Return the name that the user typed, or else one derived from the files."""
    wish = suggest_name([each.name for each in files], corpus)
    if st.session_state.get(_WISHED) != wish:
        untouched = st.session_state.get(_NAME, "") == st.session_state.get(_MADE, "")
        st.session_state[_WISHED] = wish
        st.session_state[_MADE] = catalogue.new_name(indexes, wish)
        if untouched:
            st.session_state[_NAME] = st.session_state[_MADE]
    st.session_state.setdefault(_NAME, st.session_state[_MADE])
    name = st.text_input("Index name", key=_NAME, max_chars=catalogue.MAX_NAME)
    return str(name).strip()


def _names(files: Sequence[ChosenFile]) -> dict[Path, str]:
    return {each.path: each.name for each in files}


def _start(job: jobs.Job) -> None:
    """Start a job, keep the files that it reads, and open the Build page of its index."""
    index_actions.start(job)
    keep_files(job.index)
    resources.select_index(job.index.name)
    nav.go("build", index=job.index.name)
