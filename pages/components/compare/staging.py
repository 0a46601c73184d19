"""The columns of a comparison in front of an audience: the presenter mode of the Compare page.

It is always mounted and seen only in that mode, which the browser begins and leaves by itself.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any, TypedDict

import streamlit as st

from core.film.assets import COMPARED, RANKED, STAGED, script, style
from core.film.data import Marked
from pages.components.ask.substitute import BY_RULES, SUBSTITUTE
from pages.components.compare.run import Column, Comparison, listed, lost_gold
from pages.components.compare.tables import headline
from pages.components.compare.verdict import decided
from pages.components.passages.hit_list import HitRow, in_words, key_of_moves, move_of
from pages.components.shell.tints import tint

HTML = "<div class='opens'></div><dialog class='film ranked' aria-label='Rankings'></dialog>"


class RowData(TypedDict):
    """A passage in a ranking, or gold that is not kept; then `fate` says what became of it.

    `move` is the sign of how it moved, `said` the same in words.

    The `rank` of what is not kept is known where the whole ranking is.
    """

    rank: int | None
    title: str
    gold: Marked
    move: str
    kind: str
    said: str
    fate: str


class ColumnData(TypedDict):
    """A retriever: its sign, how much gold it kept, its ranking, and the gold that it lost.

    `told` says why it has no ranking, empty if it has one; `beside` stands beside the title, where
    something stood in for its model.
    """

    badge: str
    tint: str
    title: str
    beside: str
    found: str
    told: str
    rows: list[RowData]
    missed: list[RowData]


class RankedData(TypedDict):
    """What an audience sees: what decides, `told` first, and `why` with the rest, in sentences.
    `key` is what stands beside a rank, in words.
    """

    query: str
    by: str
    told: str
    why: list[str]
    key: str
    columns: list[ColumnData]


def show_staged(found: Comparison) -> None:
    """Mount it, with the button that begins it."""
    told = json.dumps(ranked_data(found), separators=(",", ":"))
    rev = hashlib.sha256(told.encode()).hexdigest()[:16]
    _component()(key="compare_staged", data={"ranked": told, "rev": rev}, height="content")


def ranked_data(found: Comparison) -> RankedData:
    """All that the browser shows of `found`."""
    first, columns = found.answered[0].spoken, [_column(found, each) for each in found.columns]
    counted = headline(found, lambda column: column.spoken)
    told = decided(found, [column.spoken for column in found.answered], counted)
    return {
        "query": found.question,
        "by": f"top {found.top_k}",
        "told": told.first,
        "why": list(told.rest),
        "key": key_of_moves(first)
        + (" · dashed: lost gold" if any(column["missed"] for column in columns) else "")
        + (f" · {BY_RULES}: {SUBSTITUTE}" if any(column["beside"] for column in columns) else ""),
        "columns": columns,
    }


def _column(found: Comparison, column: Column) -> ColumnData:
    fates = found.fates.get(column.key, {})
    kept = sum(not fate.lost for fate in fates.values())
    return {
        "badge": column.card.badge,
        "tint": tint(column.card),
        "title": column.name,
        "beside": BY_RULES if column.stands_in else "",
        "found": f"{kept} of {len(fates)} gold" if fates else "",
        "told": "" if column.steps else column.error or "Choose on the page to continue.",
        "rows": [_row(row, found) for row in listed(found, column)] if column.steps else [],
        "missed": [
            {
                "rank": one.rank,
                "title": one.title,
                "gold": one.gold,
                "move": "",
                "kind": "",
                "said": "",
                "fate": one.told,
            }
            for one in lost_gold(found, column)
        ],
    }


def _row(row: HitRow, found: Comparison) -> RowData:
    move, kind = move_of(row)
    return {
        "rank": row.rank,
        "title": row.title,
        "gold": row.gold,
        "move": move,
        "kind": kind,
        "said": in_words(row, found.answered[0].spoken),
        "fate": "",
    }


@cache
def _component() -> Callable[..., Any]:
    js = script(RANKED, STAGED)
    return st.components.v2.component("hop_ranked", html=HTML, css=style(COMPARED), js=js)
