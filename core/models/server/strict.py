"""Convert JSON schemas to the dialect of structured output.

OpenAI's strict mode documents a subset of JSON Schema: every object is closed and requires all of
its properties; arrays may have `minItems` and `maxItems`, numbers bounds, strings `pattern` and
`format`. `minLength` and `maxLength` are not in it, so that texts are bounded by who reads them
(`core.prompts.forms`). Fine-tuned models take none of these bounds.
"""

from collections.abc import Mapping
from typing import Any

_BOUNDS = frozenset({"maxItems", "minItems"})


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `schema` with additional properties forbidden in every object and definition."""
    closed = {name: _each(value, strict) for name, value in schema.items()}
    if isinstance(closed.get("properties"), dict):
        closed["additionalProperties"] = False
    return closed


def without_array_bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `schema` without the bounds of its arrays."""
    return {
        name: _each(value, without_array_bounds)
        for name, value in schema.items()
        if name not in _BOUNDS or not isinstance(value, int)
    }


def _each(value: Any, change: Any) -> Any:
    if isinstance(value, Mapping):
        return change(value)
    return [_each(one, change) for one in value] if isinstance(value, list) else value
