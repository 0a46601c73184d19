"""Files put into the index that is looked at, and what is done with those of known names."""

from collections.abc import Sequence

import streamlit as st

from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Corpus
from core.corpus.updates.file_changes import Clash, Known, find_clashes
from core.library.catalogue import Listed
from core.store.source_documents import read_brought
from core.text.display.plurals import number
from pages.components.corpus.chosen_files import ChosenFile
from pages.components.corpus.file_reading import remembered, stamps
from pages.components.shell import layout, resources

ADD = "add"
"""Of the address of the Corpus page: whether files are to be added to the index that it names."""
_CLASHES = "corpus_clashes"
_LISTED = 5
_CHOICES: dict[Known, str] = {
    "replace": "Replace the existing documents",
    "keep": "Keep both",
    "leave": "Skip these files",
}


def addable() -> Listed | None:
    """Return the index that is looked at, if it can be added to."""
    wanted = resources.index_name()
    entries = resources.entries()
    return next((each for each in entries if each.name == wanted and each.meta), None)


def chunking_of(entry: Listed) -> Chunking:
    """Return the chunking for files added to an index: the one it was built with."""
    return Chunking.parse(entry.meta.chunking) if entry.meta else Chunking()


def choose_known(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> Known | None:
    """What is done with files of names that the index knows; None while somebody has to choose."""
    known: Known | None = "ask"
    with layout.mendable():
        if found := _clashes(entry, files, corpus):
            known = _choose(entry.name, found)
    return known


def go_on(*, adding: bool) -> None:
    """Go on with the files: to add them to the index that is looked at, or to build a new one."""
    if adding:
        st.query_params[ADD] = "1"
    else:
        st.query_params.pop(ADD, None)


def is_wanted() -> bool:
    """Whether a person came to add files, and not to build an index."""
    return ADD in st.query_params


def _clashes(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> list[Clash]:
    def found() -> list[Clash]:
        return find_clashes(read_brought(resources.stored(entry.path)), corpus.claims)

    return remembered(_CLASHES, (entry.path, entry.finished_at, stamps(files)), found)


def _choose(name: str, found: Sequence[Clash]) -> Known | None:
    """What is done with files of known names; nothing is chosen before somebody does."""
    with st.container(border=True, key="corpus_known_box"):
        lines = [f"· {clash}" for clash in found[:_LISTED]]
        if len(found) > _LISTED:
            lines.append(f"and {number(len(found) - _LISTED, 'more file')}")
        told = f"{name} already has different documents from files with the same name:"
        st.text("\n".join([told, *lines]))
        chosen: Known | None = st.radio(
            "What to do with these files",
            list(_CHOICES),
            index=None,
            format_func=_CHOICES.__getitem__,
            horizontal=True,
            key="corpus_known",
        )
    return chosen
