"""The stages of a job: their names and progress.

A build has fixed stages. In a job that makes artefacts, each artefact is a stage.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from core import jobs
from core.progress import STAGES, Stage
from core.text.display import plurals
from core.text.display.shares import percent
from pages.components.shell import formatting

ENDED: Mapping[str, str] = {
    "failed": "failed",
    "cancelled": "was stopped",
    "died": "stopped early",
}
"""How a job came to an end that was not its own, by its status."""

_STAGES: Mapping[Stage, tuple[str, str]] = {
    "read": ("Read the files", "file"),
    "load": ("Load embedder", "model"),
    "chunk": ("Split into passages", "document"),
    "questions": ("Generate pseudo-queries", "passage"),
    "embed": ("Embed", "text"),
    "merge": ("Merge edges", "question"),
    "extract": ("Extract entities", "passage"),
    "write": ("Write index", "table"),
    "corpus-map": ("Draw the map", ""),
    "open": ("Open index", "index"),
    "warm-up": ("Warm up", "retrieval"),
    "ask": ("Evaluate", "result"),
}
_SKIPPED: Mapping[str, Sequence[Stage]] = {"remove": ("read", "load"), "edit": ("read",)}
"""Stages of a build that a job of another kind does not have."""
_BEGINNING: Mapping[Stage, str] = {"read": "reading the files", "load": "loading the embedder"}
"""What a job does before its share in percent says anything about the time that is left."""
_MOST_COLUMNS = (9, 5)
"""The most stages in a row of a wide and of a narrow window."""
_WEIGHTS = {
    **{"read": 2, "load": 2, "chunk": 2, "questions": 10, "embed": 60, "merge": 16},
    **{"extract": 60, "write": 4, "corpus-map": 4},
}


def title(stage: Stage) -> str:
    """Return the display name of a stage."""
    return _STAGES[stage][0] if stage in _STAGES else stage.replace("-", " ").capitalize()


def headline(state: jobs.JobState) -> str:
    """Return the current stage of a running job, or its share in percent if that grows with the
    work.
    """
    if state.stage is None:
        return "starting"
    if is_study(state) and state.stage != "ask":
        stage = title(state.stage)
        return f"{stage[:1].lower()}{stage[1:]}"
    return _BEGINNING.get(state.stage) or percent(min(overall(state), 0.99))


def overall(state: jobs.JobState) -> float:
    """Return the progress of a job in [0, 1], with each stage weighted by its usual duration.

    A study counts its results, since the number of its further stages is unknown.
    """
    if state.stage is None:
        return 0.0
    if is_study(state):
        return state.done / state.total if state.stage == "ask" and state.total else 0.0
    stages = _stages(state)
    weights = [_WEIGHTS.get(stage, 1) for stage in stages]
    at = stages.index(state.stage)
    here = weights[at] * (state.done / state.total if state.total else 1.0)
    return (sum(weights[:at]) + here) / sum(weights)


def is_study(state: jobs.JobState) -> bool:
    """Return whether the job runs a study, whose stages are known as they come."""
    return state.job is not None and state.job.kind == "study"


def stage_rows(state: jobs.JobState) -> list[str]:
    """Return an item of HTML for each stage: its mark, title, and time or pace."""
    stages = _stages(state)
    at = stages.index(state.stage) if state.stage else 0
    rows = []
    if state.running and state.stage is None:
        note = f"{formatting.duration(_seconds_since(state.started_at))} so far"
        rows.append(
            f"<li class='hop-stage hop-now'><b>▸ Start the program</b><small>{note}</small></li>"
        )
    for number, stage in enumerate(stages):
        took = state.seconds.get(stage)
        if number < at:
            mark, note = "✓", formatting.duration(took) if took is not None else ""
        elif number == at and state.stage:
            mark, note = "▸", _pace(state, _STAGES.get(stage, ("", ""))[1])
        else:
            mark, note = "·", ""
        kind = "now" if mark == "▸" else "done" if mark == "✓" else "next"
        called = escape(title(stage))
        rows.append(
            f"<li class='hop-stage hop-{kind}'><b>{mark} {called}</b>"
            f"<small>{escape(note)}</small></li>"
        )
    return rows


def stage_grid(rows: Sequence[str]) -> str:
    """Return the stages as an HTML list, in rows of equal length for wide and narrow windows."""
    wide, narrow = (_columns(len(rows), most) for most in _MOST_COLUMNS)
    style = f"--stages-wide:{wide};--stages-narrow:{narrow}"
    return f"<ol class='hop-stages' style='{style}'>{''.join(rows)}</ol>"


def _columns(items: int, most: int) -> int:
    """Return the largest column count, up to `most`, that fills the fewest rows evenly."""
    lines = max(-(-items // most), 1)
    return max(-(-items // lines), 1)


def _stages(state: jobs.JobState) -> list[Stage]:
    """Return the job's stages in the order in which they run."""
    if is_study(state):
        return [*state.seconds]
    if state.job is None or state.job.kind != "make":
        skipped = [*(_SKIPPED.get(state.job.kind, ()) if state.job else ())]
        if not (state.job and state.job.extractor):
            skipped.append("extract")  # of a change of an index it is known when it begins
        usual = [one for one in STAGES if one in state.seconds or one not in skipped]
        # A record that somebody changed may name others.
        return [*usual, *(stage for stage in state.seconds if stage not in STAGES)]
    return list(dict.fromkeys([*state.seconds, *state.job.artefacts]))


def _pace(state: jobs.JobState, unit: str) -> str:
    """Describe the current stage's progress, rate and remaining time."""
    total = plurals.number(state.total, unit) if unit else f"{state.total:,}"
    if state.done >= state.total:
        return total if state.total else "nothing new"
    if state.total == 1 and state.running:
        return f"{formatting.duration(_seconds_since(state.last_progress_at))} so far"
    parts = [f"{state.done:,} of {total}"]
    if state.rate and state.running:
        parts.append(f"{_rounded_rate(state.rate)}/s")
    if state.eta_seconds is not None and state.running:
        parts.append(f"{formatting.duration(state.eta_seconds)} left")
    return " · ".join(parts)


def _seconds_since(moment: datetime) -> float:
    return max((datetime.now(UTC) - moment).total_seconds(), 0.0)


def _rounded_rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
