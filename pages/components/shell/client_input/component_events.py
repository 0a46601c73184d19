"""The types of events that this application's components send from the browser.

Any client can send any value in a component's name. Each component therefore declares its types,
and `widget_input` drops other values.
"""

from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

_SUFFIX = "__events"  # of the id under which Streamlit keeps the events of a component


class _Event(TypedDict):
    event: str
    value: Any


_EVENTS = TypeAdapter(list[_Event])
_types: dict[str, dict[str, Any]] = {}


def expect(key: str, **types: Any) -> None:
    """Declare that the component mounted under `key` sends these events.

    Parameters
    ----------
    types : by the name of an event, the type of its value, as pydantic validates it.
    """
    _types[key] = types


def are_expected(widget: str, sent: Any) -> bool:
    """Return whether the component with the id `widget` sends events as those in `sent`."""
    types = _types.get(widget.split("-", 2)[-1].removesuffix(_SUFFIX), {})
    try:
        for one in _EVENTS.validate_python(sent, strict=True):
            if one["event"] not in types:
                return False
            _adapter(types[one["event"]]).validate_python(one["value"], strict=True)
    except ValidationError:
        return False
    return True


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
