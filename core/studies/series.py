"""A study's results as charts need them: points over a setting, a cost or two settings."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.retrievers.settings import as_text
from core.studies.definition import View
from core.studies.naming import label_of, scaled, titled, value_text
from core.studies.results import Line, Results, cell_of, groups_of


@dataclass(frozen=True, slots=True)
class Point:
    """A line's measure in a chart.

    Parameters
    ----------
    series : what is drawn in one colour.
    x, y : value of the horizontal axis; of the vertical one, in a heat map only.
    best : on the Pareto front.
    told : `x` in words if it is the effective value of another: `20 (same as top k)`.
    """

    line: Line
    series: str
    x: str | float
    mean: float
    low: float | None
    high: float | None
    y: str | float = ""
    best: bool = False
    told: str = ""


def curve(results: Results, view: View, measure: str) -> list[Point]:
    """Return a point for each line that has the setting `view.over`, one series for all others."""
    points = []
    for line in results.lines:
        if view.over in line.settings:
            points += _points_at(line, _others(line, view.over), _value(line, view.over), measure)
    named = [replace(point, told=_told(point.line, view.over)) for point in points]
    return sorted(named, key=lambda point: point.x if isinstance(point.x, float) else 0.0)


def heat(results: Results, view: View, measure: str) -> list[Point]:
    """Return a point for each line that has both settings.

    Of lines that differ in other settings too, those that are most have the map.
    """
    points: list[Point] = []
    for line in results.lines:
        if view.over in line.settings and view.rows in line.settings:
            series = _others(line, view.over, view.rows)
            points += _points_at(
                line, series, _value(line, view.over), measure, _value(line, view.rows)
            )
    most = Counter(point.series for point in points).most_common(1)
    return [
        replace(point, told=_told(point.line, view.over))
        for point in points
        if point.series == most[0][0]
    ]


def bars(results: Results, view: View, measure: str) -> list[Point]:
    """Return a point for each line and value of `view.by`."""
    points = []
    for group in groups_of(results, view.by):
        for line in results.lines:
            cell = cell_of(line, measure, view.by, group)
            if cell.mean is not None:
                label = label_of(line)
                points.append(Point(line, label, group, cell.mean, cell.low, cell.high))
    return points


def pareto(results: Results, view: View, measure: str) -> list[Point]:
    """Return a point for each line over what it costs; `best` where no line dominates it.

    A line dominates another if it is at least as good in measure and cost, and better in one.
    """
    points = []
    for line in results.lines:
        cost = cell_of(line, view.against)
        if cost.mean is not None:
            x = scaled(cost.mean, view.against)
            points += _points_at(line, label_of(line), x, measure)
    return [
        Point(p.line, p.series, p.x, p.mean, p.low, p.high, best=not _dominated(p, points))
        for p in points
    ]


def _dominated(point: Point, points: Iterable[Point]) -> bool:
    """Whether another point is at least as good in both respects and better in one."""
    mine = (point.mean, -float(point.x))
    others = ((other.mean, -float(other.x)) for other in points)
    return any(
        theirs != mine and all(a >= b for a, b in zip(theirs, mine, strict=True))
        for theirs in others
    )


def _points_at(
    line: Line, series: str, x: str | float, measure: str, y: str | float = ""
) -> list[Point]:
    """Return a point with its confidence interval, in the chart's units; none if not measured."""
    cell = cell_of(line, measure)
    if cell.mean is None:
        return []
    low, high = (
        None if bound is None else scaled(bound, measure) for bound in (cell.low, cell.high)
    )
    return [Point(line, series, x, scaled(cell.mean, measure), low, high, y)]


def _value(line: Line, name: str) -> str | float:
    value = _effective(line, name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number else as_text(value)  # type: ignore[arg-type]


def _told(line: Line, name: str) -> str:
    """Return an effective value with the value that it is of; nothing if they are the same."""
    value, effective = line.settings[name], _effective(line, name)
    if value == effective:
        return ""
    return f"{as_text(effective)} ({value_text(name, value, line.named)})"


def _effective(line: Line, name: str) -> object:
    """Return the value of a setting of the retriever as it takes effect, or one of the index."""
    is_own = name not in line.variant.settings
    return line.named.effective_values()[name] if is_own else line.settings[name]


def _others(line: Line, *swept: str) -> str:
    """Return the label of a line without the settings that are on the axes."""
    variant = line.variant
    values = {
        **(variant.build if variant.label else {}),
        **(variant.models if variant.told else {}),
    }
    others = [f"{name} {value}" for name, value in values.items() if name not in swept]
    return " · ".join([titled(line, *swept), *others])
