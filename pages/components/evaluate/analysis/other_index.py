"""A comparison with a run of another index of the same corpus: gold found, tokens read."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.evaluation.paired import NO_INTERVAL, interval_text
from core.library.catalogue import Listed
from core.marks.store import question_key
from core.runs import Run, Runs
from core.runs.analysis.cross_index import BUDGET, COUNTED, CrossIndex, Line, Side
from core.store.index import Index
from core.types import Query
from pages.components.evaluate.cached_results import cross_index
from pages.components.evaluate.column_names import named
from pages.components.evaluate.state import change, viewed
from pages.components.shell import layout, resources

_INDEX, _RUN = "evaluate_other_index", "evaluate_other_run"
_ROW, _HEAD = 35, 37  # pixels


def show_other_index(run: Run, index: Index) -> None:
    """Draw the choice of an index and a run, and compare each common retriever."""
    others = {one.name: one for one in resources.entries() if one.meta and one.name != index.name}
    kept = {name: some for name, one in others.items() if (some := Runs(one.path).all())}
    if not kept:
        st.caption(
            "No other index has a run. Build a second index of this corpus with another chunking, "
            "and evaluate it with the same questions."
        )
        return
    with layout.mendable():
        theirs = _choose_run(others, kept, Runs(index.path).questions(run.id))
        found = cross_index(Side(index, run), theirs)
        st.caption(layout.literal(_sides(found)))
        for retriever, lines in found.lines.items():
            _table(found, retriever, lines)
        st.caption(layout.literal(f"{found.scope} {_read(found)}"))


def _choose_run(
    others: dict[str, Listed], kept: dict[str, list[Run]], asked: Sequence[Query]
) -> Side:
    """Draw the choice of a run to compare with, and return its side.

    By default it is the newest run of an index with the same questions as `asked`. Choices go to
    the address.
    """
    view = viewed()
    name = view.other_index if view.other_index in kept else _default_index(others, kept, asked)
    runs = {one.id: one for one in kept[name]}
    st.session_state[_INDEX] = name
    st.session_state[_RUN] = view.other_run if view.other_run in runs else next(iter(runs))
    with st.container(horizontal=True, key="evaluate_other"):
        st.selectbox(
            "Other index",
            list(kept),
            key=_INDEX,
            on_change=lambda: change(other_index=st.session_state[_INDEX], other_run=""),
        )
        chosen = st.selectbox(
            "Run of that index",
            list(runs),
            key=_RUN,
            format_func=lambda one: runs[one].name,
            on_change=lambda: change(other_index=name, other_run=st.session_state[_RUN]),
        )
    one = others[name]
    return Side(resources.stored(one.path, one.meta), runs[str(chosen)])


def _default_index(
    others: dict[str, Listed], kept: dict[str, list[Run]], asked: Sequence[Query]
) -> str:
    """Return the first index whose newest run has any of the questions, or else the first."""
    words = {question_key(query.text) for query in asked}
    for name, (newest, *_) in kept.items():
        there = Runs(others[name].path).questions(newest.id)
        if any(question_key(query.text) in words for query in there):
            return name
    return next(iter(kept))


def _sides(found: CrossIndex) -> str:
    """Describe the passages of both indexes by number and length, and what counts as gold."""
    told = (
        f"{side.index.name}: {side.index.meta.counts.vertices:,} passages of "
        f"{side.index.meta.counts.text_length:,.0f} characters on average "
        f"({side.index.meta.chunking})."
        for side in (found.ours, found.theirs)
    )
    return f"{' '.join(told)} Gold is {COUNTED[found.level]}."


def _read(found: CrossIndex) -> str:
    """Explain the rows on tokens and the number of questions for which they are known."""
    told = (
        "tokens@k: number of tokens in the top k passages, estimated from their characters. "
        f"R@{BUDGET} tokens: recall of the top passages that fit into {BUDGET:,} tokens."
    )
    least = min((line.n for lines in found.lines.values() for line in lines), default=0)
    if least < found.scope.compared:
        told += " A smaller n means that a run ended early or its index has changed since."
    return told


def _table(found: CrossIndex, retriever: str, lines: tuple[Line, ...]) -> None:
    """Draw the comparison of one retriever in both indexes, a row for each measure."""
    number = st.column_config.NumberColumn
    here, there = found.ours.index.name, found.theirs.index.name
    st.markdown(f"**{layout.literal(named(retriever))}**")
    st.dataframe(
        pd.DataFrame(map(_row, lines)).style.format(
            {"ours": "{:,.1f}", "theirs": "{:,.1f}", "difference": "{:+,.1f}", "p": "{:.4f}"},
            na_rep="",
        ),
        key=f"evaluate_other_{retriever}",
        hide_index=True,
        placeholder="",
        height=_HEAD + _ROW * len(lines),
        column_config={
            "measure": st.column_config.TextColumn("Measure", width=120),
            "n": number("n", width=50, help="Number of questions compared"),
            "ours": number(here, help=f"Mean with {here}"),
            "theirs": number(there, help=f"Mean with {there}"),
            "difference": number(
                "Difference",
                help="Difference in percentage points or tokens (positive: more in this index)",
            ),
            "between": st.column_config.TextColumn(
                "95% CI", help=f"Confidence interval of the difference. Empty: {NO_INTERVAL}."
            ),
            "p": number("p", help="Paired randomisation test, two-sided"),
        },
    )


def _row(line: Line) -> dict[str, object]:
    """Return a measure as a table row: both means, their difference, its interval and p-value."""
    return {
        "measure": line.measure,
        "n": line.n,
        "ours": line.ours,
        "theirs": line.theirs,
        "difference": line.difference,
        "between": interval_text(line.low, line.high, "+z,.1f"),
        "p": line.p,
    }
