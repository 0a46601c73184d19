"""The columns of a comparison for an audience: the presenter mode of the Compare page.

It is always mounted and visible in that mode only, which the browser starts and leaves by itself.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from core.bundles import bundle, style
from core.compare.contract import ColumnData, RankingsData, RowData
from core.walkthroughs.assets import RANKINGS
from pages.components.ask.rule_based_notice import BY_RULES, SUBSTITUTE
from pages.components.compare.comparison import Column, Comparison, listed, lost_gold
from pages.components.compare.verdict import verdict
from pages.components.passages.hit_list import HitRow, in_words, key_of_moves, move_of
from pages.components.shell.retriever_colours import tint

HTML = "<div class='opens'></div><dialog class='panes rankings' aria-label='Rankings'></dialog>"


def show_rankings(found: Comparison) -> None:
    """Mount the presenter mode, with the button that starts it."""
    told = json.dumps(rankings_data(found), separators=(",", ":"))
    rev = hashlib.sha256(told.encode()).hexdigest()[:16]
    _component()(key="compare_staged", data={"rankings": told, "rev": rev}, height="content")


def rankings_data(found: Comparison) -> RankingsData:
    """Return all that the browser shows of a comparison."""
    first, columns = found.answered[0].spoken, [_column(found, each) for each in found.columns]
    told = verdict(found, [column.spoken for column in found.answered])
    return {
        "query": found.question,
        "top_k": found.top_k,
        "verdict": told.first,
        "reasons": list(told.rest),
        "signs": key_of_moves(first)
        + (" · dashed: lost gold" if any(column["lost"] for column in columns) else "")
        + (f" · {BY_RULES}: {SUBSTITUTE}" if any(column["note"] for column in columns) else ""),
        "columns": columns,
    }


def _column(found: Comparison, column: Column) -> ColumnData:
    """Return the data of a column for the browser: head, rows, lost gold, and why it has no
    ranking.
    """
    fates = found.fates.get(column.key, {})
    kept = sum(not fate.lost for fate in fates.values())
    return {
        "badge": column.card.badge,
        "tint": tint(column.card),
        "title": column.name,
        "note": BY_RULES if column.stands_in else "",
        "found": f"{kept} of {len(fates)} gold" if fates else "",
        "problem": ""
        if column.steps
        else column.error or "Not run yet. Choose how to continue on the Compare page.",
        "rows": [_row(row, found) for row in listed(found, column)] if column.steps else [],
        "lost": [
            {
                "rank": one.rank,
                "title": one.title,
                "gold": one.gold,
                "sign": "",
                "move": "",
                "move_told": "",
                "loss": one.told,
            }
            for one in lost_gold(found, column)
        ],
    }


def _row(row: HitRow, found: Comparison) -> RowData:
    """Return a ranked passage as JSON data, with its move against the first column."""
    sign, move = move_of(row)
    return {
        "rank": row.rank,
        "title": row.title,
        "gold": row.gold,
        "sign": sign,
        "move": move,
        "move_told": in_words(row, found.answered[0].spoken),
        "loss": "",
    }


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "hop_rankings", html=HTML, css=style(RANKINGS), js=bundle(RANKINGS)
    )
