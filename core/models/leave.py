"""Leave to pay: without it no client calls a model, so that whoever forgets to ask gets no bill."""

from contextvars import ContextVar
from dataclasses import dataclass

from core.errors import LeaveMissing

asked_by: ContextVar[str] = ContextVar("asked_by", default="")
"""The person whose question is embedded by a server, where visitors are told apart."""
_MISSING = (
    "The language model was not called, because the cost was not approved. In the app, "
    "press the button that makes the call. In code, use workbench.allowed(Leave('your "
    "name'))."
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
