"""Permission to pay for model calls. No client calls a model without it."""

from contextvars import ContextVar
from dataclasses import dataclass

from core.errors import LeaveMissing

asked_by: ContextVar[str] = ContextVar("asked_by", default="")
"""The visitor whose question is embedded by a server; "" if visitors are not told apart."""
_MISSING = (
    "The language model was not called, because the cost was not approved. In the app, "
    "press the button that makes the call. In code, use workbench.with_leave(Leave('your "
    "name'))."
)


@dataclass(frozen=True, slots=True)
class Leave:
    """Permission to spend money on model calls, passed on to the client.

    Parameters
    ----------
    by : what gave the permission, such as a click or a job.
    again : whether stored replies that could not be read are requested again.
    """

    by: str
    again: bool = False


def need(leave: Leave | None) -> None:
    """Raise LeaveMissing if `leave` is None."""
    if not isinstance(leave, Leave):
        raise LeaveMissing(_MISSING)
