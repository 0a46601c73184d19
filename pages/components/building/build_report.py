"""What a build made: the paper's Table 7, the graph's shape, and a sample of its questions."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.artefacts.workbench import Workbench
from core.colours import FILLS
from core.corpus.gold.near_titles import MOST_TITLES, named_in, near_titles, suggestions
from core.evidence import gold_told, with_evidence_as_gold
from core.funnel.reach import passages_of_gold_id
from core.graph_report import Degrees, GraphReport, report
from core.store.graph_limits import GraphLimits
from core.store.index import Index
from core.store.metadata import Meta
from core.store.notices import (
    extraction_notice,
    hub_notice,
    repeats_notice,
    supplied_notice,
    supplied_warning,
)
from core.text.display.plurals import agreeing, number
from core.text.display.shares import percent
from core.text.import_sources import GRAPH
from pages.components.shell import layout
from pages.components.shell.charts import show_chart
from pages.components.shell.figures import show_figures
from pages.components.shell.formatting import cropped
from pages.components.shell.glossary import hint

_DIRECTIONS = {"in": "answered", "out": "raised"}
_ORPHANS = 200  # that are listed
_TEXT = 200  # characters of the text of one
_LOST_SHARE = 0.02  # of the evidence: a larger share that no passage holds is a warning
_YES = {True: "yes", False: "no", None: "–"}


def report_of(workbench: Workbench) -> GraphReport:
    """Return the report of an open index, computed once a version."""
    index = workbench.index
    return _report(index.name, index.meta.finished_at, index)


@st.cache_resource(show_spinner="Measuring the graph…", max_entries=8)
def _report(name: str, finished_at: str, _index: Index) -> GraphReport:  # noqa: ARG001
    return report(_index)


def show_report(index: Index, found: GraphReport, dropped: int) -> None:
    """Show the index's sizes, connectedness and degrees.

    Parameters
    ----------
    dropped : out-questions that the last job left out, as their own passage answers them.
    """
    counts, limits = found.counts, index.meta.limits
    st.table(
        pd.DataFrame(
            {
                "Index": [layout.literal(index.name)],
                "Documents": [f"{counts.documents:,}"],
                "Passages": [f"{counts.vertices:,}"],
                "Edges": [f"{counts.edges:,}"],
                "Average text length": [f"{counts.text_length:,.1f}"],
                "Average out-degree": [f"{counts.out_degree:.2f}"],
                "Dropped edges": [f"{counts.dropped_edges:,}"],
            }
        ),
        hide_index=True,
        border="horizontal",
    )
    kept = (
        "All edges in the file that join two passages are kept."
        if index.meta.maker.startswith(GRAPH)
        else f"The graph keeps at most {limits.edges} edges (n = passages with pseudo-queries) and "
        "drops the least similar."
    )
    st.caption(
        "The same measures as Table 7 of the paper (vertex = passage). Text length is in "
        f"characters. {kept}"
    )
    _connectedness(found, limits)
    if dropped:
        st.caption(
            f"Dropped {number(dropped, 'out-question')} from the model: their own passage "
            "answers them, so an edge would lead nowhere new."
        )
    left, right = st.columns(2)
    with left:
        show_chart(_degree_chart(found.out_degrees, "Out-degree: outgoing edges"))
    with right:
        show_chart(_degree_chart(found.in_degrees, "In-degree: incoming edges"))
    _orphans(index, found.orphans)


def show_sparse(found: GraphReport) -> None:
    """Explain why most passages have no edge, and how to fix it; nothing if most have one."""
    orphans, passages = len(found.orphans), found.counts.vertices
    if 2 * orphans <= passages:
        return
    st.warning(
        f"{orphans:,} of {passages:,} passages have no edges, so a walk cannot reach or leave "
        "them. An edge joins an out-question of one passage to an in-question of another that "
        f"shares keywords. {_cause(found)} BM25, dense and hybrid retrieval do not need edges."
    )


def _cause(found: GraphReport) -> str:
    """Return why passages have no edge, and what to do."""
    if hubs := hub_notice(found.counts):
        return layout.literal(hubs)
    return (
        "Likely causes: the texts use different names for the same things, contain lists or "
        "tables instead of sentences, or have unrelated topics. Generate the pseudo-queries with "
        "a language model (see Settings), or add documents about the same people, places and "
        "things."
    )


def show_notices(found: GraphReport) -> None:
    """Show names that join no passages, and repeated texts, if any."""
    sparse = 2 * len(found.orphans) > found.counts.vertices  # `show_sparse` tells of hubs then
    hubs = "" if sparse else hub_notice(found.counts)
    for notice in filter(None, (hubs, repeats_notice(found.counts))):
        st.caption(layout.literal(notice))


def show_supplied(meta: Meta) -> None:
    """Show which passages have vectors, entities or triples from files, and whether they fit."""
    if warning := supplied_warning(meta):
        st.warning(layout.literal(warning))
    for notice in filter(None, (supplied_notice(meta), extraction_notice(meta))):
        st.caption(layout.literal(notice))


def show_gold_mapping(index: Index) -> None:
    """Show the kinds of gold of the index's questions, and how their evidence was located."""
    questions = [with_evidence_as_gold(query) for query in index.questions]
    if not any(query.gold for query in questions):
        return
    whole = [name for query in questions if not query.evidence for name in query.gold]
    told = layout.literal(
        gold_told(questions, sum(not passages_of_gold_id(one, index, {}) for one in whole))
    )
    found = [bool(each.parts) for query in questions for each in query.evidence]
    few = found.count(False) <= _LOST_SHARE * len(found)
    (st.caption if few else st.warning)(told)
    for suggestion in _near_titles(index.name, index.meta.finished_at, index):
        st.caption(layout.literal(suggestion))


@st.cache_resource(show_spinner=False, max_entries=8)
def _near_titles(name: str, finished_at: str, _index: Index) -> list[str]:  # noqa: ARG001
    """Return similar titles for gold that matches no document of an index."""
    if len(_index.documents) > MOST_TITLES:
        return []
    references = (
        one
        for query in _index.questions
        for one in named_in(query)
        if one not in _index.number and one not in _index.document_passages
    )
    return suggestions(near_titles(references, (each.title for each in _index.documents)))


def _connectedness(found: GraphReport, limits: GraphLimits) -> None:
    """Show the numbers of components, orphans, and passages with few pseudo-queries."""
    orphans = len(found.orphans)
    counts = found.counts
    few = f"{agreeing(counts.short_out_coming, 'passage')} with fewer than "
    few += number(limits.least_out, "out-question")
    if 2 * counts.short_out_coming > counts.vertices:  # as rules make them, sentence by sentence
        few += " (common in short passages; one is enough)"
    show_figures(
        (
            (
                "Components",
                f"{found.components:,}",
                agreeing(found.components, "connected component"),
            ),
            ("In the largest", percent(found.largest_share), "of all passages"),
            ("Orphans", f"{orphans:,}", f"{agreeing(orphans, 'passage')} without edges"),
            ("Few out-questions", f"{counts.short_out_coming:,}", few),
            (
                "Few in-questions",
                f"{counts.short_in_coming:,}",
                f"{agreeing(counts.short_in_coming, 'passage')} with fewer than "
                f"{number(limits.least_in, 'in-question')}",
            ),
        ),
        {
            "Orphans": "orphan",
            "Few out-questions": "pseudo_query",
            "Few in-questions": "pseudo_query",
        },
    )


def _orphans(index: Index, orphans: Sequence[str]) -> None:
    """Show the passages without edges; nothing if there are none."""
    if orphans:
        with st.expander(f"{number(len(orphans), 'orphan')}: passages without edges"):
            alone = [index.titled(name) for name in orphans[:_ORPHANS]]
            rows = [(each.title or each.id, cropped(each.text, _TEXT)) for each in alone]
            st.dataframe(pd.DataFrame(rows, columns=["Passage", "Text"]), hide_index=True)


def _degree_chart(degrees: Degrees, title: str) -> alt.Chart:
    """Chart the number of passages with each number of edges."""
    degree = np.array(degrees.degree)
    data = pd.DataFrame(
        {
            "degree": degree,
            "from": degree - 0.4,
            "to": degree + 0.4,
            "vertices": degrees.vertices,
        }
    )
    last, most = int(degree.max()), max(degrees.vertices)
    chart: alt.Chart = (
        alt.Chart(data, title=alt.TitleParams(title, anchor="start", fontSize=14, offset=10))
        .mark_bar(color=FILLS["first"].of(st.context.theme.type))
        .encode(
            x=alt.X(
                "from:Q",
                bin="binned",
                title="Edges",
                scale=alt.Scale(domain=[-0.6, last + 0.6], nice=False),
                axis=alt.Axis(values=_ticks(last), grid=False),
            ),
            x2=alt.X2("to:Q"),
            y=alt.Y(
                "vertices:Q",
                title="Passages",
                scale=alt.Scale(domain=[0, 1.08 * most], nice=False),
                axis=alt.Axis(tickMinStep=1, format="d"),
            ),
            tooltip=[
                alt.Tooltip("degree:Q", title="edges"),
                alt.Tooltip("vertices:Q", title="passages", format=","),
            ],
        )
        .properties(height=190)
    )
    return chart


def _ticks(last: int) -> list[int]:
    """Return about ten whole numbers at most, from 0 to `last`."""
    return list(range(0, last + 1, max(1, -(-last // 10))))


def show_questions(index: Index, found: GraphReport) -> None:
    """Show the sampled pseudo-queries with their defects."""
    sampled = len(found.questions)
    show_figures(
        (
            (
                "Duplicated",
                percent(found.duplicated_share),
                f"of {sampled} sampled: identical to another pseudo-query of the same kind",
            ),
            (
                "Answered by their own passage",
                percent(found.own_share),
                f"of {found.out_coming} out-questions: all their keywords are in one in-question "
                "of the same passage",
            ),
        )
    )
    st.dataframe(
        pd.DataFrame(
            {
                "direction": [_DIRECTIONS[each.direction] for each in found.questions],
                "duplicated": [_YES[each.duplicated] for each in found.questions],
                "own": [_YES[each.own] for each in found.questions],
                "passage": [index.titled(each.passage_id).title for each in found.questions],
                "question": [each.text for each in found.questions],
            }
        ),
        hide_index=True,
        height=420,
        column_config={
            "direction": st.column_config.Column("Direction", width=95),
            "question": st.column_config.Column("Pseudo-query", help=hint("pseudo_query")),
            "passage": st.column_config.Column("Passage", width=170, help=hint("passage")),
            "duplicated": st.column_config.Column("Duplicated", width=90),
            "own": st.column_config.Column("Own answer", width=95),
        },
    )
    counts = found.counts
    st.caption(
        f"{sampled} of {counts.in_coming + counts.out_coming:,} pseudo-queries "
        f"({number(counts.in_coming, 'in-question')}, "
        f"{number(counts.out_coming, 'out-question')}). The sample "
        "changes only when the graph changes."
    )
