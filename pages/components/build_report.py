"""What a build made: the paper's Table 7, the graph's shape, and a sample of its questions."""

import altair as alt
import pandas as pd
import streamlit as st

from core.graph.report import Degrees, Report, report
from core.retrievers import Workbench
from core.store.index import Index
from pages.components import frame
from pages.components.words import count, percent

_DIRECTIONS = {"in": "in-coming", "out": "out-coming"}


def report_of(workbench: Workbench) -> Report:
    """The report of an open index, computed once a version."""
    index = workbench.index
    return _report(index.name, index.meta.finished_at, index)


@st.cache_resource(show_spinner="Measuring the graph…", max_entries=8)
def _report(name: str, finished_at: str, _index: Index) -> Report:  # noqa: ARG001
    return report(_index)


def show_report(name: str, found: Report) -> None:
    """Sizes, connectedness and degrees."""
    counts = found.counts
    st.table(
        pd.DataFrame(
            {
                "Index": [frame.literal(name)],
                "Documents": [f"{counts.documents:,}"],
                "Vertices": [f"{counts.vertices:,}"],
                "Edges": [f"{counts.edges:,}"],
                "Average text length": [f"{counts.text_length:,.1f}"],
                "Average out-degree": [f"{counts.out_degree:.2f}"],
                "Dropped edges": [f"{counts.dropped_edges:,}"],
            }
        ),
        hide_index=True,
        border="horizontal",
    )
    st.caption(
        "As in the paper’s Table 7. A vertex is a passage, its length is in characters; edges "
        "beyond n ln n are dropped, the least similar first."
    )
    left, right = st.columns(2)
    with left:
        st.altair_chart(_degree_chart(found.out_degrees, "Out-degree: edges that leave", "#0072B2"))
    with right:
        st.altair_chart(_degree_chart(found.in_degrees, "In-degree: edges that end", "#56B4E9"))
    _connectedness(found)


def _connectedness(found: Report) -> None:
    orphans = len(found.orphans)
    figures = (
        ("Components", f"{found.components:,}", "Passages that edges join, whatever their way"),
        ("In the largest", percent(found.largest_share), "Share of all passages"),
        ("Orphans", f"{orphans:,}", "Passages with no edge at all: no hop reaches or leaves them"),
        (
            "Few out-coming",
            f"{found.counts.short_out_coming:,}",
            "Passages with fewer than 4 out-coming questions, the paper's least",
        ),
        (
            "Few in-coming",
            f"{found.counts.short_in_coming:,}",
            "Passages with fewer than 2 in-coming questions, the paper's least",
        ),
    )
    for column, (label, value, note) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(label, value, help=note)
    if orphans:
        with st.expander(count(orphans, "orphan")):
            st.dataframe(pd.DataFrame({"Passage": found.orphans[:1000]}), hide_index=True)


def _degree_chart(degrees: Degrees, title: str, colour: str) -> alt.Chart:
    data = pd.DataFrame({"degree": degrees.degree, "vertices": degrees.vertices})
    return (
        alt.Chart(data, title=alt.TitleParams(title, anchor="start", fontSize=14, offset=10))
        .mark_bar(color=colour, width={"band": 0.8})
        .encode(
            x=alt.X("degree:Q", title="Edges", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("vertices:Q", title="Passages", axis=alt.Axis(tickMinStep=1)),
            tooltip=[
                alt.Tooltip("degree:Q", title="edges"),
                alt.Tooltip("vertices:Q", title="passages", format=","),
            ],
        )
        .properties(height=210)
    )


def show_questions(index: Index, found: Report) -> None:
    """The sampled pseudo-queries with what is poor about them."""
    sampled = len(found.questions)
    left, right, _ = st.columns([1, 1, 2])
    left.metric(
        "Duplicated",
        percent(found.duplicated_share),
        help=f"Of {sampled} sampled questions: another of the same direction has the same text",
    )
    right.metric(
        "Answered by their own passage",
        percent(found.own_share),
        help=f"Of the {found.out_coming} out-coming ones: all their keywords are in one in-coming "
        "question of the same passage, so that it has a sentence on what they ask",
    )
    st.dataframe(
        pd.DataFrame(
            {
                "direction": [_DIRECTIONS[each.direction] for each in found.questions],
                "question": [each.text for each in found.questions],
                "passage": [index.passage(each.passage_id).title for each in found.questions],
                "duplicated": [each.duplicated for each in found.questions],
                "own": [bool(each.own) for each in found.questions],
            }
        ),
        hide_index=True,
        height=420,
        column_config={
            "direction": st.column_config.Column("Direction", width="small"),
            "question": st.column_config.Column("Question", width="large"),
            "passage": st.column_config.Column("Passage", width="medium"),
            "duplicated": st.column_config.CheckboxColumn("Duplicated", width="small"),
            "own": st.column_config.CheckboxColumn("Answered by its own", width="small"),
        },
    )
    counts = found.counts
    st.caption(
        f"{sampled} of {counts.in_coming + counts.out_coming:,} pseudo-queries "
        f"({counts.in_coming:,} in-coming, {counts.out_coming:,} out-coming), the same ones "
        "whenever the graph is the same."
    )
