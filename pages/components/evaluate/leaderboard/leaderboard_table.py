"""The leaderboard as a table: a row for each retriever; each number opens its questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluation.paired import NO_INTERVAL, TEST, UNTESTED, Difference, interval_text
from core.evidence import GoldLevel
from core.marks import level_told
from core.measures import MEASURES, TOKENS, meaning
from core.runs import Other, Run, Runs
from core.runs.analysis.leaderboard import LeaderboardRow
from core.runs.gold import level_of
from core.runs.store.listing import ANSWERS
from core.store.index import Index
from core.text.display import plurals
from pages.components.evaluate.cached_results import (
    SHOWN,
    by_hand_of,
    differences_of,
    standings_of,
    sweep_conclusion,
)
from pages.components.evaluate.column_names import CHOICES, badged, named, swept_values
from pages.components.evaluate.leaderboard.leaderboard_charts import best_first, show_overview
from pages.components.evaluate.leaderboard.model_costs import show_model_costs
from pages.components.evaluate.leaderboard.summary import result
from pages.components.evaluate.state import BOARDS, change, press, viewed
from pages.components.shell import layout
from pages.components.shell.client_input.selections import selected_cell
from pages.components.shell.glossary import hint

_ROW, _HEAD, _LINE = 35, 37, 20  # pixels
_LETTER, _PADDING, _NAMES, _WIDEST = 7, 24, 200, 330
_MOST_LINES = 3
_NARROW = 51
_WIDE = {
    **{"nDCG@10": 78, "all@20": 62, "Accuracy": 74, "Agreement": 86},
    **dict.fromkeys(TOKENS, 66),
}
_HEADS = {name: name.replace(" tokens", "t") for name in TOKENS}
_TERMS = {"R": hint("evidence_recall"), "all": hint("all_evidence")}
_FACE, _PAIRS = "evaluate_face", "difference"
_PAIRED = ("95%", "points", "between", "p", "better", "equal", "worse")
_FACES = {
    "measures": SHOWN,
    "precision": tuple(name for name in MEASURES if name.startswith(("P@", "F1@"))),
    "hits": (*("all@2", "all@5", "all@10", "Hits@4", "Hits@10", "AP@10", "RR@10"), *TOKENS),
}
_ANSWERS = {
    "EM": "Exact match (EM) of the model's answers",
    "F1": "Token overlap (F1) of the model's answers with the reference answers",
    "Accuracy": "String accuracy: answers that contain a reference answer",
    "Judge": "Answers that a model judges correct, given the reference answers",
    "Agreement": "Answers on which the judge and EM agree",
}
_TOOK = ("Time", CHOICES, "Calls", "Tokens", "Asked", "Configuration")


def show_board(
    runs: Runs, run: Run, measure: str, baseline: Other, index: Index, lead: DeltaGenerator
) -> None:
    """Draw what the run shows: a sentence, charts, and a table of all measures and costs.

    Parameters
    ----------
    lead : the place of the sentence, above the choice of measure.
    """
    found = best_first(standings_of(runs, run), measure)
    pairs = differences_of(runs, run, baseline, measure)
    most = max((each.asked for each in found), default=0)
    whole = [each for each in found if each.asked == most]
    told = _sweep(runs, run, whole, measure, baseline) or result(
        whole, pairs, measure, baseline, searched=run.is_search
    )
    lead.html(f"<p class='hop-result'>{escape(told)}</p>")
    show_overview(runs, run, whole, pairs, measure, baseline)
    untested = any(pair.tested is None for pair in pairs.values())
    told = _basis(found, measure, by_hand_of(runs, run, index), level_of(run))
    against = f" {_against(baseline, run, untested=untested)}" if pairs else ""
    if kept := sum(each.kept for each in found):
        told = f"{plurals.number(kept, 'reply')} came from the cache and took no time. {told}"
    st.caption(layout.literal(f"{told}{against} Select a mark or a number to list its questions."))
    opened = viewed().board != _PAIRS
    with st.expander("Table: all measures, time and cost", expanded=opened, key="evaluate_table"):
        _table(run, found, pairs, measure, baseline)
    if any(each.calls for each in found):
        show_model_costs(runs, run)


def _sweep(
    runs: Runs, run: Run, whole: Sequence[LeaderboardRow], measure: str, baseline: Other
) -> str:
    """Return the conclusion of a sweep over settings of one retriever; nothing for other runs."""
    names = tuple(each.retriever for each in whole)
    if run.is_search or baseline.run != run.id or not swept_values(names):
        return ""
    return sweep_conclusion(runs, run, measure, names)


def _table(
    run: Run,
    found: Sequence[LeaderboardRow],
    pairs: Mapping[str, Difference],
    measure: str,
    baseline: Other,
) -> None:
    """Draw a measure of each retriever, and beside it differences, other measures or costs."""
    most = max((each.asked for each in found), default=0)
    rows = [
        _row(each, measure, pairs.get(each.retriever))
        if each.asked == most
        else _unfinished_row(each, most)
        for each in found
    ]
    names = [str(row["Retriever"]) for row in rows]
    face = viewed().board
    st.session_state[_FACE] = face
    st.segmented_control(
        "Beside it",
        list(BOARDS),
        key=_FACE,
        format_func=BOARDS.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="content",
        on_change=lambda: change(board=st.session_state[_FACE]),
    )
    table = pd.DataFrame(
        rows, columns=["Retriever", measure, *_columns_beside(measure, found)[face]]
    )
    if any(pair.tested is None for pair in pairs.values()):
        table = table.drop(columns="p", errors="ignore")
    key = f"evaluate_board_{run.id}_{measure}_{baseline.run}_{baseline.retriever}_{face}"
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="",
        height=_HEAD + _height(names) * len(rows),
        row_height=_height(names),
        column_config=_columns(measure, baseline, _width(names)),
        on_select=partial(_list_questions, key, [each.retriever for each in found]),
        selection_mode="single-cell",
    )


def _columns_beside(measure: str, found: Sequence[LeaderboardRow]) -> dict[str, tuple[str, ...]]:
    """Return the columns shown beside the measure, by choice; a window cannot show them all."""
    answers = [
        name for name in ANSWERS if any(each.answers.get(name) is not None for each in found)
    ]
    faces = {
        face: tuple(name for name in names if name != measure) for face, names in _FACES.items()
    }
    faces["measures"] = (*faces["measures"], *answers)
    return {"difference": _PAIRED, **faces, "cost": _TOOK}


def _list_questions(key: str, retrievers: Sequence[str]) -> None:
    """List the questions behind the clicked number."""
    if cell := selected_cell(st.session_state[key], retrievers):
        retriever, column = cell
        press(retriever=retriever, column=column)


def _row(one: LeaderboardRow, measure: str, pair: Any) -> dict[str, object]:
    """Return a retriever as a table row; measures in percent, time in milliseconds."""
    here = one.measures[measure]
    own = one.seconds_p50 is not None
    return {
        "Retriever": badged(one.retriever),
        measure: here.mean,
        "95%": interval_text(here.low, here.high),
        "points": pair.mean if pair else None,
        "between": interval_text(pair.low, pair.high, "+z.1f") if pair else "",
        "better": pair.better if pair else None,
        "equal": pair.equal if pair else None,
        "worse": pair.worse if pair else None,
        "p": pair.tested if pair else None,
        **{name: one.measures[name].mean for name in MEASURES if name != measure},
        **{name: one.answers.get(name) for name in ANSWERS},
        "Time": None if one.seconds_p50 is None else 1000 * one.seconds_p50,
        CHOICES: one.judgements if own else None,
        "Calls": one.calls if own else None,
        "Tokens": one.tokens if own else None,
        "Asked": one.asked,
        "Configuration": one.configuration or "imported",
    }


def _unfinished_row(one: LeaderboardRow, most: int) -> dict[str, object]:
    """Return the row of a retriever that has run fewer questions: counts without measures."""
    told = f"{badged(one.retriever)} · {one.asked:,} of {most:,}"
    return {"Retriever": told, "Asked": one.asked, "Configuration": one.configuration}


def _width(names: Sequence[str]) -> int:
    """Return the width of the name column in pixels: that of the longest name, within limits."""
    return min(max(_NAMES, *(_LETTER * len(name) + _PADDING for name in names)), _WIDEST)


def _height(names: Sequence[str]) -> int:
    """Return the height of a row in pixels, so that a name too long for one line wraps."""
    lines = max(-(-(_LETTER * len(name)) // (_WIDEST - _PADDING)) for name in names)
    return _ROW + _LINE * (min(lines, _MOST_LINES) - 1)


def _columns(measure: str, baseline: Other, width: int) -> dict[str, Any]:
    """Return heading, format, width and help of each column."""
    number = st.column_config.NumberColumn
    than = layout.literal(
        f"than {named(baseline.retriever)}" if baseline.retriever else "than before"
    )
    shown = {
        name: number(
            _HEADS.get(name, name),
            format="%.1f",
            width=_WIDE.get(name, _NARROW),
            help=_meaning(name),
        )
        for name in MEASURES
        if name != measure
    }
    return {
        "Retriever": st.column_config.TextColumn(
            "Retriever", width=width, pinned=True, help=hint("retriever")
        ),
        measure: number(
            _HEADS.get(measure, measure),
            format="%.1f",
            width=_WIDE.get(measure, 58),
            help=f"{_meaning(measure)} Mean over the questions.",
        ),
        "95%": st.column_config.TextColumn(
            "95% CI", width=94, help=f"Confidence interval of the mean. Empty: {NO_INTERVAL}."
        ),
        "points": number("Points", format="%+.1f", width=60, help=f"Percentage points more {than}"),
        "between": st.column_config.TextColumn(
            "95% CI", width=104, help=f"Confidence interval of the points. Empty: {NO_INTERVAL}."
        ),
        "p": number("p", format="%.4f", width=58, help=f"p-value of a {TEST}"),
        "better": number("Better", width=58, help=f"Questions with a better result {than}"),
        "equal": number("Equal", width=56),
        "worse": number("Worse", width=58, help=f"Questions with a worse result {than}"),
        **{
            name: number(name, format="%.1f", width=_WIDE.get(name, _NARROW), help=f"{said}, in %")
            for name, said in _ANSWERS.items()
        },
        **shown,
        "Time": number(
            "ms",
            format="%.0f",
            width=55,
            help=f"Median per question. {hint('retrieval_time')}",
        ),
        CHOICES: number(
            "Lists",
            format="%.1f",
            width=60,
            help=f"{CHOICES} per question: lists from which the retriever selects. For "
            "HopRAG, these are passages whose edges are examined. If a model selects, "
            "each list takes one call.",
        ),
        "Calls": number("Calls", format="%.1f", width=60, help="Model calls per question"),
        "Tokens": number("Tokens", format="%.0f", width=66, help="Tokens per question"),
        "Asked": number("Asked", width=60, help="Questions asked"),
        "Configuration": st.column_config.TextColumn("Configuration", width=100),
    }


def _meaning(measure: str) -> str:
    """Return the meaning of a measure, from the glossary if it is there."""
    name, _, cut = measure.partition("@")
    if cut.isdigit() and name in _TERMS:
        return f"{measure}: {_TERMS[name]}"
    return f"{measure}: {meaning(measure)}."


def _basis(found: Sequence[LeaderboardRow], measure: str, by_hand: int, level: GoldLevel) -> str:
    """Describe the basis of the measures: questions with gold, marks by hand, and the level of
    gold.
    """
    gold = max((each.measures[measure].n for each in found), default=0)
    hand = f" ({by_hand:,} by hand)" if by_hand else ""
    over = f"over {plurals.number(gold, 'question')} with gold{hand}"
    return f"Measures are in percent, {over}. {level_told(level)}."


def _against(baseline: Other, run: Run, *, untested: bool) -> str:
    """Explain which baseline the paired columns compare with, and by which test."""
    whom = "the same retriever in the other run"
    if baseline.run == run.id:
        whom = named(baseline.retriever)
    elif baseline.retriever:
        whom = f"{named(baseline.retriever)} in the original run"
    test = UNTESTED if untested else f"p is from a {TEST}"
    return f"Points, Better, Equal and Worse compare with {whom}; {test}."
