"""Steps to what the screen shows: the frame at t, its sentence, the stops, the hop layers.

All functions are pure and take a sequence of steps that keeps the contract (`check`). `t` counts
the steps applied: 0 is before the question, `len(steps)` the result.
"""

from core.playback.contract import check
from core.playback.fold import Frame, Role, Standing, Visit, frame
from core.playback.layers import DrawnEdge, arrival_hop, columns, drawn_edges
from core.playback.narration import Grain, labels, sentence, stops

__all__ = [
    "DrawnEdge",
    "Frame",
    "Grain",
    "Role",
    "Standing",
    "Visit",
    "arrival_hop",
    "check",
    "columns",
    "drawn_edges",
    "frame",
    "labels",
    "sentence",
    "stops",
]
