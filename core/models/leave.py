"""Leave to pay: without it no client calls a model, so that whoever forgets to ask gets no bill."""

from dataclasses import dataclass

from core.errors import LeaveMissing

_MISSING = (
    "The language model was not asked, because nobody has agreed to what that takes. On a page, "
    "press the button that asks it; in code, agree with workbench.allowed(Leave('your name'))."
)


@dataclass(frozen=True, slots=True)
class Leave:
    """Given by who may spend, and handed on to the client; `by` says who: a click, a job.

    With `again`, what is kept and could not be used is asked for once more.
    """

    by: str
    again: bool = False


def need(leave: Leave | None) -> None:
    """Raise LeaveMissing if there is none."""
    if not isinstance(leave, Leave):
        raise LeaveMissing(_MISSING)
