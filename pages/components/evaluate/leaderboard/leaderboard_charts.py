"""The leaderboard as charts: a row for each retriever; each mark opens its questions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

import streamlit as st

from core.colours import STAGE_FILLS
from core.evaluation.paired import Difference
from core.funnel.stages import STAGES, explained, stage_words
from core.retrievers import Spec
from core.runs import Other, Run, Runs
from core.runs.analysis.leaderboard import LeaderboardRow
from pages.components.evaluate.chart_panels import SHARE, Chart, bars, dots, show_panel
from pages.components.evaluate.column_names import badged, row_names, swept_numbers
from pages.components.shell.retriever_colours import mark_tint_of

_WON = {"better": "kept", "equal": "unranked", "worse": "cut"}
"""Parts of a bar, with the stages that have their colours."""


def show_overview(
    runs: Runs,
    run: Run,
    found: Sequence[LeaderboardRow],
    pairs: Mapping[str, Difference],
    measure: str,
    baseline: Other,
) -> None:
    """Draw panels: the measure, the difference, better and worse, and where gold is lost.

    A panel without any number is left out.
    """
    ranked = best_first(found, measure)
    names = [each.retriever for each in ranked]
    stages = {name: counts for name in names if (counts := runs.stages(run.id, name))}
    panels = []
    if any(each.measures[measure].mean is not None for each in ranked):
        panels.append((f"{measure}, % with 95% interval", "", _means(ranked, measure)))
    if any(name in pairs for name in names):
        whom, hint = _baseline_name(baseline.retriever, names), badged(baseline.retriever)
        panels += [
            (f"Points from {whom}, 95% interval", hint, _differences(names, pairs)),
            (f"Better, equal and worse than {whom}", hint, _wins(names, pairs, whom)),
        ]
    if stages:
        title = f"Gold retrieved and lost{_cut_off(stages)}"
        panels.append((title, "", _losses(names, stages)))
    if not panels:
        return
    with st.container(key="evaluate_overview"):
        widths = [5, 3, 3, 4][: len(panels)]
        columns = st.columns(widths, gap="small", vertical_alignment="bottom")
    place = f"{run.id}_{measure}_{baseline.run}_{baseline.retriever}"
    for number, ((title, hint, chart), column) in enumerate(zip(panels, columns, strict=True)):
        key = f"evaluate_overview_{number}_{place}"
        show_panel(title, chart, column, key, len(names), hint=hint)
    if stages:
        st.html(_legend({stage for counts in stages.values() for stage in counts}))


def best_first(found: Sequence[LeaderboardRow], measure: str) -> list[LeaderboardRow]:
    """Return leaderboard rows in the order of charts and table.

    The highest mean is first. The values of a swept number are in their order.
    """
    numbers = swept_numbers([each.retriever for each in found])
    if numbers:
        return sorted(found, key=lambda each: numbers[each.retriever])
    return sorted(found, key=lambda each: -(each.measures[measure].mean or 0.0))


def _cut_off(retrievers: Iterable[str]) -> str:
    """Return `, top 20` if that is the cut-off of all retrievers, else an empty string."""
    specs = [Spec.known(name) for name in retrievers]
    top_ks = {spec.values.get("top_k") if spec else None for spec in specs}
    return f", top {top_ks.pop()}" if len(top_ks) == 1 and None not in top_ks else ""


def _baseline_name(baseline: str, names: Sequence[str]) -> str:
    """Return a name that distinguishes a baseline from the rows `names`: its settings or its badge.

    One that has no badge has its whole name.
    """
    if not baseline:
        return "the other run"
    if not Spec.known(baseline):
        return baseline
    return row_names(list(dict.fromkeys([*names, baseline])), short=True)[baseline]


def _means(ranked: Sequence[LeaderboardRow], measure: str) -> Chart:
    """Chart the mean of each retriever with its interval."""
    rows = [
        {
            **_row(each.retriever, measure),
            "value": here.mean,
            "low": here.low,
            "high": here.high,
        }
        for each in ranked
        if (here := each.measures[measure]).mean is not None
    ]
    names = [each.retriever for each in ranked]
    shown = [badged(name) for name in names]
    return dots(rows, shown, ("retriever", "column"), short=_row_namer(names), edges=SHARE)


def _differences(names: Sequence[str], pairs: Mapping[str, Difference]) -> Chart:
    """Chart the difference of each retriever from the baseline in points, with its interval."""
    rows = [
        {**_row(name, "points"), "value": pair.mean, "low": pair.low, "high": pair.high}
        for name in names
        if (pair := pairs.get(name))
    ]
    shown = [badged(name) for name in names]
    fields = ("retriever", "column")
    short = _row_namer(names, short=True)
    return dots(rows, shown, fields, short=short, form="+.1f", zero=0)


def _wins(names: Sequence[str], pairs: Mapping[str, Difference], whom: str) -> Chart:
    """Chart on how many questions each retriever is better, equal or worse than `whom`."""
    rows = [
        {
            **_row(name, won),
            "part": won,
            "said": f"{won} {'to' if won == 'equal' else 'than'} {whom}",
            "count": getattr(pair, won),
            "all": pair.n,
        }
        for name in names
        if (pair := pairs.get(name))
        for won in _WON
    ]
    shown = [badged(name) for name in names]
    fills = {won: _fill(stage) for won, stage in _WON.items()}
    return bars(rows, shown, ("retriever", "column"), fills, short=_row_namer(names, short=True))


def _losses(names: Sequence[str], stages: Mapping[str, Mapping[str, int]]) -> Chart:
    """Chart how much gold each retriever lost at each stage."""
    rows = [
        {
            "name": badged(name),
            "retriever": name,
            "stages": stage,
            "part": stage,
            "said": explained(stage),
            "count": counts[stage],
            "all": sum(counts.values()),
        }
        for name, counts in stages.items()
        for stage in _ORDER
        if counts.get(stage)
    ]
    shown = [badged(name) for name in names]
    fills = {stage: _fill(stage) for stage in STAGE_FILLS}
    fields = ("retriever", "stages")
    return bars(rows, shown, fields, fills, short=_row_namer(names, short=True))


_ORDER = ("kept", *(stage for stage in reversed(STAGES) if stage != "kept"))
"""Stages from left to right: what is retrieved, then what is lost, the last stage first."""


def _row(retriever: str, column: str) -> dict[str, object]:
    """Return the fields of a mark: its retriever and the column of the table."""
    name = badged(retriever)
    return {
        "name": name,
        "said": name,
        "retriever": retriever,
        "column": column,
        "tint": mark_tint_of(retriever),
    }


def _row_namer(names: Sequence[str], *, short: bool = False) -> Callable[[str], str]:
    """Return the function that names a panel's rows, short where badges identify them."""
    called = {badged(one): said for one, said in row_names(names, short=short).items()}
    return called.__getitem__


def _fill(stage: str) -> str:
    return STAGE_FILLS[stage].of(st.context.theme.type)


def _legend(found: set[str]) -> str:
    """Return the stages that occur, with their colours."""
    items = "".join(
        f"<span title='{escape(explained(stage))}'><i style='background:{_fill(stage)}'></i>"
        f"{escape(stage_words(stage))}</span>"
        for stage in _ORDER
        if stage in found
    )
    return f"<p class='hop-swatches'>{items}</p>"
