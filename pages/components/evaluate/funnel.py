"""Where gold was lost: from gate to gate by one retriever, or from stage to stage by two."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.funnel.data import STAGES
from core.funnel.flow import Flow, Link, Node, between, through
from core.runs import Run, Runs, Where
from core.runs.flows import questions_at, stage_pairs
from pages.components.evaluate import picks
from pages.components.evaluate.names import badged, named
from pages.components.shell import frame
from pages.components.shell.words import count

_ONE, _OTHER = "evaluate_funnel_one", "evaluate_funnel_other"
_NOBODY = "nobody"
_KEPT, _LOST, _GATE = "#009E73", "#D55E00", "#7a7f87"
_HEIGHT = 330


def show_funnel(runs: Runs, run: Run) -> None:
    """The flow of one retriever, or between two; what is clicked is listed below."""
    known = [name for name in run.retrievers if runs.stages(run.id, name)]
    if not known:
        st.caption("Nothing is known of where these rankings lost gold: they were made elsewhere.")
        return
    with st.container(horizontal=True, gap="small", key="evaluate_funnel"):
        one = st.selectbox("Funnel of", known, key=_ONE, format_func=badged, width=300)
        others = [_NOBODY, *(name for name in known if name != one)]
        other = st.selectbox(
            "Beside",
            others,
            key=_OTHER,
            format_func=lambda name: name if name == _NOBODY else badged(name),
            width=300,
        )
    beside = "" if other == _NOBODY else other
    if beside:
        flow = between(stage_pairs(runs, run.id, one, beside))
    else:
        flow = through(runs.stages(run.id, one))
    key = f"evaluate_flow_{run.id}_{one}_{beside}"
    st.echarts_chart(
        drawn(flow),
        key=key,
        height=_HEIGHT,
        renderer="svg",
        on_select=partial(_take, key, runs, run, one, beside, flow),
        alt=told(flow),
    )
    sides = f"On the left {badged(one)}, on the right {badged(beside)}. " if beside else ""
    st.caption(frame.literal(f"{sides}Click a stage or a stream to list its questions."))


def drawn(flow: Flow) -> dict[str, Any]:
    """The option of ECharts; nodes and links in the order of the flow."""
    return {
        "tooltip": {"trigger": "item"},
        "series": [
            {
                "type": "sankey",
                "selectedMode": "single",
                "draggable": False,
                "emphasis": {"focus": "adjacency"},
                "nodeAlign": "left",
                "nodeGap": 14,
                "left": 8,
                "right": 190,
                "top": 8,
                "bottom": 8,
                "lineStyle": {"color": "target", "opacity": 0.35},
                "data": [_node(node, _size(node, flow)) for node in flow.nodes],
                "links": [_link(link, flow) for link in flow.links],
            }
        ],
    }


def told(flow: Flow) -> str:
    """The same in words."""
    counts = [f"{node.said} {_size(node, flow):,}" for node in flow.nodes]
    return f"Gold by where it was lost: {', '.join(counts)}."


def _node(node: Node, size: int) -> dict[str, Any]:
    end = node.name in STAGES or node.name.startswith(("a:", "b:"))
    kept = node.name.removeprefix("a:").removeprefix("b:") in ("kept", "result")
    colour = _LOST if node.lost else _KEPT if kept else _GATE
    return {
        "name": node.name,
        "depth": node.column,
        "itemStyle": {"color": colour},
        "tooltip": {"formatter": f"{node.said}: {size:,}"},
        "label": {"formatter": f"{node.said} {size:,}", "fontWeight": "bold" if end else "normal"},
    }


def _link(link: Link, flow: Flow) -> dict[str, Any]:
    said = {node.name: node.said for node in flow.nodes}
    text = f"{said[link.source]} → {said[link.target]}: {link.count:,}"
    return {
        "source": link.source,
        "target": link.target,
        "value": link.count,
        "tooltip": {"formatter": text},
    }


def _size(node: Node, flow: Flow) -> int:
    coming = sum(link.count for link in flow.links if link.target == node.name)
    return coming or sum(link.count for link in flow.links if link.source == node.name)


def _take(key: str, runs: Runs, run: Run, one: str, other: str, flow: Flow) -> None:
    """List the questions of what was clicked."""
    selected = st.session_state[key].selection.selected
    if found := _clicked(selected, flow):
        picks.put(pick(runs, run, one, other, found))


def _clicked(selected: list[Mapping[str, Any]], flow: Flow) -> Node | Link | None:
    for group in selected:
        for number in map(int, group["data_indices"]):
            return flow.links[number] if group.get("data_type") == "edge" else flow.nodes[number]
    return None


def pick(runs: Runs, run: Run, one: str, other: str, found: Node | Link) -> picks.Pick:
    """The questions of a stage, a gate or a stream."""
    of_both = [
        (one, found.one),
        *([(other, found.other)] if other else []),
    ]
    said = [
        f"{named(name)}: {', '.join(STAGES[stage] for stage in at)}" for name, at in of_both if at
    ]
    title = "; ".join(said)
    if not other:
        return picks.Pick(run.id, one, title, Where(stages=found.one))
    ids = questions_at(runs, run.id, (one, found.one), (other, found.other))
    listed = one if found.one else other
    return picks.Pick(
        run.id, listed, f"{title} ({count(len(ids), 'question')})", Where(questions=ids)
    )
