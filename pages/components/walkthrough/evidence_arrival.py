"""The evidence arrival chart: gold passages from top to bottom, steps from left to right."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.marks.gold_signs import star_sign
from core.text.display.plurals import number
from core.trace_analysis.evidence_arrival import (
    ArrivalData,
    EvidenceData,
    PhaseData,
    RunData,
    StripData,
)
from pages.components.shell.glossary import term

WORDS = {"": "not found", "offered": "candidate", "reached": "reached", "kept": "", "cut": ""}


def show_arrival(chart: ArrivalData, *, signs: Sequence[str] = (), played: bool = False) -> None:
    """Show the chart with its legend; nothing if no passage is gold.

    Of one that is `played` above it no more is seen than has happened there. `signs` tell two
    retrievals apart.
    """
    if chart["rows"]:
        st.html(arrival_html(chart, signs=signs, played=played))


def show_arrivals(charts: Sequence[ArrivalData], heads: Sequence[str]) -> None:
    """Show the charts of two retrievals below `heads`, which are HTML.

    Each has an axis of its own steps.
    """
    if charts[0]["rows"]:
        steps = [number(_steps(chart), "step") for chart in charts]
        tables = "".join(
            _table(chart, f"{head}<em>{long}</em>")
            for head, long, chart in zip(heads, steps, charts, strict=True)
        )
        st.html(f"<div class='hop-arrival'>{_key()}{tables}</div>")


def arrival_html(chart: ArrivalData, *, signs: Sequence[str] = (), played: bool = False) -> str:
    """Return a row for each gold passage, in it a strip for each retrieval."""
    last = _steps(chart)
    opened = f"hop-arrival played' style='--last:{last}" if played else "hop-arrival"
    return (
        f"<div class='{opened}'>{_key()}{_table(chart, term('gold', 'Gold passage'), signs)}</div>"
    )


def _steps(chart: ArrivalData) -> int:
    return sum(phase["columns"] for phase in chart["phases"])


def _key() -> str:
    """Return the legend of the strips as HTML."""
    told = "".join(
        f"<span><i class='{state}'>{text}</i>{told}</span>"
        for state, text, told in (
            ("offered", "", "candidate"),
            ("reached", "", "reached"),
            ("kept", "n", "rank n"),
            ("cut", "n", "rank n, below the top k"),
        )
    )
    heading = f"When each {term('gold', 'gold passage')} was reached"
    return f"<div class='key'><b>{heading}</b>{told}</div>"


def _table(chart: ArrivalData, head: str, signs: Sequence[str] = ()) -> str:
    """Return the chart as an HTML table; `head` is HTML above the names."""
    heads = "".join(map(_phase, chart["phases"]))
    body = "".join(_row(row, signs) for row in chart["rows"])
    return (
        f"<table><thead><tr><th scope='col'>{head}</th>"
        f"<th class='phases'><div>{heads}</div></th><th scope='col'>Result</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _phase(phase: PhaseData) -> str:
    """Return a phase's label as HTML, as wide as its number of steps."""
    label = escape(phase["label"])
    return (
        f"<span style='flex-grow:{phase['columns']}' title='{label}'><u></u><b>{label}</b></span>"
    )


def _row(row: EvidenceData, signs: Sequence[str]) -> str:
    """Return a gold passage as table rows, one strip for each retrieval."""
    name = escape(row["name"])
    hand = " <em>by hand</em>" if row["marked"] == "hand" else ""
    cells = []
    for i, strip in enumerate(row["strips"]):
        sign = f"<b>{escape(signs[i])}</b>" if signs else ""
        title = (
            f"<th scope='row' rowspan='{len(row['strips'])}' title='{name}' dir='auto'>"
            f"<span class='hop-star'>{star_sign(row['marked'])}</span> {name}{hand}</th>"
            if i == 0
            else ""
        )
        cells.append(
            f"<tr>{title}<td>{sign}<div class='strip'>{_runs(strip)}</div></td>"
            f"<td class='{'miss' if _is_missed(strip) else ''}'>{escape(strip['ends'])}</td></tr>"
        )
    return "".join(cells)


def _runs(strip: StripData) -> str:
    return "".join(map(_run, strip["runs"]))


def _run(run: RunData) -> str:
    """Return a run of equal steps as a segment of a strip, as HTML."""
    tooltip = escape(run["tooltip"] or WORDS[""])
    text = escape(run["text"] or (WORDS[run["state"]] if run["state"] else ""))
    return (
        f"<i class='{run['state'] or 'unseen'}' style='flex-grow:{run['columns']}'"
        f" title='{tooltip}'>"
        f"<u></u><b>{text}</b></i>"
    )


def _is_missed(strip: StripData) -> bool:
    return strip["runs"][-1]["state"] != "kept"
