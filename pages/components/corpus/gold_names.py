"""Misspelt names in the gold: a click replaces one by the intended title, or reverts that."""

from collections.abc import Mapping, Sequence
from itertools import islice

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.corpus.gold.corrections import questions_naming, with_gold_names
from core.corpus.types import Corpus
from core.text.display.plurals import number
from pages.components.corpus.chosen_files import GOLD_NAMES, ChosenFile
from pages.components.corpus.file_reading import remembered, stamps
from pages.components.shell import layout
from pages.components.shell.formatting import cropped

_CORRECTED = "corpus_corrected"
_SHOWN = 5  # names without a document
_NAME = 80  # characters


def gold_names() -> Mapping[str, str]:
    """Return the titles that this session uses for names in the gold of the chosen files."""
    names: Mapping[str, str] = st.session_state.get(GOLD_NAMES, {})
    return names


def with_chosen_names(files: Sequence[ChosenFile], corpus: Corpus) -> Corpus:
    """Return the corpus of `files` with the titles that were chosen for names in its gold."""
    names = gold_names()
    key = (stamps(files), tuple(names.items()))
    return remembered(_CORRECTED, key, lambda: with_gold_names(corpus, names)) if names else corpus


def choose_gold_names(read: Corpus, usable: Mapping[str, Sequence[str]]) -> None:
    """Offer titles for names that no document has, and undo what was chosen.

    Parameters
    ----------
    read : the corpus as its files have it.
    usable : by name, the titles that it probably means, each of a single document.
    """
    for at, (name, title) in enumerate(gold_names().items()):
        with _row(f"corpus_gold_used_{at}"):
            many = number(questions_naming(read.queries, name), "question")
            st.text(f"'{_crop(name)}' is read as '{_crop(title)}' in the gold of {many}.")
            st.button("Undo", key=f"corpus_gold_undo_{at}", on_click=_undo, args=(name,))
    offered = ((name, titles) for name, titles in usable.items() if titles)
    for at, (name, titles) in enumerate(islice(offered, _SHOWN)):
        with _row(f"corpus_gold_meant_{at}"):
            st.text(f"No document is titled '{_crop(name)}'.")
            for place, title in enumerate(titles):
                st.button(
                    f"Use '{layout.literal(_crop(title))}'",
                    key=f"corpus_gold_use_{at}_{place}",
                    on_click=_use,
                    args=(name, title),
                )


def _row(key: str) -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", key=key)


def _crop(name: str) -> str:
    return cropped(name, _NAME)


def _use(name: str, title: str) -> None:
    st.session_state[GOLD_NAMES] = {**gold_names(), name: title}


def _undo(name: str) -> None:
    st.session_state[GOLD_NAMES] = {one: to for one, to in gold_names().items() if one != name}
