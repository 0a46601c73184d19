"""Two retrievers on one layout, A and B; of more that are compared, which two can be chosen."""

from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.difference import make_difference
from core.difference.lost_gold_rows import with_lost_gold
from core.trace_analysis.evidence_arrival import arrival
from core.trace_analysis.gold_passages import evidence
from core.trace_analysis.trace_frames import play
from core.traces import Trace
from pages.components.ask.imported_results import Compared, compared_name
from pages.components.ask.rule_based_notice import BY_RULES, SUBSTITUTE
from pages.components.compare.columns import in_the_way
from pages.components.compare.comparison import Comparison
from pages.components.compare.default_pair import after, which
from pages.components.compare.form import LETTERS, Request, choose_pair
from pages.components.compare.verdict import verdict
from pages.components.difference.component import show_difference
from pages.components.walkthrough.evidence_arrival import show_arrivals

RANKING_ONLY = "{} is an imported ranking: its steps are unknown."


def difference(found: Comparison, wish: Request, beside: DeltaGenerator) -> None:
    """Where they part, both on one drawing, and when the evidence arrived in each.

    Which is A, and which B, is chosen in the box `beside`.
    """
    a, b = found.columns
    with beside:
        _pair(wish)
    for number, column in enumerate((a, b)):
        if in_the_way(found, column, number):
            return
    if a.trace is None or b.trace is None:
        return
    marked = a.trace.with_gold(found.said)
    made = with_lost_gold(
        make_difference(marked, b.trace, found.said.said(a.trace.ranking), found.index, found.lists)
    )
    told = verdict(found)
    # Where each begins with something else, or the steps of one are unknown, that is no cause.
    known = a.has_steps and b.has_steps
    alike = made["parting"]["alike"] or not told.rest
    parting = made["parting"]["text"] if known and alike else ""
    if not known and made["beside"]:
        made = {**made, "beside": RANKING_ONLY.format("B" if made["walker"] == "a" else "A")}
    further = "\n".join(filter(None, (made["answer"], parting)))
    parted = "".join(
        f"<p class='hop-parting hop-why' dir='auto' title='{escape(one)}'>{escape(one)}</p>"
        for one in ("\n".join(told.rest), further)
        if one
    )
    st.html(f"<p class='hop-headline'>{escape(told.first)}</p>{parted}")
    names = [(c.name, *((SUBSTITUTE, BY_RULES) if c.stands_in else ("", ""))) for c in (a, b)]
    several = len(wish.columns) > len(LETTERS)
    pair = f"pair {which(wish.pair, wish.columns)}" if several else ""
    show_difference(made, told.first, told.rest, names, pair, key="compare_difference")
    _arrivals(found, marked, b.trace)
    for letter, side in (("A", made["a"]), ("B", made["b"])):
        st.html(f"<p class='hop-foot-note'><b>{letter}</b> {escape(side['footer'])}</p>")


def _arrivals(found: Comparison, *traces: Trace) -> None:
    """When the evidence arrived in each, by its own steps: they may have no round in common."""
    marks = found.said.said(traces[0].ranking)
    both = [play(trace, marks, found.index, found.lists) for trace in traces]
    pieces = found.said.pieces(traces[0].ranking)
    gold = evidence([one.missed for one in both], marks, pieces)
    show_arrivals([arrival(gold, [one]) for one in both], [column.name for column in found.columns])


def _pair(wish: Request) -> None:
    """What has A and B change their places; where more are compared, which are these two."""
    if len(wish.columns) > len(LETTERS):
        told = (f"{x}: {spec.card.badge}" for x, spec in zip(LETTERS, wish.pair, strict=True))
        with st.popover(" · ".join(told), help="Choose the two to compare", key="compare_pair"):
            _pair_selects(wish)
            _swap(wish)
        st.button(
            which(wish.pair, wish.columns),
            icon=":material/skip_next:",
            icon_position="right",
            help="Current pair (press n for the next pair)",
            key="compare_next",
            on_click=choose_pair,
            args=(after(wish.pair, wish.columns),),
        )
    else:
        _swap(wish)


def _swap(wish: Request) -> None:
    st.button(
        "Swap",
        icon=":material/swap_horiz:",
        help="Swap A and B",
        key="compare_swap",
        on_click=choose_pair,
        args=(wish.pair[::-1],),
    )


def _pair_selects(wish: Request) -> None:
    """Show a select box for A and one for B."""
    for place, letter in enumerate(LETTERS):
        key = f"compare_pair_{place}"
        st.session_state[key] = wish.pair[place]
        st.selectbox(
            f"{letter} is",
            wish.columns,
            key=key,
            format_func=lambda one: f"{one.card.badge} · {compared_name(one)}",
            width=290,
            on_change=_choose,
            args=(wish.pair, place),
        )


def _choose(pair: Sequence[Compared], place: int) -> None:
    """Set A or B to the selected retriever, and swap the two if it was the other one."""
    chosen, other = st.session_state[f"compare_pair_{place}"], pair[1 - place]
    both = [chosen, pair[place] if chosen == other else other]
    choose_pair(tuple(both if place == 0 else both[::-1]))
