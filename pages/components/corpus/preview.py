"""What files held, and the passages that a chunking makes of it."""

from collections.abc import Callable, Sequence
from html import escape

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.corpus.chunking import Chunking
from core.corpus.types import Corpus
from core.types import Passage
from pages.components.shell import frame
from pages.components.shell.figures import show_figures, show_words
from pages.components.shell.words import count

_SHOWN = 200  # chunks to page through
_A_PAGE = 6
_BINS = 40
_ROWS = 1000  # of a table: what nobody reads to its end need not be sent
_NUMBERS = ("documents", "questions", "gold")
_KINDS = {
    "as-is": "As given",
    "paragraph": "Paragraphs",
    "sentence": "Sentences",
    "tokens": "Tokens",
}


def show_account(corpus: Corpus) -> None:
    """Every file with what it was recognised as, and what was left out and why."""
    if corpus.rejected:
        names = ", ".join(frame.literal(each.name) for each in corpus.rejected[:3])
        more = ", …" if len(corpus.rejected) > 3 else ""
        st.warning(f"{count(len(corpus.rejected), 'file')} left out: {names}{more}")
    rejected = [(each.name, each.reason) for each in corpus.rejected]
    duplicates = [
        (each.id, f"in {each.source}: same title and text as {each.of}")
        for each in corpus.duplicates
    ]
    parts: dict[str, tuple[int, Callable[[], None]]] = {
        "Files": (len(corpus.files), lambda: _table(_files(corpus))),
        "Questions": (len(corpus.queries), lambda: _table(_questions(corpus))),
        "Left out": (len(rejected), lambda: show_words(rejected[:_ROWS])),
        "Duplicates": (len(duplicates), lambda: show_words(duplicates[:_ROWS])),
        "Notes": (len(corpus.notes), lambda: show_words([(note,) for note in corpus.notes])),
    }
    filled = {title: part for title, part in parts.items() if part[0]}
    labels = [f"{title} {number:,}" for title, (number, _) in filled.items()]
    for tab, (_, draw) in zip(st.tabs(labels), filled.values(), strict=True):
        with tab:
            draw()


def choose_chunking() -> Chunking:
    """The widgets that say how documents are cut; numbers that cannot be end the page."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Cut each document into",
            list(_KINDS),
            format_func=_KINDS.__getitem__,
            default="as-is",
            required=True,
            key="corpus_kind",
            persist_state="session",
        )
        if kind != "tokens":
            return Chunking.parse(str(kind))
        size = st.number_input("Tokens a passage", 8, 4096, 256, 8, key="corpus_size", width=170)
        overlap = st.number_input(
            "Shared with the one before", 0, 4095, 32, 8, key="corpus_overlap", width=210
        )
    chunking: Chunking | None = None
    with frame.mendable():
        chunking = Chunking.parse(f"tokens:{size}:{overlap}")
    if chunking is None:
        st.stop()
    return chunking


def show_numbers(corpus: Corpus, passages: Sequence[Passage]) -> None:
    """How much there is, in one row."""
    lengths = [len(passage.text) for passage in passages]
    with_gold = sum(bool(query.gold) for query in corpus.queries)
    median, longest = (round(float(np.median(lengths))), max(lengths)) if lengths else (0, 0)
    show_figures(
        (
            ("Documents", f"{len(corpus.documents):,}", ""),
            ("Passages", f"{len(passages):,}", ""),
            ("Median length", f"{median:,}", "characters"),
            ("Longest", f"{longest:,}", "characters"),
            ("Questions", f"{len(corpus.queries):,}", f"{with_gold:,} with gold"),
        )
    )


def length_histogram(passages: Sequence[Passage]) -> alt.Chart:
    """How many passages are how long, in characters."""
    heights, edges = np.histogram([len(passage.text) for passage in passages], bins=_bins(passages))
    data = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "passages": heights})
    chart: alt.Chart = (
        alt.Chart(data)
        .mark_bar(color="#0072B2", binSpacing=1)
        .encode(
            x=alt.X(
                "from:Q",
                bin="binned",
                title="Characters of a passage",
                axis=alt.Axis(tickCount=8, format=",d", grid=False),
            ),
            x2="to:Q",
            y=alt.Y(
                "passages:Q",
                title="Passages",
                scale=alt.Scale(domain=[0, 1.08 * int(heights.max())], nice=False),
                axis=alt.Axis(tickMinStep=1, format="d"),
            ),
            tooltip=[
                alt.Tooltip("from:Q", format=",.0f"),
                alt.Tooltip("to:Q", format=",.0f"),
                alt.Tooltip("passages:Q", format=","),
            ],
        )
        .properties(height=230)
    )
    return chart


@st.fragment
def show_chunks(passages: Sequence[Passage]) -> None:
    """The first passages as they will be, a few at a time."""
    shown = passages[:_SHOWN]
    first = "All of" if len(shown) == len(passages) else f"The first {len(shown):,} of"
    pages = -(-len(shown) // _A_PAGE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{first} {count(len(passages), 'passage')}, as they will be", width="stretch")
        page = st.pagination(pages, key="corpus_chunk_page") if pages > 1 else 1
    start = (page - 1) * _A_PAGE
    st.html("".join(map(_card, shown[start : start + _A_PAGE])))


def _card(passage: Passage) -> str:
    part = f"part {passage.position + 1} · " if passage.id != passage.document_id else ""
    return (
        f"<article class='hop-chunk'><header><strong dir='auto'>{escape(passage.title)}</strong>"
        f"<span>{part}{count(len(passage.text), 'character')}</span></header>"
        f"<div dir='auto'>{escape(passage.text)}</div></article>"
    )


def _bins(passages: Sequence[Passage]) -> list[float]:
    """Edges at whole numbers of characters, up to `_BINS` bins."""
    lengths = [len(passage.text) for passage in passages]
    low, high = min(lengths), max(lengths) + 1
    step = max(1, -(-(high - low) // _BINS))
    return [float(edge) for edge in range(low, high + step, step)]


def _files(corpus: Corpus) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "file": [each.name for each in corpus.files],
            "recognised as": [each.format for each in corpus.files],
            "documents": [each.documents for each in corpus.files],
            "questions": [each.queries for each in corpus.files],
        }
    )


def _questions(corpus: Corpus) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "question": [query.text for query in corpus.queries],
            "answers": [" · ".join(query.answers) for query in corpus.queries],
            "gold": [len(query.gold) for query in corpus.queries],
            "type": [query.type for query in corpus.queries],
            "data set": [query.dataset for query in corpus.queries],
        }
    )


def _table(table: pd.DataFrame) -> None:
    number, words = st.column_config.NumberColumn, st.column_config.Column
    st.dataframe(
        table[:_ROWS],
        hide_index=True,
        height="content" if len(table) <= 6 else 248,
        column_config={
            name: number(name.capitalize(), format="localized", width="small")
            if name in _NUMBERS
            else words(name.capitalize(), width="large" if name == "question" else "medium")
            for name in table.columns
        },
    )
    if len(table) > _ROWS:
        st.caption(f"The first {_ROWS:,} of {len(table):,}")
