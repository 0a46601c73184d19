"""From steps to the screen: the frame at step t, labels of steps, and places of nodes.

All functions are pure and take a sequence of steps that keeps the contract (`check`). `t` counts
the steps applied: 0 is before the question, `len(steps)` the result.
"""

from core.playback.fold import Frame, RankingRow, frame, frames
from core.playback.lines import DrawnLine, drawn_lines
from core.playback.placing import Columns, columns, in_kinds
from core.playback.planned import as_asked
from core.playback.state import Question, Role, Visit
from core.playback.step_labels import Label, labels
from core.retrievers.step_contract import check

__all__ = [
    "Columns",
    "DrawnLine",
    "Frame",
    "Label",
    "Question",
    "RankingRow",
    "Role",
    "Visit",
    "as_asked",
    "check",
    "columns",
    "drawn_lines",
    "frame",
    "frames",
    "in_kinds",
    "labels",
]
