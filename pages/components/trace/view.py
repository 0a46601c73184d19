"""A trace on the screen: graph, player and panels, all at the same step.

The graph is mounted once a trace; what moves is one fragment, drawn from one frame.
"""

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from core.playback import Frame, sentence
from core.playback import frame as frame_at
from core.playback.rounds import Round, round_at, round_sentence
from core.steps import Judged, Ranked
from core.store.index import Index
from core.traces import Trace
from pages.components.graph import graph_view
from pages.components.passages.gold import GoldMarks
from pages.components.shell import picking
from pages.components.trace import current as asked_trace
from pages.components.trace import footer as trace_footer
from pages.components.trace import panels as trace_panels
from pages.components.trace import player
from pages.components.trace.details import show_details
from pages.components.trace.gold_standing import gold_rows
from pages.components.trace.picture import CAP, REFUSED, Picture, make_picture, paint
from pages.components.trace.rows import GRAPH, Names

VIEWS = ("Step", "Visits", "Details")
HEIGHT = 600
_VIEW, _ALL, _SHOWN = "trace_view", "trace_everything", "trace_shown"


def show_trace(trace: Trace, marks: GoldMarks, index: Index | None, *, linked: bool) -> None:
    """The player with everything that moves with it.

    `index` is the one the trace was made from, if it is open; `linked` says that the address
    names the trace, so that the step is kept there.
    """
    picking.listen()
    _begin(trace)
    every = player.interval()
    gold = marks.among(trace.passages.values())
    stage = make_picture(trace, gold, everything=bool(st.session_state.get(_ALL)))
    with st.container(key="trace_stage"):
        with st.container(key="trace_graph"):
            graph_view.graph_structure(
                GRAPH, stage.nodes, stage.arrows, bands=stage.bands, height=HEIGHT
            )
        st.fragment(_moving, run_every=every)(stage, marks, index, every, linked)
    with st.container(horizontal=True, vertical_alignment="center", key="trace_below"):
        st.toggle("Draw every passage on offer", key=_ALL, help=_drawn(stage))
        trace_footer.footer(trace)


def _begin(trace: Trace) -> None:
    """A trace that was not on the screen before has nothing selected."""
    shown = trace.created, trace.steps[0]
    if st.session_state.get(_SHOWN) != shown:
        st.session_state[_SHOWN] = shown
        st.session_state[_VIEW] = VIEWS[0]
        graph_view.select(GRAPH, None)


def _drawn(stage: Picture) -> str:
    drawn = len(stage.nodes)
    return (
        f"{drawn} of {drawn + stage.left_out} passages are drawn: the visited, gold, and the best "
        f"{REFUSED} refused at each passage; with this switch all, up to {CAP}."
    )


def _moving(
    stage: Picture, marks: GoldMarks, index: Index | None, every: float | None, linked: bool
) -> None:
    steps = stage.trace.steps
    player.tick(steps)
    if player.interval() != every:
        # Whether a fragment reruns by itself is decided in a run of the whole page.
        st.rerun()
    t = player.position(steps)
    now = frame_at(steps, t)
    whole = round_at(steps, t) if player.grain() == "hop" else None
    names = Names(stage.title, marks.among(stage.trace.passages.values()))
    if linked:
        asked_trace.write_step(t, player.grain())
    with st.container(key="trace_top"):
        player.controls(steps)
        st.html(
            trace_panels.story(_story(stage, t, whole), t, len(steps))
            + trace_panels.gold_line(gold_rows(stage, now, marks, index))
        )
    looks = paint(stage, now, frozenset(names.gold), whole)
    graph_view.paint_graph(GRAPH, looks, on_select=_show_selected)
    with st.container(key="trace_side"):
        with st.container(horizontal=True, key="trace_views"):
            st.session_state.setdefault(_VIEW, VIEWS[0])
            view = st.segmented_control(
                "Panels", VIEWS, key=_VIEW, required=True, label_visibility="collapsed"
            )
            if linked:
                _link()
        _panel(view, now, whole, names)
        if view == "Details":
            with st.container(key="trace_details"):
                show_details(stage, now, graph_view.selection(GRAPH), marks, index)


def _link() -> None:
    """The address of this very view, which the browser has too."""
    parts = urlsplit(st.context.url or "")
    address = parts._replace(query=urlencode(st.query_params.to_dict()), fragment="")
    with st.popover("Copy link", key="trace_link"):
        st.code(urlunsplit(address), language=None, wrap_lines=True)


def _story(stage: Picture, t: int, whole: Round | None) -> str:
    if whole and isinstance(stage.trace.steps[t - 1], Judged):
        return round_sentence(whole)
    return sentence(stage.trace.steps, t, stage.title)


def _panel(view: str | None, now: Frame, whole: Round | None, names: Names) -> None:
    if view == "Step":
        ended = isinstance(now.step, Ranked)
        moving = (
            ()
            if ended
            else (trace_panels.queue(now, whole, names), trace_panels.offers(now, whole, names))
        )
        st.html("".join((*moving, trace_panels.ranking_head(now))))
        with st.container(key="trace_result" if ended else "trace_ranking"):
            st.html(trace_panels.ranking(now, names))
    elif view == "Visits":
        st.html(trace_panels.visits(now, names))


def _show_selected() -> None:
    if graph_view.selection(GRAPH):
        st.session_state[_VIEW] = "Details"
