"""What is pressed is carried out to its end, however soon the next press comes."""

from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.session_state import SessionState


def carry_out_callbacks() -> None:
    """Have the callbacks of widgets carried out whole, in this process.

    Streamlit ends a callback wherever that looks at the session once more has been pressed, and
    takes it as done: on a busy machine a mark, a verdict or words of a note would be lost. Here it
    hears of the next press when the callbacks have ended.
    """
    dispatch = SessionState._call_callbacks
    if hasattr(dispatch, "__wrapped__"):
        return

    @wraps(dispatch)
    def whole(state: SessionState, **given: Any) -> None:
        context = get_script_run_ctx()
        runner: Any = getattr(context and context._enqueue, "__self__", None)
        if runner is None:
            dispatch(state, **given)
            return
        before, runner._execing = runner._execing, False
        try:
            dispatch(state, **given)
        finally:
            runner._execing = before

    setattr(SessionState, "_call_callbacks", whole)  # noqa: B010
