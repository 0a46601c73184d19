"""A trace on the screen: graph, player and panels, all at the same step.

The graph is mounted once a trace; what moves is one fragment, drawn from one frame.
"""

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from core.playback import Frame, sentence
from core.playback import frame as frame_at
from core.playback.rounds import Round, round_at, round_sentence
from core.retrievers import Spec
from core.steps import Asked, Offered, Ranked, Said, Step
from core.store.index import Index
from core.traces import Trace
from pages.components.graph import graph_view
from pages.components.passages.gold import GoldMarks
from pages.components.shell import picking
from pages.components.trace import current as asked_trace
from pages.components.trace import footer as trace_footer
from pages.components.trace import player
from pages.components.trace.details import show_details
from pages.components.trace.gold_standing import gold_rows
from pages.components.trace.panels import boards, outline, said, standing, step_panel
from pages.components.trace.picture import CAP, REFUSED, Picture, make_picture, paint
from pages.components.trace.rows import GRAPH, Names

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
    picture = make_picture(trace, gold, everything=bool(st.session_state.get(_ALL)))
    with st.container(key="trace_stage"):
        with st.container(key="trace_graph"):
            graph_view.graph_structure(
                GRAPH,
                picture.nodes,
                picture.arrows,
                bands=picture.bands,
                legend=picture.legend,
                height=HEIGHT,
            )
        st.fragment(_moving, run_every=every)(picture, marks, index, every, linked)
    with st.container(horizontal=True, vertical_alignment="center", key="trace_below"):
        st.toggle("Draw everything on offer", key=_ALL, help=_drawn(picture))
        trace_footer.footer(trace)


def views(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """The panels that a trace has something for; the same at each of its steps."""
    arrived = any(isinstance(step, Offered) and step.arrivals for step in steps)
    nested = sum(isinstance(step, Asked) for step in steps) > 1
    spoken = any(isinstance(step, Said) for step in steps)
    found = {"Step": True, "Visits": arrived, "Questions": nested, "Transcript": spoken}
    return (*(name for name, there in found.items() if there), "Details")


def _begin(trace: Trace) -> None:
    """A trace that was not on the screen before has nothing selected."""
    shown = trace.created, trace.steps[0]
    if st.session_state.get(_SHOWN) != shown:
        st.session_state[_SHOWN] = shown
        st.session_state[_VIEW] = "Step"
        graph_view.select(GRAPH, None)


def _drawn(picture: Picture) -> str:
    drawn = len(picture.nodes)
    return (
        f"{drawn} of {drawn + picture.left_out} nodes are drawn: those that were reached, gold, "
        f"and the best {REFUSED} refused at each place; with this switch all, up to {CAP}."
    )


def _moving(
    picture: Picture, marks: GoldMarks, index: Index | None, every: float | None, linked: bool
) -> None:
    steps = picture.trace.steps
    player.tick(steps)
    if player.interval() != every:
        # Whether a fragment reruns by itself is decided in a run of the whole page.
        st.rerun()
    t = player.position(steps)
    now = frame_at(steps, t)
    grain = player.grain(steps)
    whole = round_at(steps, t) if grain != "event" else None
    gold = marks.among(picture.trace.passages.values())
    spec = Spec.known(picture.trace.retriever)
    parts = spec.parts if spec else {}
    names = Names(picture.title, gold, picture.lines.keys(), parts)
    if linked:
        asked_trace.write_step(t, grain)
    with st.container(key="trace_top"):
        player.controls(steps)
        st.html(
            boards.story(_story(picture, t, whole), t, len(steps))
            + boards.gold_line(gold_rows(picture, now, marks, index))
        )
    looks = paint(picture, now, frozenset(names.gold), whole)
    graph_view.paint_graph(GRAPH, looks, on_select=_show_selected)
    with st.container(key="trace_side"):
        with st.container(horizontal=True, key="trace_views"):
            offered = views(steps)
            if st.session_state.get(_VIEW) not in offered:
                st.session_state[_VIEW] = offered[0]
            view = st.segmented_control(
                "Panels", offered, key=_VIEW, required=True, label_visibility="collapsed"
            )
            if linked:
                _link()
        _panel(view, now, whole, names, queued=any(name == "Visits" for name in offered))
        if view == "Details":
            with st.container(key="trace_details"):
                show_details(picture, now, graph_view.selection(GRAPH), marks, index)


def _link() -> None:
    """The address of this very view, which the browser has too."""
    parts = urlsplit(st.context.url or "")
    address = parts._replace(query=urlencode(st.query_params.to_dict()), fragment="")
    with st.popover("Link", key="trace_link"):
        st.code(urlunsplit(address), language=None, wrap_lines=True)


def _story(picture: Picture, t: int, whole: Round | None) -> str:
    if whole and isinstance(picture.trace.steps[t - 1], Offered) and whole.began.waiting:
        return round_sentence(whole)
    return sentence(picture.trace.steps, t, picture.title)


def _panel(
    view: str | None, now: Frame, whole: Round | None, names: Names, *, queued: bool
) -> None:
    """The panel of a view; `queued` says that there is a queue to be shown at every step."""
    match view:
        case "Step":
            _step(now, whole, names, queued=queued)
        case "Visits":
            st.html(boards.visits(now, names))
        case "Questions":
            st.html(outline.outline(now, names))
        case "Transcript":
            st.html(said.transcript(now, names))


def _step(now: Frame, whole: Round | None, names: Names, *, queued: bool) -> None:
    ended = isinstance(now.step, Ranked)
    moving = "" if ended else step_panel(now, whole, names)
    queue = boards.queue(now, whole, names) if queued and not ended else ""
    with st.container(key="trace_moving_queued" if queued else "trace_moving"):
        st.html(queue + moving + standing.ranking_head(now, names))
    with st.container(key="trace_result" if ended else "trace_ranking"):
        st.html(standing.ranking(now, names))


def _show_selected() -> None:
    if graph_view.selection(GRAPH):
        st.session_state[_VIEW] = "Details"
