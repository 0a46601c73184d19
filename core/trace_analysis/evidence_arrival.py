"""When the evidence arrived: of each gold passage, step by step, whether it was seen, and its rank.

One retrieval has a column for each step. Two are set side by side by their rounds: a round is as
wide as the one that takes more steps in it, and the other is stretched to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from typing_extensions import TypedDict

from core.lost_gold.gold_ranks import standing
from core.marks.gold_signs import Marked
from core.playback import Frame
from core.trace_analysis.phases import START, merged, opening
from core.trace_analysis.trace_frames import Played

Evidence = Literal["", "offered", "reached", "kept", "cut"]
"""How far a gold passage has come; `cut` has a rank beyond those that are kept."""


class RunData(TypedDict):
    """Columns in which nothing changes, from step `t` on; `text` is the rank, if it has one."""

    columns: int
    t: int
    state: Evidence
    text: str
    told: str


class StripData(TypedDict):
    """One gold passage in one retrieval, and how it ended."""

    runs: list[RunData]
    ends: str


class EvidenceData(TypedDict):
    """A gold passage, with a strip for each retrieval."""

    name: str
    marked: Marked
    strips: list[StripData]


class PhaseData(TypedDict):
    """A round with the columns that it is wide."""

    label: str
    columns: int


class ArrivalData(TypedDict):
    """The chart: rounds from left to right, gold passages from top to bottom."""

    phases: list[PhaseData]
    rows: list[EvidenceData]


@dataclass(frozen=True, slots=True)
class Evident:
    """A gold passage by its id, None where it is not at hand, in which case `missing` says why."""

    node: str | None
    name: str
    marked: Marked
    missing: str = ""


def arrival(gold: Sequence[Evident], courses: Sequence[Played]) -> ArrivalData:
    """Return the chart of `gold` in one or two retrievals."""
    order: list[str] = []
    for course in courses:
        order = merged(order, course.phases)
    wide = {name: max(list(one.phases).count(name) for one in courses) for name in order}
    called = {START: opening((one.trace.steps, one.names, one.phases) for one in courses)}
    return {
        "phases": [{"label": called.get(name, name), "columns": wide[name]} for name in order],
        "rows": [
            {
                "name": one.name,
                "marked": one.marked,
                "strips": [_strip(one, course, wide) for course in courses],
            }
            for one in gold
        ],
    }


def _strip(gold: Evident, course: Played, wide: Mapping[str, int]) -> StripData:
    columns = _step_of_columns(course, wide)
    if gold.node is None:
        run: RunData = {"columns": len(columns), "t": 1, "state": "", "text": "", "told": ""}
        return {"runs": [run], "ends": gold.missing}
    states = [_state(now, gold.node) for now in course.at]
    runs: list[RunData] = []
    for (state, text), group in groupby(columns, key=lambda t: states[t]):
        inside = list(group)
        first = max(1, inside[0])
        position = f"{_standing(course, first, gold.node)} (since {course.names[first - 1].text})"
        runs.append(
            {
                "columns": len(inside),
                "t": first,
                "state": state,
                "text": text,
                "told": position if state else "not found yet",
            }
        )
    return {"runs": runs, "ends": _standing(course, -1, gold.node)}


def _standing(course: Played, t: int, node: str) -> str:
    return standing(course.at[t], node, course.missed.fates.get(node))


def _step_of_columns(course: Played, wide: Mapping[str, int]) -> list[int]:
    """Return the step drawn in each chart column.

    A phase that this retrieval lacks repeats its latest step.

    Parameters
    ----------
    wide : number of columns of each phase, in the order of the chart.
    """
    steps: list[int] = []
    for name, width in wide.items():
        own = [t for t, phase in enumerate(course.phases, start=1) if phase == name]
        if own:
            cuts = [width * i // len(own) for i in range(len(own) + 1)]
            steps += [t for t, (a, b) in zip(own, pairwise(cuts), strict=True) for _ in range(a, b)]
        else:
            steps += [steps[-1] if steps else 0] * width
    return steps


def _state(now: Frame, node: str) -> tuple[Evidence, str]:
    for row in now.standings:
        if row.hit.passage_id == node:
            return ("kept" if row.kept else "cut"), str(row.rank)
    role = now.roles.get(node)
    return ("" if role is None else "offered" if role == "offered" else "reached"), ""
