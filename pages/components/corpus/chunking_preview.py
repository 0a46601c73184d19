"""A preview of the passages that a chunking makes of the files."""

from collections.abc import Sequence
from html import escape

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.colours import FILLS
from core.corpus.chunking.chunker import Chunking
from core.corpus.chunking.summary import chunking_summary
from core.corpus.types import Corpus
from core.corpus.vectors.given_vectors import dimensions
from core.models.legible import unread_corpus
from core.text.display.plurals import counted, number
from core.types import Passage
from pages.components.corpus.index_description import CUTTINGS
from pages.components.shell import layout
from pages.components.shell.figures import show_figures
from pages.components.shell.formatting import cropped

_SHOWN = 200  # chunks to page through
_A_PAGE = 6
_BINS = 40
_FEWEST_BINS = 8
# Characters per passage and of its title: what nobody reads to its end need not be sent.
_LETTERS = 4000
_TITLE = 300


def choose_chunking() -> Chunking | None:
    """Draw the chunking widgets; None, after an error message, if the values are not valid."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Passages",
            list(CUTTINGS),
            format_func=CUTTINGS.__getitem__,
            default="fit",
            required=True,
            key="corpus_kind",
            help="Automatic: split at headings, and long sections at paragraphs and sentences; "
            "short documents stay whole. Whole documents: one passage per document.",
            persist_state="session",
        )
        if kind != "tokens":
            return Chunking.parse(str(kind))
        size = st.number_input("Tokens per passage", 8, 4096, 256, 8, key="corpus_size", width=170)
        overlap = st.number_input(
            "Overlap with the previous passage", 0, 4095, 32, 8, key="corpus_overlap", width=210
        )
    with layout.mendable():
        return Chunking.parse(f"tokens:{size}:{overlap}")
    return None


def keep_whole(corpus: Corpus) -> Chunking | None:
    """Say that documents with vectors are not split; return None if no document has a vector."""
    given = [made for made in corpus.documents if made.vector]
    if not given:
        return None
    st.caption(
        f"{counted(len(given), 'document has', 'documents have')} a vector of "
        f"{dimensions(given[0].vector):,} dimensions, and each becomes one passage. The "
        "embedder still embeds pseudo-queries and questions, so choose the model that made "
        "the vectors."
    )
    return Chunking("as-is")


def show_cutting(corpus: Corpus, passages: Sequence[Passage], chunking: Chunking) -> None:
    """Show which documents are split and why, and the longest passages."""
    found = chunking_summary(corpus.documents, passages, chunking)
    if sentences := found.sentences():
        st.caption(layout.literal(" ".join((*sentences, found.longest_sentence())).rstrip()))


def show_numbers(corpus: Corpus, passages: Sequence[Passage]) -> None:
    """Show the numbers of documents, passages and questions in one row."""
    lengths = [len(passage.text) for passage in passages]
    with_gold = sum(bool(query.gold or query.evidence) for query in corpus.queries)
    median, longest = (round(float(np.median(lengths))), max(lengths)) if lengths else (0, 0)
    asked = ("Questions", f"{len(corpus.queries):,}", f"{with_gold:,} with gold")
    show_figures(
        (
            ("Documents", f"{len(corpus.documents):,}", ""),
            ("Passages", f"{len(passages):,}", ""),
            ("Median length", f"{median:,}", "characters"),
            ("Longest", f"{longest:,}", "characters"),
            *([asked] if corpus.queries else []),
        ),
        {"Passages": "passage"},
    )


def show_unread(embedder: str, corpus: Corpus) -> None:
    """Show which share of the texts exceeds the embedder's limit, if it matters."""
    embedded = [document.text for document in corpus.documents if not document.vector]
    if unread := unread_corpus(embedder, embedded):
        st.warning(layout.literal(unread))


def length_histogram(passages: Sequence[Passage]) -> alt.Chart:
    """Return a histogram of passage lengths in characters."""
    heights, edges = np.histogram([len(passage.text) for passage in passages], bins=_bins(passages))
    data = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "passages": heights})
    chart: alt.Chart = (
        alt.Chart(data)
        .mark_bar(color=FILLS["first"].of(st.context.theme.type), binSpacing=1)
        .encode(
            x=alt.X(
                "from:Q",
                bin="binned",
                title="Characters per passage",
                axis=alt.Axis(tickCount=8, format=",d", grid=False),
            ),
            x2=alt.X2("to:Q"),
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
        .properties(height=190)
    )
    return chart


@st.fragment
def show_chunks(passages: Sequence[Passage]) -> None:
    """Show the first passages, a few per page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        place = st.container(width="stretch")
        by_length = st.toggle(
            "Longest first", key="corpus_longest_first", disabled=len(passages) < 2
        )
        ordered = sorted(passages, key=lambda each: -len(each.text)) if by_length else passages
        shown = ordered[:_SHOWN]
        cut = len(shown) < len(passages)
        first = f"{'The longest' if by_length else 'The first'} {len(shown):,} of "
        many = number(len(passages), "passage")
        place.caption(f"{first if cut else ''}{many}, exactly as the index will store them")
        pages = -(-len(shown) // _A_PAGE)
        page = st.pagination(pages, key="corpus_chunk_page") if pages > 1 else 1
    start = (page - 1) * _A_PAGE
    cards = "".join(map(_card, shown[start : start + _A_PAGE]))
    st.html(f"<div class='hop-chunks'>{cards}</div>")


def _card(passage: Passage) -> str:
    """Return a passage as an HTML card: title, part of its document, length, and beginning of its
    text.
    """
    part = f"part {passage.position + 1} · " if passage.id != passage.document_id else ""
    title, text = cropped(passage.title, _TITLE), cropped(passage.text, _LETTERS)
    return (
        f"<article class='hop-chunk'><header><strong dir='auto'>{escape(title)}</strong>"
        f"<span>{part}{number(len(passage.text), 'character')}</span></header>"
        f"<div dir='auto'>{escape(text)}</div></article>"
    )


def _bins(passages: Sequence[Passage]) -> list[float]:
    """Return edges at round numbers of characters: more bins for more passages, up to `_BINS`."""
    lengths = [len(passage.text) for passage in passages]
    low, high = min(lengths), max(lengths) + 1
    bins = min(_BINS, max(_FEWEST_BINS, round(2 * len(passages) ** 0.5)))
    rounded = (digit * 10**zeros for zeros in range(9) for digit in (1, 2, 5))
    step = next(each for each in rounded if each * bins >= high - low)
    return [float(edge) for edge in range(low - low % step, high + step, step)]
