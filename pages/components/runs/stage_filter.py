"""The filter of results by stage of loss, shared by Errors and Evaluate."""

from collections.abc import Collection, Mapping

from core.funnel.stages import STAGES, stage_words
from core.text.display.plurals import number

LABEL = "Stage"
ANY, SEVERAL = "any", "several"


def stage_choices(
    now: str, stages: Collection[str] = tuple(STAGES), questions: Mapping[str, int] | None = None
) -> dict[str, str]:
    """Return the label of each of `stages`, after the choice of any stage.

    Parameters
    ----------
    now : what is chosen; several stages, joined by commas, are a choice of their own.
    questions : how many each has, where that is known.
    """
    known = questions or {}
    named = {
        str(stage): f"{stage_words(stage)} ({number(known[stage], 'question')})"
        if stage in known
        else stage_words(stage)
        for stage in stages
    }
    return {"": ANY, **named, **({now: SEVERAL} if "," in now else {})}
