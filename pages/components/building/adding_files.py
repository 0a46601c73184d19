"""Adding files to the current index, and replacing or keeping known documents."""

from collections.abc import Sequence

import streamlit as st

from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Corpus
from core.corpus.updates.added import Added
from core.corpus.updates.file_changes import Clash, Known, find_clashes
from core.indexing.joining import Joined, join
from core.jobs import removed_documents
from core.library.catalogue import Listed
from core.store.source_documents import read_brought
from core.text.display.plurals import number
from pages.components.corpus.chosen_files import ChosenFile
from pages.components.corpus.file_reading import remembered, stamps
from pages.components.corpus.gold_names import gold_names
from pages.components.shell import layout, resources
from pages.components.shell.formatting import cropped

ADD = "add"
"""Of the address of the Corpus page: whether files are to be added to the index that it names."""
_CLASHES, _JOINED, _KNOWN = "corpus_clashes", "corpus_joined", "corpus_known"
_LISTED = 5
_TITLE = 80  # characters
_CHOICES: dict[Known, str] = {
    "replace": "Replace the existing documents",
    "keep": "Keep both",
    "leave": "Skip these files",
}


def addable() -> Listed | None:
    """Return the current index if files can be added to it."""
    wanted = resources.index_name()
    entries = resources.entries()
    return next((each for each in entries if each.name == wanted and each.meta), None)


def chunking_of(entry: Listed) -> Chunking:
    """Return the chunking for files added to an index: the one it was built with."""
    return Chunking.parse(entry.meta.chunking) if entry.meta else Chunking()


def choose_known(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> Known | None:
    """Draw the choice between keeping and replacing known documents; None until one is made."""
    known: Known | None = "ask"
    with layout.mendable():
        if found := _clashes(entry, files, corpus):
            known = _choose(entry.name, found)
    return known


def set_adding(*, adding: bool) -> None:
    """Record in the address whether files are added to the current index or build a new one."""
    if adding:
        st.query_params[ADD] = "1"
    else:
        st.query_params.pop(ADD, None)


def is_adding() -> bool:
    """Return whether the user came to add files rather than to build an index."""
    return ADD in st.query_params


def join_files(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> Joined | None:
    """Return the index as it will be with these files.

    None, after an error message, if that fails. Until the user chooses what to do with known
    documents, both versions are kept.
    """
    with layout.mendable():
        chosen: Known = st.session_state.get(_KNOWN) or "keep"
        known = chosen if _clashes(entry, files, corpus) else "ask"
        key = (entry.path, entry.finished_at, stamps(files), tuple(gold_names().items()), known)
        index = resources.stored(entry.path)
        with st.spinner("Comparing the files with the index"):
            return remembered(_JOINED, key, lambda: join(index, corpus, known))
    return None


def show_addition(entry: Listed, joined: Joined) -> None:
    """Show what the files add to the index, and which documents were removed from it before."""
    st.caption(layout.literal(_addition(entry.name, joined.added)))
    removed = removed_documents(entry.path)
    back = [each.title for each in joined.new if each.id in removed]
    if back:
        titles = ", ".join(f"'{cropped(title, _TITLE)}'" for title in back[:_LISTED])
        more = f" and {len(back) - _LISTED:,} more" if len(back) > _LISTED else ""
        were = "was" if len(back) == 1 else "were"
        told = f"{titles}{more} {were} removed from this index. Adding these files restores them."
        st.warning(layout.literal(told))


def _addition(name: str, added: Added) -> str:
    """Return in sentences what the files add to the index called `name`."""
    counts = ((added.documents, "document"), (added.questions, "question"))
    new = " and ".join(number(count, noun) for count, noun in counts if count)
    sentences = [f"New to {name}: {new}." if new else f"No new documents or questions for {name}."]
    if added.replaced:
        sentences.append(
            f"Replaces the gold of {number(added.replaced, 'question')} that a file with the same "
            "name added."
        )
    if added.extended:
        sentences.append(
            f"Adds to the gold of {number(added.extended, 'question')} that a file with another "
            "name added. To replace it, upload the file under that name."
        )
    return " ".join(sentences)


def _clashes(entry: Listed, files: Sequence[ChosenFile], corpus: Corpus) -> list[Clash]:
    """Return the files that match documents of the index by name, computed once per version and
    files.
    """

    def found() -> list[Clash]:
        return find_clashes(read_brought(resources.stored(entry.path)), corpus.claims)

    return remembered(_CLASHES, (entry.path, entry.finished_at, stamps(files)), found)


def _choose(name: str, found: Sequence[Clash]) -> Known | None:
    """Draw the choice between keeping and replacing known documents; None until one is made."""
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
            key=_KNOWN,
        )
    return chosen
