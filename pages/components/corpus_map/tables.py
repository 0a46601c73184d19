"""The map as two tables: regions, and the passages of the selected region."""

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from core.maps.heat import HeatData
from core.store.index import Index
from pages.components.corpus_map import state
from pages.components.corpus_map.stored_map import OpenMap
from pages.components.shell.client_input.selections import selected_rows
from pages.components.shell.glossary import hint

HEIGHT = 320
_MOST = 1_000
_REGIONS, _PASSAGES = "map_regions", "map_passages"


def tables(index: Index, opened: OpenMap, heat: HeatData | None, region: int) -> None:
    """Show the tables of regions and passages. Selecting a row selects it on the map, too."""
    made = opened.made
    inside = made.inside(region)
    regions = max(1, len(made.regions) - 1)  # the corpus is the only region of a small one
    first, second = st.tabs([f"Regions ({regions:,})", f"Passages ({len(inside):,})"])
    gold = {place: (many, lost) for place, many, lost in heat["rows"]} if heat else {}
    with first:
        _regions(index, opened, gold)
    with second:
        where = f"'{made.regions[region].name}'" if region else "the whole corpus"
        more = f" The first {_MOST:,} are listed; choose a region." if len(inside) > _MOST else ""
        st.text(f"Passages of {where}.{more}")
        _passages(index, opened, inside[:_MOST].tolist(), gold)


def _regions(index: Index, opened: OpenMap, gold: Mapping[int, tuple[int, int]]) -> None:
    """Draw the table of regions, indented by level, with gold and lost gold if a run is shown."""
    made = opened.made
    order = _tree_order(opened) or [0]
    rows: dict[str, list[object]] = {
        "Region": [
            f"{'   ' * (made.regions[n].depth - 1)}{made.regions[n].name or 'The whole corpus'}"
            for n in order
        ],
        "Level": [max(1, made.regions[n].depth) for n in order],
        "Passages": [made.regions[n].size for n in order],
    }
    if gold:
        counts = _by_region(opened, gold)
        rows["Gold"] = [counts.get(n, (0, 0))[0] for n in order]
        rows["Lost"] = [counts.get(n, (0, 0))[1] for n in order]
        rows["Share lost"] = [
            lost / many if many else None for many, lost in (counts.get(n, (0, 0)) for n in order)
        ]

    def follow() -> None:
        if picked := selected_rows(st.session_state[_REGIONS], order):
            state.choose(index, "region", picked[0])

    _table(rows, _REGIONS, follow)


def _passages(
    index: Index, opened: OpenMap, numbers: list[int], gold: Mapping[int, tuple[int, int]]
) -> None:
    """Draw the table of the passages `numbers`, with gold and lost gold if a run is shown."""
    made = opened.made
    shown = index.passages.take(numbers)
    rows: dict[str, list[object]] = {
        "Title": [index.names[number] for number in numbers],
        "Region": [made.regions[made.leaf[number]].name for number in numbers],
        "Text": [passage.text for passage in shown],
        "Id": [passage.id for passage in shown],
    }
    if gold:
        rows["Gold"] = [gold.get(number, (0, 0))[0] for number in numbers]
        rows["Lost"] = [gold.get(number, (0, 0))[1] for number in numbers]

    def follow() -> None:
        if picked := selected_rows(st.session_state[_PASSAGES], numbers):
            state.choose(index, "passage", picked[0])

    _table(rows, _PASSAGES, follow)


def _table(rows: dict[str, list[object]], key: str, follow: Callable[[], None]) -> None:
    """Draw a table that calls `follow` when a row is selected."""
    table = pd.DataFrame(rows)
    st.dataframe(
        table,
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * max(1, len(table))),
        key=key,
        on_select=follow,
        selection_mode="single-row",
        column_config={
            "Gold": st.column_config.NumberColumn(help=hint("gold")),
            "Lost": st.column_config.NumberColumn(help=hint("missed")),
            "Share lost": st.column_config.NumberColumn(format="percent"),
            "Text": st.column_config.TextColumn(width="large"),
        },
    )


def _tree_order(opened: OpenMap) -> list[int]:
    """Return the regions, each before its subregions, the larger first."""
    found: list[int] = []
    regions = opened.made.regions
    waiting = [0]
    while waiting:
        number = waiting.pop()
        if number:
            found.append(number)
        waiting += sorted(regions[number].children, key=lambda one: (regions[one].size, -one))
    return found


def _by_region(opened: OpenMap, gold: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Return the amounts of gold and lost gold of each region that has any."""
    made = opened.made
    found: dict[int, tuple[int, int]] = {}
    for passage, (many, lost) in gold.items():
        for region in made.path(int(made.leaf[passage])):
            before = found.get(region, (0, 0))
            found[region] = (before[0] + many, before[1] + lost)
    return found
