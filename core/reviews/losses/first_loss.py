"""The earliest loss of a question's gold."""

from collections.abc import Iterable

from core.funnel.data import Fate
from core.funnel.stages import LOST, STAGES, Stage
from core.runs.run import Row


def first_loss(fates: Iterable[Fate]) -> Fate | None:
    """Return the loss at the earliest stage, the first of several there, or None.

    Of two at one stage it is that of the gold which the question names first.
    """
    order = list(STAGES)
    lost = (fate for fate in fates if fate.lost)
    return min(lost, key=lambda fate: order.index(fate.stage), default=None)


def lost_at(row: Row) -> str:
    """Return the stage of the first loss of a row, or an empty string."""
    loss = first_loss(row.fates)
    return loss.stage if loss else ""


def stages_to_choose() -> tuple[Stage, ...]:
    """Return the stages a reviewer can choose: those of lost gold, and unused gold."""
    return (*(stage for stage in LOST if stage != "unranked"), "unused")
