"""The panels beside the graph: one for each kind of step, and those for what a frame holds."""

from collections.abc import Callable, Mapping

from core.playback import Frame
from core.playback.rounds import Round
from core.steps import Asked, Began, Offered, Pooled, Said, Spread, Step
from pages.components.trace.panels import asked, offered, pooled, said, spread
from pages.components.trace.rows import Names

Panel = Callable[[Frame, Round | None, Names], str]
"""Draws the step of a frame, or its round as a whole, as HTML."""

PANELS: Mapping[type[Step], Panel] = {
    Asked: asked.panel_of,
    Began: offered.panel_of,
    Offered: offered.panel_of,
    Spread: spread.panel_of,
    Said: said.panel_of,
    Pooled: pooled.panel_of,
}
"""`Ranked` has none: the ranking has all the room then."""


def step_panel(now: Frame, whole: Round | None, names: Names) -> str:
    """What the step of `now` did; empty for the end of a retrieval."""
    draw = PANELS.get(type(now.step)) if now.step else None
    return draw(now, whole, names) if draw else ""
