"""The conclusion of a study, on its page and with a small picture on its card."""

from base64 import b64encode
from dataclasses import dataclass
from html import escape

import streamlit as st

from core.runs import Runs
from core.studies import Cell, Line, Results
from core.studies.conclusion import Conclusion, conclusion_of, headline_measure, swept_setting
from core.studies.naming import label_of
from core.studies.results import cell_of
from pages.components.shell.retriever_colours import tint_of

_WIDTH, _HEIGHT, _EDGE = 132, 72, 6  # pixels
_MOST_ROWS = 9
_GREY = "#8b949e"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a finished study shows, in words and as a small SVG picture with its alternative."""

    told: Conclusion
    picture: str
    alternative: str

    @property
    def image(self) -> str:
        """Return the picture as an HTML image."""
        source = f"data:image/svg+xml;base64,{b64encode(self.picture.encode()).decode()}"
        return f"<img src='{source}' alt='{escape(self.alternative, quote=True)}'>"


def finding_of(results: Results) -> Finding | None:
    """Return the finding of a study, or None before it is finished."""
    if not results.lines or not results.complete:
        return None
    places = {str(line.variant.place): Runs(line.variant.place) for line in results.lines}
    stamps = tuple((place, runs.stamp()) for place, runs in places.items())
    return _finding(results.study.text, stamps, results)


@st.cache_data(max_entries=50, show_spinner=False)
def _finding(text: str, stamps: tuple[object, ...], _results: Results) -> Finding | None:  # noqa: ARG001
    """Return a study's conclusion with a picture: a curve over a numeric setting, else dots."""
    told = conclusion_of(_results)
    if told is None:
        return None
    measure = headline_measure(_results)
    known = [(line, cell) for line in _results.lines if (cell := cell_of(line, measure)).n]
    means = sorted(cell.mean or 0.0 for _, cell in known)
    alternative = f"{measure} of {len(known):,} lines, from {means[0]:.1f}% to {means[-1]:.1f}%"
    setting = swept_setting([line for line, _ in known])
    numbers = [line.named.effective_values()[setting] for line, _ in known] if setting else []
    is_curve = bool(numbers) and all(type(one) in (int, float) for one in numbers)
    return Finding(told, _curve(known, setting) if is_curve else _dots(known), alternative)


def show_conclusion(results: Results) -> None:
    """Show what a finished study shows, above its tables and charts."""
    if finding := finding_of(results):
        st.html(
            f"<p class='hop-result' dir='auto'>{escape(finding.told.lead)}</p>"
            f"<p class='hop-result-detail' dir='auto'>{escape(finding.told.detail)}</p>"
        )


def _curve(known: list[tuple[Line, Cell]], setting: str) -> str:
    """Return the measure over a setting with its interval as a band."""
    ordered = sorted(known, key=lambda one: float(str(one[0].named.effective_values()[setting])))
    low, high = _range([cell for _, cell in ordered])
    step = (_WIDTH - 2 * _EDGE) / (len(ordered) - 1)
    tint = tint_of(str(ordered[0][0].asked))

    def at(place: int, value: float) -> str:
        height = (_HEIGHT - 2 * _EDGE) * (value - low) / (high - low)
        return f"{_EDGE + place * step:.1f},{_HEIGHT - _EDGE - height:.1f}"

    means = [at(place, cell.mean or 0.0) for place, (_, cell) in enumerate(ordered)]
    ends = [_ends(cell) for _, cell in ordered]
    band = [
        *(at(place, top) for place, (_, top) in enumerate(ends)),
        *(at(place, bottom) for place, (bottom, _) in reversed([*enumerate(ends)])),
    ]
    points = (f"<circle cx='{x}' cy='{y}' r='3'/>" for x, y in (one.split(",") for one in means))
    return _svg(
        f"<polygon points='{' '.join(band)}' fill='{tint}' opacity='0.2'/>"
        f"<polyline points='{' '.join(means)}' fill='none' stroke='{tint}' stroke-width='2'/>"
        f"<g fill='{tint}'>{''.join(points)}</g>"
    )


def _dots(known: list[tuple[Line, Cell]]) -> str:
    """Return a point with its interval for each line, the best ones first."""
    ordered = sorted(known, key=lambda one: -(one[1].mean or 0.0))[:_MOST_ROWS]
    low, high = _range([cell for _, cell in ordered])
    step = _HEIGHT / len(ordered)
    rows = []
    for place, (line, cell) in enumerate(ordered):
        y = (place + 0.5) * step
        left, right = (_EDGE + (_WIDTH - 2 * _EDGE) * (x - low) / (high - low) for x in _ends(cell))
        middle = _EDGE + (_WIDTH - 2 * _EDGE) * ((cell.mean or 0.0) - low) / (high - low)
        rows.append(
            f"<g fill='{tint_of(str(line.asked))}' stroke='{tint_of(str(line.asked))}'>"
            f"<title>{escape(label_of(line))}</title>"
            f"<line x1='{left:.1f}' x2='{right:.1f}' y1='{y:.1f}' y2='{y:.1f}' stroke-width='1.5'/>"
            f"<circle cx='{middle:.1f}' cy='{y:.1f}' r='3'/></g>"
        )
    return _svg("".join(rows))


def _ends(cell: Cell) -> tuple[float, float]:
    mean = cell.mean or 0.0
    return mean if cell.low is None else cell.low, mean if cell.high is None else cell.high


def _range(cells: list[Cell]) -> tuple[float, float]:
    ends = [end for cell in cells for end in _ends(cell)]
    return min(ends), max(max(ends), min(ends) + 1.0)


def _svg(body: str) -> str:
    """Return an SVG picture with axes around `body`."""
    frame = f"M{_EDGE / 2} 0V{_HEIGHT - _EDGE / 2}H{_WIDTH}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {_HEIGHT}'>"
        f"<path d='{frame}' fill='none' stroke='{_GREY}' stroke-opacity='0.5'/>{body}</svg>"
    )
