"""The columns of a comparison: head, ranked passages, foot; and the drawer with one passage."""

from html import escape

import streamlit as st

from core.artefacts.unmatched_questions import nothing_found
from core.funnel.fates import fates
from core.playback.ending import empty_told
from core.playback.wording import lasting
from core.text.display import plurals
from core.text.display.scores import decimals
from core.trace_analysis.cost_summary import settings_told
from pages.components.ask import opened_trace
from pages.components.ask.answer import show_retriever_answer
from pages.components.ask.method_description import how_it_ranks
from pages.components.ask.model_calls import ask_leave
from pages.components.ask.model_setup import show_rules
from pages.components.ask.request import Ask
from pages.components.ask.required_structures import show_build
from pages.components.ask.retriever_names import changes
from pages.components.ask.rule_based_notice import BY_RULES, SUBSTITUTE
from pages.components.ask.undecided_notice import show_undecided
from pages.components.compare.comparison import Column, Comparison, listed, lost_gold
from pages.components.compare.presenter_view import show_rankings
from pages.components.passages.hit_list import hit_list, key_of_moves, part_key, score_in_words
from pages.components.passages.passage import show_passage
from pages.components.passages.repeated_texts import repeats_in
from pages.components.shell import layout, nav
from pages.components.shell.glossary import term
from pages.components.shell.retriever_colours import badge


def columns(found: Comparison) -> None:
    """Draw head, ranked passages and foot of every column, with rows of equal height."""
    with st.container(gap="xsmall", key="compare_columns"):
        _heads(found)
        pressed = None
        for number, place in enumerate(st.columns(len(found.columns))):
            with place:
                pressed = _hits(found, found.columns[number], number) or pressed
        for number, place in enumerate(st.columns(len(found.columns))):
            with place:
                _foot(found, number)
    if pressed:
        _drawer(found, pressed)


def compare_rules_notice(found: Comparison) -> None:
    """Name the columns in which rules replaced a language model, with a way to Settings."""
    if by_rules := [column.name for column in found.columns if column.stands_in]:
        show_rules(by_rules, place="compare")


def _heads(found: Comparison) -> None:
    """Draw the head of each column, and below them the legend of the moves and the presenter
    button.
    """
    for number, place in enumerate(st.columns(len(found.columns))):
        # Its own box, in whose corner the button stands (assets/style.css).
        with place, st.container(key=f"compare_head_{number}"):
            _head(found, number)
    if len(found.answered) > 1:
        with st.container(horizontal=True, vertical_alignment="center", key="compare_key"):
            told = escape(key_of_moves(found.answered[0].spoken))
            st.html(f"<p class='hop-caption hop-moves' dir='auto'>{told}</p>")
            show_rankings(found)


def _head(found: Comparison, number: int) -> None:
    """Draw a column's head: badge, title, retrieval time, changed settings, and a mark for rules or
    failure.
    """
    column = found.columns[number]
    card = column.card
    first = "" if column is not found.columns[0] else "<span class='hop-quiet'>reference</span>"
    timed = column.steps and column.has_steps
    time = term("retrieval_time", lasting(column.seconds)) if timed else ""
    if column.steps and column.own is None:
        time = " · ".join(
            filter(None, ("imported", plurals.number(len(column.hits), "passage"), time))
        )
    time = "failed" if column.own and column.error else time
    differs = escape(changes(column.own, but=["top_k"])) if column.own else ""
    told = f"<span dir='auto'>{differs}</span>" if differs else ""
    if column.stands_in:
        why = escape(f"{SUBSTITUTE}: {column.stands_in}")
        told += f"<span class='hop-quiet' title='{why}'>{BY_RULES}</span>"
    if column.model.nothing:
        told += "<b>no model</b>"
    parts = part_key(column.hits, card) if column.hits else ""
    st.html(
        f"<div class='hop-col-head' "
        f"title='{escape(f'{card.summary} ({card.paper})')}'>"
        f"<div>{badge(card)}<b>{escape(card.title)}</b></div>"
        f"<div class='hop-col-facts'><span>{time}</span>{told}{first}</div>{parts}</div>"
    )
    if column.own:
        how_it_ranks(column.own, place=f"compare_{number}")


def show_obstacle(found: Comparison, column: Column, number: int) -> bool:
    """Show why a column has no answer and how to fix it; return whether there is such a problem."""
    if column.error:
        (st.error if column.own else st.info)(layout.literal(column.error))
    elif column.needs and column.own:
        cost, place = column.needs_cost, f"compare_{number}"
        show_build(column.own, column.needs, found.index, cost, place=place)
    elif column.retriever and column.waits_for:
        ask_leave(column.retriever, found.question, column.waits_for, place=f"compare_{column.key}")
    else:
        show_undecided(
            column.model, column.retriever, found.question, place=f"compare_{column.key}"
        )
        return False
    return True


def _hits(found: Comparison, column: Column, number: int) -> str | None:
    """Draw a column's ranked passages and lost gold; return the id of a pressed passage."""
    if show_obstacle(found, column, number):
        return None
    if not column.hits:
        words_only = column.own.words_only if column.own else False
        cause = nothing_found(found.index, column.card.direction, words_only=words_only)
        st.html(f"<p class='hop-caption'>{escape(empty_told(column.steps, cause))}</p>")
        show_retriever_answer(column.steps)
        return None
    first = found.answered[0].spoken
    lost = lost_gold(found, column)
    return hit_list(
        listed(found, column), column.card, lost, key=f"compare_hit_{number}", against=first
    )


def _foot(found: Comparison, number: int) -> None:
    """Draw the link to the walkthrough, the retrieval time, the settings, and a note on repeated
    texts.
    """
    column = found.columns[number]
    asked = column.asked
    if column.error or asked is None:
        return
    if column.own is None:
        _imported_foot(found, column, number)
        return
    said = " · ".join(settings_told(asked, column.own))
    embedding = lasting(column.embedding_seconds)
    embedded = f" · query embedded in {embedding}" if column.embedding_seconds else ""
    time = f"{term('retrieval_time', f'Retrieved in {lasting(column.seconds)}')}{embedded}"
    engine = f" · {column.ranked.engine}" if column.ranked.engine else ""
    if st.button("Show walkthrough", key=f"compare_trace_{number}", width="stretch"):
        nav.go("trace", index=found.index.name, **Ask(found.question, column.own).params())
    st.html(
        f"<p class='hop-foot-note'>{time}<br>{escape(said + engine)}"
        f"<br>configuration {column.configuration}</p>"
    )
    if repeats := repeats_in(found.index, [hit.passage_id for hit in column.hits]):
        st.html(f"<p class='hop-foot-note'>{escape(repeats)}</p>")


def _imported_foot(found: Comparison, column: Column, number: int) -> None:
    """Draw the foot of imported results: the link to a recorded walkthrough, if any, and texts not
    in the index.
    """
    if column.has_steps and column.trace:
        if st.button("Show walkthrough", key=f"compare_trace_{number}", width="stretch"):
            opened_trace.show_trace(column.trace.with_gold(found.said), column.key)
            nav.go("trace", index=found.index.name)
        told = f"Recorded: {lasting(column.seconds)}"
    else:
        told = "Only the ranking was imported, so there is no walkthrough"
    outside = [hit for hit in column.ranking if hit not in found.index.number]
    texts = f"<br>{plurals.number(len(outside), 'text')} not in the index" if outside else ""
    st.html(f"<p class='hop-foot-note'>{told}.{texts}</p>")


@st.dialog("Passage", width="medium", position="right", on_dismiss="rerun")
def _drawer(found: Comparison, passage_id: str) -> None:
    """Draw a passage with its rank in every column and the link to its neighbourhood."""
    known = passage_id in found.index.number
    show_passage(
        found.index if known else found,
        passage_id,
        key="compare_passage",
        marks=found.marks if known else None,
    )
    st.html(_ranks_table(found, passage_id))
    explore, done = st.columns(2)
    if known and explore.button(
        "Explore its neighbourhood", key="compare_explore", width="stretch"
    ):
        nav.go("explore", index=found.index.name, passage=passage_id, q=found.question)
    if done.button("Done", key="compare_done", type="primary", width="stretch"):
        st.rerun()


def _ranks_table(found: Comparison, passage_id: str) -> str:
    """Return the rank and score of one passage in every column, as HTML."""
    lines = "".join(
        f"<tr><th scope='row'>{badge(c.card)} {escape(c.name)}</th>"
        f"<td>{_rank_html(found, c, passage_id)}</td></tr>"
        for c in found.answered
    )
    return f"<table class='hop-table hop-standings'><tbody>{lines}</tbody></table>"


def _rank_html(found: Comparison, column: Column, passage_id: str) -> str:
    """Return a passage's rank and score in a column as HTML."""
    places = decimals([hit.score for hit in column.hits])
    for rank, hit in enumerate((*column.hits, *column.ranked.pruned), 1):
        if hit.passage_id == passage_id:
            cut = f", below the top {len(column.hits)}" if rank > len(column.hits) else ""
            words = escape(score_in_words(hit, places))
            return f"<b>{rank}{cut}</b><br><span class='hop-quiet'>{words}</span>"
    if passage_id not in found.index.number:
        return "<span class='hop-miss'>not in the index</span>"
    (fate,) = fates(column.steps, (passage_id,), found.index, lists=found.lists)
    return f"<span class='hop-miss'>{escape(str(fate))}</span>"
