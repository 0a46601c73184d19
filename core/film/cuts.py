"""Where the top k ends in a column, if gold was lost below it."""

from collections.abc import Collection

from core.film.data import CutData
from core.film.plot import Plot
from core.playback.layers import reached_at

NOT_TAKEN = "Not taken"
"""The label of what was on offer and has no rank."""
NOT_RETRIEVED = "Not retrieved"
"""That of a line below which other passages have ranks, and the lost gold has none."""
FIRST, LAST = -1, 1
"""The tiers of gold where nothing was walked to, and of what was not kept beside lost gold."""


def tiers(plot: Plot, drawn: Collection[str]) -> dict[str, int]:
    """In which tier each of the nodes `drawn` stands that is not in the middle one, 0."""
    of = plot.columns.of
    walked = {of[name] for name in reached_at(plot.steps) if name in of}
    several = len({of[name] for name in drawn if name in of}) > 1  # else it is the ranking
    gold = [name for name in plot.cast.gold if several and of.get(name) not in walked]
    found = dict.fromkeys(gold, FIRST)
    return {**found, **{name: LAST for below in _below(plot, drawn) for name in below}}


def cuts(plot: Plot, drawn: Collection[str]) -> list[CutData]:
    """The lines of the nodes `drawn`, each with the ranks of the lost gold below it."""
    ranks = {row.hit.passage_id: row.rank for row in plot.last.standings}
    found: list[CutData] = []
    for below in _below(plot, drawn):
        known = sorted(ranks[name] for name in below if name in plot.lost and name in ranks)
        found.append(
            {
                "label": _label(plot, ranks.keys() & {*below}, known),
                "nodes": plot.cast.numbers(below),
            }
        )
    return found


def _label(plot: Plot, ranked: Collection[str], known: Collection[int]) -> str:
    """What the line is called, by the same cause as the gold below it: its rank, if it has one."""
    if not ranked:
        return NOT_TAKEN
    if not known:
        return NOT_RETRIEVED
    return f"Below the top {len(plot.last.hits):,}: rank {', '.join(map(str, known))}"


def _below(plot: Plot, drawn: Collection[str]) -> list[list[str]]:
    """By column what was not kept, where something else was and gold was lost."""
    kept = {hit.passage_id for hit in plot.last.hits}
    columns: dict[int, list[str]] = {}
    for name in drawn:
        if name in plot.columns.of and plot.cast.kind(name) == "passage":
            columns.setdefault(plot.columns.of[name], []).append(name)
    found = []
    for names in columns.values():
        below = [name for name in names if name not in kept]
        if len(below) < len(names) and plot.lost & {*below}:
            found.append(below)
    return found
