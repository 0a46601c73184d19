"""Reading and chunking the chosen files, each done once and remembered by the session."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import streamlit as st

from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.documents.references import BY_DEFAULT
from core.corpus.file_contents import LIMITS
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.types import Passage
from pages.components.corpus.chosen_files import ChosenFile
from pages.components.shell import layout
from pages.components.shell.formatting import cropped

_CORPUS = "corpus_read"
_PASSAGES = "corpus_passages"
_STOPPED = "corpus_stopped"
_REFERENCES = "corpus_references"
_LONGEST_NAME = 60

_T = TypeVar("_T")
_Stamp = tuple[str, str, int, int]


def corpus_of(files: Sequence[ChosenFile]) -> Corpus | None:
    """Read the files with a progress bar, unless none of them has changed.

    None while the user has stopped the reading, or when nothing can be read at all; that is shown.
    """
    place = st.empty()  # drawn in any case: what follows must not change its place on the page
    now = stamps(files)
    if st.session_state.get(_STOPPED) == now:
        with place.container(horizontal=True, vertical_alignment="center"):
            st.info("Reading stopped.", width="stretch")
            st.button("Read them", key="corpus_again", on_click=_stop, args=(None,))
        return None

    def read() -> Corpus:
        """Read the files with a progress bar and a Cancel button."""
        with place.container(horizontal=True, vertical_alignment="center"):
            bar = st.empty()
            # The click ends this run at the next word of progress, and with it the reading.
            st.button("Cancel", key="corpus_cancel", on_click=_stop, args=(now,))

        def progress(done: int, total: int, name: str) -> None:
            words = f"Reading file {min(done + 1, total):,} of {total:,}: "
            share = done / total if total else 1.0
            bar.progress(share, words + layout.literal(cropped(name, _LONGEST_NAME)))

        names = {each.path: each.name for each in files}
        limits = replace(LIMITS, references=keeps_references())
        paths = [each.path for each in files]
        corpus = read_files(paths, names=names, progress=progress, limits=limits)
        place.empty()
        return corpus

    with layout.mendable():
        return remembered(_CORPUS, now, read)
    return None


def passages_of(files: Sequence[ChosenFile], corpus: Corpus, chunking: Chunking) -> list[Passage]:
    """Return the passages that `chunking` makes of the corpus, computed once."""
    place = st.empty()

    def cut() -> list[Passage]:
        with place, st.spinner("Splitting the documents"):
            return chunk(corpus.documents, chunking)

    key = (stamps(files), str(chunking), len(corpus.documents))
    return remembered(_PASSAGES, key, cut)


def _stop(files: tuple[_Stamp, ...] | None) -> None:
    """Stop reading these files until they change or the user restarts; None restarts all."""
    st.session_state[_STOPPED] = files


def remembered(place: str, key: object, make: Callable[[], _T]) -> _T:
    """Return the session's value in `place` if it was made for `key`, or else a new one."""
    held = st.session_state.get(place)
    if held is None or held[0] != key:
        held = (key, make())
        st.session_state[place] = held
    value: _T = held[1]
    return value


def stamps(files: Sequence[ChosenFile]) -> tuple[_Stamp, ...]:
    """Return a key that changes with the files, their names, or the reading options."""
    references = [("references", "", 1, 0)] if keeps_references() else []
    return (*map(_stamp, files), *references)


def keeps_references() -> bool:
    """Return whether reference lists and markers such as [1] are read as text."""
    return bool(st.session_state.get(_REFERENCES, False))


def choose_references(corpus: Corpus) -> None:
    """Show the choice to keep reference lists, if files have some."""
    if keeps_references() or any(BY_DEFAULT in note for note in corpus.notes):
        st.checkbox(
            "Keep reference lists and markers such as [1]",
            key=_REFERENCES,
            help="Reference lists rarely answer a question.",
        )


def _stamp(file: ChosenFile) -> _Stamp:
    """Return a value that changes when the file does; for a folder, when its own listing does."""
    path: Path = file.path
    try:
        status = path.stat()
    except OSError:  # it has gone: reading says so
        return (str(path), file.name, 0, 0)
    return (str(path), file.name, status.st_size, status.st_mtime_ns)
