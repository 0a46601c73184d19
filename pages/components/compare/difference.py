"""The difference of two retrievers on one layout, and the choice of the two."""

from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.difference import make_difference
from core.difference.lost_gold_rows import with_lost_gold
from core.difference.side import Called
from core.trace_analysis.evidence_arrival import arrival
from core.trace_analysis.gold_passages import evidence
from core.trace_analysis.trace_frames import play
from core.traces import Trace
from pages.components.ask.imported_results import Compared, compared_name
from pages.components.ask.rule_based_notice import BY_RULES, SUBSTITUTE
from pages.components.compare.columns import show_obstacle
from pages.components.compare.comparison import Column, Comparison
from pages.components.compare.default_pair import next_pair, pair_position
from pages.components.compare.form import Request, choose_pair
from pages.components.compare.verdict import Verdict, verdict
from pages.components.compare.verdict_lines import verdict_html
from pages.components.difference.component import show_difference
from pages.components.shell.retriever_colours import badge, tint
from pages.components.walkthrough.evidence_arrival import show_arrivals

SIDES = 2
RANKING_ONLY = "{} is an imported ranking: its steps are unknown."


def difference(found: Comparison, wish: Request, beside: DeltaGenerator) -> None:
    """Draw where two retrievals differ on one layout, and when each found the evidence.

    The choice of the two is drawn in `beside`.
    """
    a, b = found.columns
    with beside:
        _pair(wish)
    for number, column in enumerate((a, b)):
        if show_obstacle(found, column, number):
            return
    if a.trace is None or b.trace is None:
        return
    marked = a.trace.with_gold(found.said)
    made = with_lost_gold(
        make_difference(
            marked,
            b.trace,
            found.said.authors(a.trace.ranking),
            found.index,
            found.lists,
            _names_and_badges(a, b),
        )
    )
    told = _verdict(found)
    # Where each begins with something else, or the steps of one are unknown, that is no cause.
    known = a.has_steps and b.has_steps
    alike = made["parting"]["alike"] or not told.rest
    parting = made["parting"]["text"] if known and alike else ""
    if not known and made["beside"]:
        made = {**made, "beside": RANKING_ONLY.format((b if made["walker"] == "a" else a).name)}
    st.html(verdict_html(told, found.answered, (parting, made["answer"])))
    names = [(c.name, *((SUBSTITUTE, BY_RULES) if c.stands_in else ("", ""))) for c in (a, b)]
    several = len(wish.columns) > SIDES
    pair = f"pair {pair_position(wish.pair, wish.columns)}" if several else ""
    tints = (tint(a.card), tint(b.card))
    show_difference(made, told.first, told.rest, names, pair, tints, key="compare_difference")
    _arrivals(found, marked, b.trace)
    for column, side in ((a, made["a"]), (b, made["b"])):
        sign, footer = badge(column.card, column.name), escape(side["footer"])
        st.html(f"<p class='hop-foot-note'>{sign}{footer}</p>")


def _names_and_badges(a: Column, b: Column) -> tuple[Called, Called]:
    """Return name and badge of each retriever; two equal badges are numbered."""
    signs = [a.card.badge, b.card.badge]
    if signs[0] == signs[1]:
        signs = [f"{sign}{number}" for number, sign in enumerate(signs, start=1)]
    return Called(a.spoken, signs[0]), Called(b.spoken, signs[1])


def _verdict(found: Comparison) -> Verdict:
    """Return the verdict on both; empty if no gold is in the index."""
    names = [column.spoken for column in found.answered]
    return verdict(found, names) if found.said.held else Verdict("")


def _arrivals(found: Comparison, *traces: Trace) -> None:
    """Draw when each retrieval found the evidence, counted in its own steps."""
    marks = found.said.authors(traces[0].ranking)
    both = [play(trace, marks, found.index, found.lists) for trace in traces]
    pieces = found.said.pieces(traces[0].ranking)
    gold = evidence([one.missed for one in both], marks, pieces)
    heads = [f"{badge(column.card)}{escape(column.name)}" for column in found.columns]
    show_arrivals([arrival(gold, [one]) for one in both], heads)


def _pair(wish: Request) -> None:
    """Draw the Swap button and, with more than two columns, the choice of the pair."""
    if len(wish.columns) > SIDES:
        told = (spec.card.badge for spec in wish.pair)
        with st.popover(" vs. ".join(told), help="Choose the two to compare", key="compare_pair"):
            _pair_selects(wish)
            _swap(wish)
        st.button(
            pair_position(wish.pair, wish.columns),
            icon=":material/skip_next:",
            icon_position="right",
            help="Current pair (press n for the next pair)",
            key="compare_next",
            on_click=choose_pair,
            args=(next_pair(wish.pair, wish.columns),),
        )
    else:
        _swap(wish)


def _swap(wish: Request) -> None:
    """Draw the button that swaps the two retrievers."""
    st.button(
        "Swap",
        icon=":material/swap_horiz:",
        help="Swap the two retrievers",
        key="compare_swap",
        on_click=choose_pair,
        args=(wish.pair[::-1],),
    )


def _pair_selects(wish: Request) -> None:
    """Show a select box for each of the two."""
    for place, label in enumerate(("First", "Second")):
        key = f"compare_pair_{place}"
        st.session_state[key] = wish.pair[place]
        st.selectbox(
            label,
            wish.columns,
            key=key,
            format_func=lambda one: f"{one.card.badge} · {compared_name(one)}",
            width=290,
            on_change=_choose,
            args=(wish.pair, place),
        )


def _choose(pair: Sequence[Compared], place: int) -> None:
    """Set one of the two to the selected retriever; swap them if it was the other one."""
    chosen, other = st.session_state[f"compare_pair_{place}"], pair[1 - place]
    both = [chosen, pair[place] if chosen == other else other]
    choose_pair(tuple(both if place == 0 else both[::-1]))
