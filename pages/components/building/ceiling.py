"""What the graph of an index can reach at best, by the questions that came with it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.artefacts.workbench import Workbench
from core.ceiling.hubs import hubs
from core.ceiling.measures import CeilingReport
from core.ceiling.measuring import ceiling
from core.ceiling.reach import HOPS
from core.ceiling.words import groups, lost_rows, reach_rows, reading
from core.store.index import Index
from core.text.display import plurals
from core.types import Query
from pages.components.shell import layout, nav
from pages.components.shell.figures import show_figures
from pages.components.shell.glossary import hint

_ASKED = 100  # questions at most, so that nobody waits for long
_AT_ONCE = 20_000  # passages times questions that take about a second
_ROWS = 12  # of a table; more are scrolled
_WANTED = "build_ceiling_wanted"


def show_ceiling(workbench: Workbench) -> None:
    """Draw the panel; measure once per version, at once if cheap and else on a click."""
    index = workbench.index
    known = [question for question in index.questions if question.gold]
    if not known:
        _explain_missing_gold(index)
        return
    asked = _sample_questions(known)
    version = (index.name, index.meta.finished_at)
    cheap = len(asked) * len(index.passages) <= _AT_ONCE
    if cheap or st.session_state.get(_WANTED) == version:
        _show(_measure_ceiling(*version, workbench), len(known))
        return
    st.text(
        "Measures how many gold passages lie within a few hops of the seeds, and which misses are "
        "due to the graph."
    )
    st.button(
        f"Measure with {plurals.number(len(asked), 'question')}",
        key="build_ceiling",
        on_click=lambda: st.session_state.update({_WANTED: version}),
    )


def show_hubs(index: Index) -> None:
    """Show the passages with the most edges; nothing if no passage stands out."""
    found = hubs(index)
    if not found or len(found) == len(index.ids):
        return
    with st.expander(f"{plurals.number(len(found), 'hub')}: the passages with the most edges"):
        st.dataframe(
            pd.DataFrame(
                {
                    "Passage": [hub.title or hub.passage_id for hub in found],
                    "Edges": [hub.arriving + hub.leaving for hub in found],
                    "Arriving": [hub.arriving for hub in found],
                    "Leaving": [hub.leaving for hub in found],
                }
            ),
            hide_index=True,
        )


@st.cache_resource(show_spinner="Running the index's questions…", max_entries=8)
def _measure_ceiling(name: str, finished_at: str, _workbench: Workbench) -> CeilingReport:  # noqa: ARG001
    known = [question for question in _workbench.index.questions if question.gold]
    return ceiling(_sample_questions(known), _workbench)


def _sample_questions(questions: Sequence[Query]) -> list[Query]:
    """Return at most `_ASKED` questions, evenly spaced."""
    kept = min(_ASKED, len(questions))
    return [questions[number * len(questions) // kept] for number in range(kept)]


def _explain_missing_gold(index: Index) -> None:
    """Explain what to do if nothing can be measured."""
    st.text(
        "Reach needs questions with gold, and this index has none. Rebuild it with a question "
        "file next to the documents. Or ask a question and mark its gold passages: the "
        "walkthrough then shows how many hops away the missed ones are."
    )
    if st.button("Ask a question", key="build_reach_ask"):
        nav.go("trace", index=index.name)


def _show(found: CeilingReport, known: int) -> None:
    """Show how much gold is within reach of the graph, and where it was lost."""
    missed, shares = found.missed(), found.shares(found.way)
    show_figures(
        (
            *(
                (
                    f"Gold within {plurals.number(hops, 'hop')}",
                    f"{shares.gold[hops]:.1f}%",
                    f"all passages: {f'{shares.passages[hops]:.1f}'.removesuffix('.0')}%",
                )
                for hops in (1, HOPS)
            ),
            ("Questions", f"{shares.complete[HOPS]:.1f}%", f"with all gold within {HOPS} hops"),
            ("Lost by the graph", f"{missed.losses.get('graph', 0):,}", "gold out of reach"),
            (
                "Lost by the walk",
                f"{missed.walk:,}",
                "edge not followed, or ranked below the cut-off",
            ),
        ),
        {
            f"Gold within {plurals.number(1, 'hop')}": "gold",
            f"Gold within {plurals.number(HOPS, 'hop')}": "gold",
            "Lost by the graph": "missed",
            "Lost by the walk": "missed",
        },
    )
    st.text(reading(found))
    _show_reach(found)
    _show_lost(found)
    of = f"{len(found.rows):,} of {known:,}" if len(found.rows) < known else f"{known:,}"
    st.caption(
        layout.literal(
            f"Measured on the {of} questions in this index that have gold. No walk can find "
            "gold that is out of reach. A high ceiling means little if it takes visiting "
            "most passages."
        )
    )
    if found.unknown_gold:
        st.warning(
            layout.literal(
                f"Not in this index, so counted as missed: "
                f"{plurals.number(len(found.unknown_gold), 'gold id')}, "
                f"such as {found.unknown_gold[0]}"
            )
        )


def _show_lost(found: CeilingReport) -> None:
    """Show a table of where gold is lost: a row per cause, a column per data set."""
    rows = list(lost_rows(found))
    names = groups(found).values()
    counts = zip(*(row.counts for row in rows), strict=True)
    st.dataframe(
        pd.DataFrame(
            {
                "what": [f"\u2003{row.name}" if row.part else row.name for row in rows],
                **{f"{number}": each for number, each in enumerate(counts)},
            }
        ),
        hide_index=True,
        height="content",
        width="content",
        column_config={
            "what": st.column_config.Column("Where gold is lost", width=280, help=hint("stage")),
            **{
                f"{number}": st.column_config.NumberColumn(name, width=110)
                for number, name in enumerate(names)
            },
        },
    )


def _show_reach(found: CeilingReport) -> None:
    """Show a table with the percentage of gold that is reachable from the seeds within each number
    of hops.
    """
    rows = list(reach_rows(found))
    levels = {f"h{h}": [row.percent[h] for row in rows] for h in range(HOPS + 1)}
    several = {"dataset": [row.dataset for row in rows]} if len(groups(found)) > 1 else {}
    heads = {"h0": "Seeds", "h1": "1 hop", **{f"h{h}": f"{h} hops" for h in range(2, HOPS + 1)}}
    st.dataframe(
        pd.DataFrame(
            {
                **several,
                "edges": [row.edges for row in rows],
                "of": [row.of for row in rows],
                **levels,
            }
        ),
        hide_index=True,
        height=38 + 35 * min(len(rows), _ROWS),
        column_config={
            "edges": st.column_config.Column("Edges walked", width=125, help=hint("edge")),
            "dataset": st.column_config.Column("Data set", width=85),
            "of": st.column_config.Column("Percent", width=230),
            **{
                key: st.column_config.NumberColumn(
                    head, format="%.1f", width=62, help=hint("seed") if key == "h0" else hint("hop")
                )
                for key, head in heads.items()
            },
        },
    )
