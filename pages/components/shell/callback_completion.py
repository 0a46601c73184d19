"""Run widget callbacks to completion, even if the next interaction comes early."""

from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.session_state import SessionState

from pages.components.shell.client_input.widget_input import without_withheld_values
from pages.components.shell.layout import mendable
from pages.components.shell.streamlit_internals import need_field, private

_AFFECTED = (
    "a quick second interaction interrupts the callback of the first one, and a mark, a verdict "
    "or a note can be lost"
)


def carry_out_callbacks() -> None:
    """Run the callbacks of widgets to completion, in this process.

    Streamlit interrupts a callback wherever it writes to the page once the next interaction has
    arrived, and takes it as done: on a busy machine a mark, a verdict or words of a note would be
    lost. Here it learns of the next interaction when the callbacks have returned. What a callback
    may not do, or cannot, is said on the page.

    Raises
    ------
    UnsupportedStreamlit : this version of Streamlit lacks a name that this depends on.
    """
    dispatch = private(SessionState, "_call_callbacks", _AFFECTED)
    need_field(ScriptRunContext, "_enqueue", _AFFECTED)
    need_field(ScriptRunner, "_execing", _AFFECTED)
    if hasattr(dispatch, "__wrapped__"):
        return

    @wraps(dispatch)
    def run_to_completion(state: SessionState, **given: Any) -> None:
        """Run the callbacks without the interruption by a newer click; show their errors."""
        runner = _runner()
        before, runner._execing = private(runner, "_execing", _AFFECTED), False
        try:
            with mendable(), without_withheld_values():
                dispatch(state, **given)
        finally:
            runner._execing = before

    setattr(SessionState, "_call_callbacks", run_to_completion)  # noqa: B010


def _runner() -> Any:
    """Return the runner of this script, whose method the context's `_enqueue` is."""
    enqueue = private(get_script_run_ctx(), "_enqueue", _AFFECTED)
    return private(enqueue, "__self__", _AFFECTED)
