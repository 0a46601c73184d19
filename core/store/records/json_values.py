"""Strict parsing of stored JSON: values of another type are rejected."""

import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

_T = TypeVar("_T")
_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def stored(kind: type[_T], text: str | bytes) -> _T:
    """Return the `kind` that `text` is the JSON of, with every value of the type that it declares.

    Raises
    ------
    ValueError : it is no JSON, or of another kind; also for numbers that are none or have no end.
    """
    strict_json(text)
    adapter: TypeAdapter[_T] = _adapter(kind)
    made: _T = adapter.validate_json(text, strict=True)
    return made


def checked(kind: type[_T], value: object) -> _T:
    """Validate a value that was read from JSON, as `stored` does."""
    return stored(kind, json.dumps(value))


def strict_json(text: str | bytes) -> Any:
    """Parse JSON text.

    ValueError also for NaN, for infinity, and for what is nested too deep.
    """
    try:
        return json.loads(text, parse_constant=_refused, parse_float=_finite, parse_int=_whole)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def moment(text: str) -> datetime:
    """Return the time that `text` says in ISO 8601. ValueError if it says none,
    or of no time zone.
    """
    said = datetime.fromisoformat(text)
    if said.tzinfo is None:
        raise ValueError(f"{text} is a time without a time zone")
    return said


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _whole(text: str) -> int:
    number = int(text)
    if abs(number) >= 2**63:
        raise ValueError(f"{text[:20]} is too large")
    return number


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large")
    return number
