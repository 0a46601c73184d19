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
    """Parse JSON as the type `kind`, with every value of the declared type.

    Raises
    ------
    ValueError : the text is not JSON or has another type, also for NaN and infinity.
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

    ValueError also for NaN, infinity, huge integers, and deep nesting.
    """
    try:
        return json.loads(
            text, parse_constant=_not_a_number, parse_float=_parse_float, parse_int=_parse_integer
        )
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def moment(text: str) -> datetime:
    """Parse an ISO 8601 time; ValueError if it is malformed or has no time zone."""
    said = datetime.fromisoformat(text)
    if said.tzinfo is None:
        raise ValueError(f"{text} is a time without a time zone")
    return said


def _not_a_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _parse_integer(text: str) -> int:
    """Parse an integer of at most 64 bits; ValueError for a larger one."""
    number = int(text)
    if abs(number) >= 2**63:
        raise ValueError(f"{text[:20]} is too large")
    return number


def _parse_float(text: str) -> float:
    """Parse a float; ValueError if it is infinite."""
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large")
    return number
