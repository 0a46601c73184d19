"""A flow chart of lost gold: stage by stage for one retriever, or between two retrievers."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.colours import FILLS, INK
from core.funnel.flow import Flow, Link, Node, between, through
from core.funnel.stages import STAGES, meaning
from core.runs import Run, Runs
from core.runs.analysis.stage_flows import stage_pairs
from pages.components.evaluate.column_names import badged
from pages.components.evaluate.result_import import STEPS
from pages.components.evaluate.state import change, press, viewed
from pages.components.shell import layout
from pages.components.shell.client_input.selections import selected_item
from pages.components.shell.glossary import hint

_KEPT, _LOST = FILLS["found-fill"].light, FILLS["lost-fill"].light
_GATE = "#7a7f87"
_HEIGHT, _BELOW = 350, 52  # pixels; below stand the names of what was lost
_LINE = 20  # characters of a name on a line


def show_funnel(runs: Runs, run: Run, row: DeltaGenerator) -> None:
    """Draw the flow of one retriever, or between two chosen in `row`; a click lists questions."""
    known = [name for name in run.retrievers if runs.stages(run.id, name)]
    if not known:
        st.caption(
            "No loss analysis: this run was imported, so its intermediate steps are unknown. "
            f"{STEPS}"
        )
        return
    with row:
        one = _choose("Retriever", "retriever", known, badged, 190)
        others = ["", *(name for name in known if name != one)]
        beside = _choose("Beside", "beside", others, _beside_label, 130)
    if beside:
        flow = between(stage_pairs(runs, run.id, one, beside))
    else:
        flow = through(runs.stages(run.id, one), one)
    key = f"evaluate_flow_{run.id}_{one}_{beside}"
    st.echarts_chart(
        drawn(flow, INK.of(st.context.theme.type)),
        key=key,
        height=_HEIGHT,
        renderer="svg",
        on_select=partial(_list_questions, key, flow),
        alt=told(flow),
    )
    sides = f"Left: {badged(one)}. Right: {badged(beside)}. " if beside else ""
    told_below = f"{sides}Select a stage or a stream to list its questions."
    st.caption(layout.literal(told_below), help=hint("stage"))


def _beside_label(name: str) -> str:
    return f"beside {badged(name)}" if name else "by itself"


def _choose(label: str, name: str, names: list[str], said: Callable[[str], str], width: int) -> str:
    """Draw a select box of retrievers, and store the choice in the address."""
    key, now = f"evaluate_funnel_{name}", getattr(viewed(), name)
    st.session_state[key] = now = now if now in names else names[0]
    st.selectbox(
        label,
        names,
        key=key,
        format_func=said,
        label_visibility="collapsed",
        width=width,
        on_change=lambda: change(**{name: st.session_state[key], "stages": "", "there": ""}),
    )
    return str(now)


def drawn(flow: Flow, letters: str) -> dict[str, Any]:
    """Return the ECharts option of a flow; `letters` is the text colour.

    Nodes and links as the flow has them.
    """
    lost = Counter(node.column for node in flow.nodes if node.lost)
    through = any(node.name == "gold" for node in flow.nodes)
    last = max((node.column for node in flow.nodes), default=0)
    alone = {node.name for node in flow.nodes if through and node.lost and lost[node.column] == 1}
    ends = {node.name for node in flow.nodes if node.column == last}
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
                "right": 130 if through else 190,
                "top": 8,
                "bottom": _BELOW if through else 8,
                "label": {"color": letters, "fontSize": 13, "lineHeight": 16},
                "lineStyle": {"color": "target", "opacity": 0.35},
                "data": [
                    _node(node, _size(node, flow), node.name in alone, node.name in ends)
                    for node in flow.nodes
                ],
                "links": [_link(link, flow) for link in flow.links],
            }
        ],
    }


def told(flow: Flow) -> str:
    """Describe a flow in words, for screen readers."""
    counts = [f"{node.said} {_size(node, flow):,}" for node in flow.nodes]
    return f"Gold by stage of loss: {', '.join(counts)}."


def _node(node: Node, size: int, alone: bool, last: bool) -> dict[str, Any]:
    """Return a node with its label.

    Parameters
    ----------
    alone : whether it is the only lost one of its column. Its label has several lines, below it so
        that it does not cross the next column.
    last : whether it is in the last column, where another node may stand below it.
    """
    end = node.name in STAGES or node.name.startswith(("a:", "b:"))
    kept = node.name.removeprefix("a:").removeprefix("b:") in ("kept", "result")
    said, means = f"{node.said} {size:,}", meaning(node.name.partition(":")[2] or node.name)
    colour = _LOST if node.lost else _KEPT if kept else _GATE
    return {
        "name": node.name,
        "depth": node.column,
        "itemStyle": {"color": colour},
        "tooltip": {"formatter": f"{node.said}: {size:,}{f'. {means}' if means else ''}"},
        "label": {
            "formatter": "\n".join(wrap(said, _LINE)) if alone else said,
            "position": "bottom" if alone and not last else "right",
            "fontWeight": "bold" if end else "normal",
        },
    }


def _link(link: Link, flow: Flow) -> dict[str, Any]:
    """Return a link of the flow as ECharts data, with its count in a tooltip."""
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


def _list_questions(key: str, flow: Flow) -> None:
    """List the questions behind the clicked node or link."""
    found = selected_item(st.session_state[key], flow.nodes, flow.links)
    if found:
        press(stages=",".join(found.one), there=",".join(found.other))
