"""Starting points: passages with many edges, and those of a question."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.evidence import with_evidence_as_gold
from core.explore.starts import Start, starts_at, well_connected
from core.marks.gold import passages_by_gold_id
from core.store.index import Index
from core.text.display import plurals
from core.types import Query
from pages.components.explore import state as explore_state
from pages.components.shell.formatting import cropped
from pages.components.shell.widgets.card import card

MOST = 6
_QUESTION = "explore_start_question"


def show_starts(index: Index, now: str) -> None:
    """Show cards that each open the graph around a passage; draw `now` meanwhile."""
    title = index.titled(now).title or now
    st.html(
        "<h3 class='hop-panel-title'>Where to start</h3>"
        f"<p class='hop-caption'>Drawn now: <b dir='auto'>{escape(cropped(title, 60))}</b>, the "
        "passage with the most edges. Click a passage or an edge to read it, or choose another "
        "passage below.</p>"
        "<h4 class='hop-small-title'>Passages with the most edges</h4>"
    )
    _cards(index, well_connected(index.graph.adjacency, index.ids, MOST), "hub")
    st.html("<h4 class='hop-small-title'>Passages that answer a question</h4>")
    asked = map(with_evidence_as_gold, index.questions)
    _draw_question_starts(index, [query for query in asked if query.gold])


def _draw_question_starts(index: Index, asked: Sequence[Query]) -> None:
    """Draw the choice of a question, and a card for each of its gold passages."""
    if not asked:
        st.html(
            "<p class='hop-caption'>This index has no questions with gold. Search for a passage "
            "above, or start from one with many edges.</p>"
        )
        return
    question = st.selectbox(
        "Question",
        asked,
        format_func=lambda query: cropped(query.text, 140),
        key=_QUESTION,
        label_visibility="collapsed",
    )
    known = [one for passages in passages_by_gold_id(question, index).values() for one in passages]
    if not known:
        st.html("<p class='hop-caption'>None of its gold passages is in this index.</p>")
    _cards(index, starts_at(index.graph.adjacency, index.number, known)[:MOST], "gold")


def _cards(index: Index, starts: Sequence[Start], kind: str) -> None:
    """Draw a card for each start passage, with its numbers of edges."""
    for number, start in enumerate(starts):
        passage = index.titled(start.passage_id)
        edges = f"{plurals.number(start.arriving, 'edge')} in, {start.leaving:,} out"
        card(
            f"<div class='hop-found hop-start'><b dir='auto'>{escape(passage.title or passage.id)}"
            f"</b><span class='hop-quiet'>{edges}</span>"
            f"<span class='hop-quiet' dir='auto'>{escape(cropped(passage.text, 110))}</span></div>",
            passage.title or passage.id,
            key=f"explore_start_{kind}_{number}",
            on_click=explore_state.begin,
            args=(start.passage_id,),
        )
