"""What was read from the files of a corpus, and what was left out."""

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core.corpus.types import Corpus
from core.text.display import plurals
from core.text.display.question_types import named as named_type
from core.types import Passage
from pages.components.corpus.chosen_files import ChosenFile
from pages.components.corpus.chunking_preview import show_chunks
from pages.components.shell import layout
from pages.components.shell.figures import show_words
from pages.components.shell.formatting import cropped

# What nobody reads to its end need not be sent: rows of a table, characters of a cell or a line,
# and of a name among others.
_ROWS = 1000
_SHORT = 300
_NAME = 80
_REASON = 160
_LEFT_OUT = 3  # files that are named beside their count
_FITTING, _CUT = 15, 545  # rows of a table that are shown whole, and pixels of a longer one
_NUMBERS = ("documents", "questions", "gold")


def show_file_names(files: Sequence[ChosenFile]) -> None:
    """List the files by name, before they are read."""
    show_words([(cropped(each.name, _NAME),) for each in files[:_ROWS]])


def show_rejected(corpus: Corpus) -> None:
    """Show how many files were left out, and which and why of the first ones."""
    if corpus.rejected:
        named = "; ".join(
            f"{cropped(each.name, _NAME)} ({cropped(each.reason, _REASON)})"
            for each in corpus.rejected[:_LEFT_OUT]
        )
        more = "; …" if len(corpus.rejected) > _LEFT_OUT else ""
        many = plurals.number(len(corpus.rejected), "file")
        st.warning(layout.literal(f"{many} left out: {named}{more}"))


def show_account(corpus: Corpus, passages: Sequence[Passage] = ()) -> None:
    """Show the passages, what each file was recognised as, and what was left out and why."""
    parts: dict[str, tuple[int, Callable[[], None]]] = {
        "Passages": (len(passages), lambda: show_chunks(passages)),
        "Files": (len(corpus.files), lambda: _table(_files(corpus), len(corpus.files))),
        "Questions": (
            len(corpus.queries),
            lambda: _table(_questions(corpus), len(corpus.queries)),
        ),
        "Left out": (len(corpus.rejected), lambda: show_words(_rejected(corpus))),
        "Duplicates": (len(corpus.duplicates), lambda: show_words(_duplicates(corpus))),
        "Notes": (
            len(corpus.notes),
            lambda: show_words([(cropped(note, _SHORT),) for note in corpus.notes[:_ROWS]]),
        ),
    }
    filled = {title: part for title, part in parts.items() if part[0]}
    labels = [f"{title} {number:,}" for title, (number, _) in filled.items()]
    for tab, (_, draw) in zip(st.tabs(labels), filled.values(), strict=True):
        with tab:
            draw()


def _rejected(corpus: Corpus) -> list[tuple[str, str]]:
    return [(cropped(each.name, _SHORT), each.reason) for each in corpus.rejected[:_ROWS]]


def _duplicates(corpus: Corpus) -> list[tuple[str, str]]:
    """Return id and description of the first documents that repeat another one."""
    return [
        (
            cropped(each.id, _SHORT),
            cropped(f"{each.source}: same title and text as {each.of}", _SHORT),
        )
        for each in corpus.duplicates[:_ROWS]
    ]


def _files(corpus: Corpus) -> pd.DataFrame:
    """Return a table of the first files: name, format, number of documents and questions."""
    files = corpus.files[:_ROWS]
    return pd.DataFrame(
        {
            "file": [cropped(each.name, _SHORT) for each in files],
            "recognised as": [each.format for each in files],
            "documents": [each.documents for each in files],
            "questions": [each.queries for each in files],
        }
    )


def _questions(corpus: Corpus) -> pd.DataFrame:
    """Return a table of the first questions with answers, amount of gold, type and data set."""
    queries = corpus.queries[:_ROWS]
    return pd.DataFrame(
        {
            "question": [cropped(query.text, _SHORT) for query in queries],
            "answers": [cropped(" · ".join(query.answers), _SHORT) for query in queries],
            "gold": [len(query.gold) for query in queries],
            "type": [cropped(named_type(query.type), _NAME) for query in queries],
            "data set": [cropped(query.dataset, _NAME) for query in queries],
        }
    )


def _table(table: pd.DataFrame, total: int) -> None:
    """Draw a table; if it is cut, a caption gives the `total` number of rows."""
    number, words = st.column_config.NumberColumn, st.column_config.Column
    st.dataframe(
        table,
        hide_index=True,
        height="content" if len(table) <= _FITTING else _CUT,
        column_config={
            name: number(name.capitalize(), format="localized", width="small")
            if name in _NUMBERS
            else words(name.capitalize(), width="large" if name == "question" else "medium")
            for name in table.columns
        },
    )
    if total > len(table):
        st.caption(f"The first {len(table):,} of {total:,}")
