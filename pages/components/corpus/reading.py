"""Reading and chunking what was given, each done once and remembered by the session."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import streamlit as st

from core.corpus.chunking import Chunking, chunk
from core.corpus.readers import read_files
from core.corpus.types import Corpus
from core.types import Passage
from pages.components.corpus.given import Given

_CORPUS = "corpus_read"
_PASSAGES = "corpus_passages"

_T = TypeVar("_T")
_Stamp = tuple[str, str, int, int]


def corpus_of(given: Sequence[Given]) -> Corpus:
    """What the files hold, read with a progress bar unless none of them has changed."""
    place = st.empty()  # drawn in any case: what follows must not change its place on the page

    def read() -> Corpus:
        def progress(done: int, total: int, _: str) -> None:
            words = f"Reading file {min(done + 1, total):,} of {total:,}"
            place.progress(done / total if total else 1.0, words)

        names = {each.path: each.name for each in given}
        corpus = read_files([each.path for each in given], names=names, progress=progress)
        place.empty()
        return corpus

    return _remembered(_CORPUS, tuple(map(_stamp, given)), read)


def passages_of(given: Sequence[Given], corpus: Corpus, chunking: Chunking) -> list[Passage]:
    """The passages that `chunking` makes of the corpus, which is not read again for it."""
    place = st.empty()

    def cut() -> list[Passage]:
        with place, st.spinner("Cutting the documents"):
            return chunk(corpus.documents, chunking)

    return _remembered(_PASSAGES, (tuple(map(_stamp, given)), str(chunking)), cut)


def _remembered(place: str, key: object, make: Callable[[], _T]) -> _T:
    """The session's value in `place` if it was made for `key`, or else a new one."""
    held = st.session_state.get(place)
    if held is None or held[0] != key:
        held = (key, make())
        st.session_state[place] = held
    value: _T = held[1]
    return value


def _stamp(given: Given) -> _Stamp:
    """Changes when the file does. Of a folder only its own listing is looked at."""
    path: Path = given.path
    try:
        status = path.stat()
    except OSError:  # it has gone: reading says so
        return (str(path), given.name, 0, 0)
    return (str(path), given.name, status.st_size, status.st_mtime_ns)
