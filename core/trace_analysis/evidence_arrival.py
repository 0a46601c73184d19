"""When each gold passage was found: its state and rank at each step of one or two retrievals.

The chart of one retrieval has a column for each step. Two retrievals are aligned by round: a round
has as many columns as the retrieval with more steps in it, and the other retrieval is stretched.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from typing_extensions import TypedDict

from core.lost_gold.gold_ranks import rank_status
from core.marks.gold_signs import Marked
from core.playback import Frame
from core.trace_analysis.phases import START, merged, opening
from core.trace_analysis.trace_frames import Played

Evidence = Literal["", "offered", "reached", "kept", "cut"]
"""The state of a gold passage; `cut` is a rank below the cut-off, '' is not found yet."""


class RunData(TypedDict):
    """Consecutive columns with the same state and rank, from step `t` on; `text` is the rank."""

    columns: int
    t: int
    state: Evidence
    text: str
    tooltip: str


class StripData(TypedDict):
    """One gold passage in one retrieval; `ends` says where it was at the end."""

    runs: list[RunData]
    ends: str


class EvidenceData(TypedDict):
    """A gold passage, with a strip for each retrieval."""

    name: str
    marked: Marked
    strips: list[StripData]


class PhaseData(TypedDict):
    """A round and its number of columns."""

    label: str
    columns: int


class ArrivalData(TypedDict):
    """The chart: rounds from left to right, gold passages from top to bottom."""

    phases: list[PhaseData]
    rows: list[EvidenceData]


@dataclass(frozen=True, slots=True)
class Evident:
    """A gold passage; `node` is its id, or None if it is unavailable, and `missing` says why."""

    node: str | None
    name: str
    marked: Marked
    missing: str = ""


def arrival(gold: Sequence[Evident], courses: Sequence[Played]) -> ArrivalData:
    """Return the chart of `gold` in one or two retrievals."""
    order: list[str] = []
    for course in courses:
        order = merged(order, course.phases)
    widths = {phase: max(list(course.phases).count(phase) for course in courses) for phase in order}
    start = opening((course.trace.steps, course.names, course.phases) for course in courses)
    labels = {START: start}
    return {
        "phases": [
            {"label": labels.get(phase, phase), "columns": widths[phase]} for phase in order
        ],
        "rows": [
            {
                "name": passage.name,
                "marked": passage.marked,
                "strips": [_strip(passage, course, widths) for course in courses],
            }
            for passage in gold
        ],
    }


def _strip(gold: Evident, course: Played, widths: Mapping[str, int]) -> StripData:
    """Return runs of consecutive columns in which the state of one gold passage stays the same.

    Parameters
    ----------
    widths : number of columns of each phase, in the order of the chart.
    """
    columns = _step_of_columns(course, widths)
    if gold.node is None:
        run: RunData = {"columns": len(columns), "t": 1, "state": "", "text": "", "tooltip": ""}
        return {"runs": [run], "ends": gold.missing}
    states = [_state(frame, gold.node) for frame in course.at]
    runs: list[RunData] = []
    for (state, text), group in groupby(columns, key=lambda t: states[t]):
        steps = list(group)
        first = max(1, steps[0])
        position = (
            f"{_rank_status(course, first, gold.node)} (since {course.names[first - 1].text})"
        )
        runs.append(
            {
                "columns": len(steps),
                "t": first,
                "state": state,
                "text": text,
                "tooltip": position if state else "not found yet",
            }
        )
    return {"runs": runs, "ends": _rank_status(course, -1, gold.node)}


def _rank_status(course: Played, t: int, node: str) -> str:
    return rank_status(course.at[t], node, course.missed.fates.get(node))


def _step_of_columns(course: Played, widths: Mapping[str, int]) -> list[int]:
    """Return the step drawn in each chart column.

    A phase that this retrieval lacks repeats its latest step.

    Parameters
    ----------
    widths : number of columns of each phase, in the order of the chart.
    """
    steps: list[int] = []
    for name, width in widths.items():
        own = [t for t, phase in enumerate(course.phases, start=1) if phase == name]
        if own:
            cuts = [width * i // len(own) for i in range(len(own) + 1)]
            steps += [t for t, (a, b) in zip(own, pairwise(cuts), strict=True) for _ in range(a, b)]
        else:
            steps += [steps[-1] if steps else 0] * width
    return steps


def _state(frame: Frame, node: str) -> tuple[Evidence, str]:
    """Return the state of a gold passage in a frame, and its rank or ''."""
    for row in frame.ranking_rows:
        if row.hit.passage_id == node:
            return ("kept" if row.kept else "cut"), str(row.rank)
    role = frame.roles.get(node)
    return ("" if role is None else "offered" if role == "offered" else "reached"), ""
