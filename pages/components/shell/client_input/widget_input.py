"""Reject widget states that the client sends and the widget cannot have.

Any client with a websocket can send any value for any widget. Streamlit passes it to the callbacks
and to the page, or raises. Here a state that no browser sends is dropped when it arrives, and the
widget keeps its value.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from streamlit.errors import StreamlitAPIException
from streamlit.logger import get_logger
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import SessionState

from pages.components.shell.client_input.component_events import are_expected
from pages.components.shell.streamlit_internals import need_field, private

_AFFECTED = "a made-up widget value from a client ends in a traceback"
_LOG = get_logger(__name__)
_WHOLE_NUMBER = ("int_value", "double_value")
"""What a browser sends of a field for whole numbers, and what Streamlit declares it as."""
_UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError),
    StreamlitAPIException,
)
"""What Streamlit raises, and an option's format, for a value that the widget cannot have."""


def check_widget_states() -> None:
    """Drop made-up states of widgets when they arrive, in this process.

    Raises
    ------
    UnsupportedStreamlit : this version of Streamlit lacks a name that this depends on.
    """
    receive = private(SessionState, "set_widgets_from_proto", _AFFECTED)
    register = private(SessionState, "register_widget", _AFFECTED)
    need_field(SessionState, "_new_widget_state", _AFFECTED)
    if hasattr(receive, "__wrapped__"):
        return

    @wraps(receive)
    def receive_possible(state: SessionState, states: WidgetStates) -> None:
        """Drop the states that their widgets cannot have, and pass on the others."""
        known = state._new_widget_state.widget_metadata
        sent = (_without_unknown_files(one) for one in states.widgets)
        kept = (one for one in sent if is_possible(known.get(one.id), one))
        receive(state, WidgetStates(widgets=kept))

    @wraps(register)
    def register_possible(state: SessionState, metadata: WidgetMetadata[Any], key: Any) -> Any:
        """Drop a state that the widget cannot have, before the widget reads it."""
        # A state that arrived before its widget: the page is new, or the connection is.
        states = state._new_widget_state.states
        sent = getattr(states.get(metadata.id), "value", None)
        if isinstance(sent, WidgetState) and not is_possible(metadata, sent):
            del states[metadata.id]
        return register(state, metadata, key)

    setattr(SessionState, "set_widgets_from_proto", receive_possible)  # noqa: B010
    setattr(SessionState, "register_widget", register_possible)  # noqa: B010


def _without_unknown_files(state: WidgetState) -> WidgetState:
    """Return the state of an uploader without files that are not in its session."""
    context = get_script_run_ctx()
    if state.WhichOneof("value") != "file_uploader_state_value" or context is None:
        return state
    sent = state.file_uploader_state_value.uploaded_file_info
    ids = [one.file_id for one in sent]
    held = context.uploaded_file_mgr.get_files(context.session_id, ids)
    kept = {one.file_id for one in held}
    known = WidgetState(id=state.id)
    known.file_uploader_state_value.SetInParent()
    known.file_uploader_state_value.uploaded_file_info.extend(
        one for one in sent if one.file_id in kept
    )
    return known


@contextmanager
def without_withheld_values() -> Iterator[None]:
    """Ignore an interaction whose callback needs a value that the client did not send.

    A browser sends the values of all widgets of a page when it leaves the page; of those that are
    left out, nothing is known any more.
    """
    try:
        yield
    except KeyError as error:
        if not str(error.args[0]).startswith("st.session_state has no key"):
            raise
        _LOG.warning("Ignored an interaction without the values that it needs: %s", error)


def is_possible(metadata: WidgetMetadata[Any] | None, state: WidgetState) -> bool:
    """Return whether a widget can have that state, as far as it is known yet.

    Parameters
    ----------
    metadata : what the page registered of the widget; None for a widget it has not shown yet.
    """
    if metadata is None or state.WhichOneof("value") is None:
        return True
    problem = _problem(metadata, state)
    if problem:
        _LOG.warning("Ignored a state of %s: %s", metadata.id[-60:], problem)
    return not problem


def _problem(metadata: WidgetMetadata[Any], state: WidgetState) -> str:
    """Return why the widget cannot have that state; empty if it can."""
    field = state.WhichOneof("value")
    if field != metadata.value_type and (field, metadata.value_type) != _WHOLE_NUMBER:
        return f"{field} instead of {metadata.value_type}"
    if metadata.formatted_options is not None:
        chosen = (
            state.string_array_value.data
            if field == "string_array_value"
            else [state.string_value]
            if field == "string_value"
            else []
        )
        if not {*chosen} <= {*metadata.formatted_options}:
            return "no option of the widget"
    try:
        sent = unpack_widget_state_value(state)
        if field == "json_value" and sent:
            return "a state, where components of this application have none"
        value = metadata.deserializer(sent)
        if field == "json_trigger_value" and not are_expected(metadata.id, value):
            return "no event that the component sends"
    except _UNREADABLE as error:
        return type(error).__name__
    return ""
