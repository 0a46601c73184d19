"""Paths from the start of a search to gold, so that all gold is drawn with its cause."""

from collections.abc import Collection, Mapping
from itertools import zip_longest

from core.playback import DrawnLine
from core.steps import Offered, Spread
from core.trace_analysis.node_columns import NEVER, Plot


def leading(plot: Plot) -> list[str]:
    """Return the nodes on one path to each gold passage, without gold, nearest to gold first.

    A walk is traced back. Where a score spreads over the graph, the path is the shortest one to a
    start; of several, the one over the nodes with the highest scores.
    """
    ends = (end for at_once in zip_longest(*(way[1:] for way in _ways(plot))) for end in at_once)
    on_path = dict.fromkeys(end for end in ends if end in plot.columns.of)
    return [name for name in on_path if name not in plot.cast.gold]


def _ways(plot: Plot) -> list[list[str]]:
    """Return the path to each gold passage that was seen, from there back."""
    gold = [name for name in plot.cast.gold if name in plot.columns.of and name not in plot.unnamed]
    near, starts, worth = _lines_at_nodes(plot), _starts(plot), _worth(plot)
    return [
        plot.path(name)
        if name in plot.before and not plot.spreads
        else _way(name, near, starts, worth)
        for name in gold
    ]


def _way(
    gold: str,
    near: Mapping[str, list[DrawnLine]],
    starts: Collection[str],
    worth: Mapping[str, float],
) -> list[str]:
    """Return the path from `gold` to the nearest of `starts`.

    Of the lines at `gold` itself only the earliest count: one must exist when it is reached.
    """
    own = near.get(gold, []) if gold not in starts else []
    first = min((line.offered for line in own), default=NEVER)
    before = {gold: ""}
    here = _best([_other_end(line, gold) for line in own if line.offered == first], worth)
    alone = [gold, *here[:1]]
    before |= dict.fromkeys(here, gold)
    while here:
        if began := next((name for name in here if name in starts), ""):
            return _back(began, before, gold)
        there: dict[str, str] = {}
        for name in here:
            for line in near.get(name, ()):
                there.setdefault(_other_end(line, name), name)
        there = {name: end for name, end in there.items() if name not in before}
        before |= there
        here = _best(there, worth)
    return alone


def _back(began: str, before: Mapping[str, str], gold: str) -> list[str]:
    """Return the path from `gold` to the node where the search `began`."""
    way = [began]
    while way[-1] != gold:
        way.append(before[way[-1]])
    return way[::-1]


def _best(names: Collection[str], worth: Mapping[str, float]) -> list[str]:
    return sorted(dict.fromkeys(names), key=lambda name: (-worth.get(name, 0.0), name))


def _other_end(line: DrawnLine, node: str) -> str:
    return line.target if line.source == node else line.source


def _lines_at_nodes(plot: Plot) -> dict[str, list[DrawnLine]]:
    """Return the lines at each node, without refused and never offered ones."""
    lines_by_end: dict[str, list[DrawnLine]] = {}
    for line in plot.cast.lines:
        if line.offered != NEVER and (line.taken or not line.of_graph):
            lines_by_end.setdefault(line.source, []).append(line)
            lines_by_end.setdefault(line.target, []).append(line)
    return lines_by_end


def _starts(plot: Plot) -> set[str]:
    """Return the questions and the nodes selected before any score spreads."""
    starts = {*plot.cast.questions, *plot.last.entries}
    for step in plot.steps:
        if isinstance(step, Spread):
            break
        if isinstance(step, Offered):
            starts |= {one.target for one in step.taken if plot.cast.kind(one.target) != "passage"}
    return starts


def _worth(plot: Plot) -> dict[str, float]:
    """Return the highest share or score of each node."""
    best_score: dict[str, float] = {}
    for step in plot.steps:
        if isinstance(step, Spread):
            scores = [(hit.passage_id, hit.score) for hit in step.hits]
        elif isinstance(step, Offered):
            scores = [(offer.target, offer.score) for offer in step.offers]
        else:
            continue
        for name, score in scores:
            best_score[name] = max(score, best_score.get(name, score))
    return best_score
