"""Buttons below a trace that save it."""

import re

import streamlit as st

from core.api.showing import story_of
from core.drawing.export import for_excel
from core.funnel.lists import Lists
from core.spans.export import export_spans
from core.store.index import Index
from core.traces import Trace, dump
from core.traces.table import ranking_csv
from pages.components.passages.gold import GoldMarks
from pages.components.trace.story import story_button


def save_buttons(
    trace: Trace,
    marks: GoldMarks,
    index: Index | None,
    lists: Lists | None = None,
    fix: str = "",
) -> None:
    """Draw the buttons that save the trace with the current gold marks, in three formats.

    `fix` is the smallest change that retrieves missed gold, for the page's last stop.
    """
    gold = marks.now()
    marked = trace.with_gold(gold)
    name = "-".join(re.findall(r"\w+", f"{trace.index} {trace.retriever}"))
    st.download_button(
        "Save the trace",
        lambda: dump(marked),
        file_name=f"trace-{name}.jsonl",
        mime="application/jsonl",
        key="trace_save",
        on_click="ignore",
    )
    st.download_button(
        "Save the table",
        lambda: ranking_csv(marked),
        file_name=f"ranking-{name}.csv",
        mime="text/csv",
        key="trace_table",
        on_click="ignore",
        help="Every ranked passage: rank, score with its parts, and whether it is gold (CSV).",
    )
    st.download_button(
        "Save the table for Excel",
        lambda: for_excel(ranking_csv(marked)),
        file_name=f"ranking-{name}-excel.csv",
        mime="text/csv",
        key="trace_table_excel",
        on_click="ignore",
        help="The same table with a byte order mark, so that Excel reads it as UTF-8.",
    )
    st.download_button(
        "Save as spans",
        lambda: export_spans(marked),
        file_name=f"spans-{name}.json",
        mime="application/json",
        key="trace_spans",
        on_click="ignore",
        help="OTLP JSON with OpenInference attributes, which Phoenix reads at /v1/traces.",
    )
    story_button(
        marked.query,
        f"story-{name}.html",
        lambda framing: story_of(marked, gold, index, lists, fix=fix, framing=framing),
    )
