"""A page's request as a frozen dataclass whose fields are parameters of the address.

The address contains the values that differ from the defaults. Invalid values are replaced by the
defaults.
"""

from collections.abc import Collection, Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar, Protocol, TypeVar

import streamlit as st

_MOST = 10**9
_LONGEST = 2000  # characters


class Wish(Protocol):
    """A frozen dataclass of texts and whole numbers, all with defaults."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


W = TypeVar("W", bound=Wish)


def params_of(wish: Wish) -> dict[str, str]:
    """Return the parameters of the address: the fields that differ from their defaults."""
    told = {one.name: getattr(wish, one.name) for one in fields(wish)}
    return {one.name: str(told[one.name]) for one in fields(wish) if told[one.name] != one.default}


def read(kind: type[W], params: Mapping[str, str], allowed: Mapping[str, Collection[str]]) -> W:
    """Read a value of `kind` from `params`; `allowed` lists the valid values of fields."""
    found: dict[str, object] = {}
    for one in fields(kind):
        text = params.get(one.name, "")
        if isinstance(one.default, int):
            found[one.name] = min(int(text), _MOST) if text.isdecimal() else one.default
        else:
            found[one.name] = text[:_LONGEST] or one.default
            if found[one.name] not in allowed.get(one.name, (found[one.name],)):
                found[one.name] = one.default
    return kind(**found)


def go(wish: Wish) -> None:
    """Write these values into the address."""
    wanted, params = params_of(wish), st.query_params
    for one in fields(wish):
        if one.name not in wanted and one.name in params:
            del params[one.name]
    for name, value in wanted.items():
        if params.get(name) != value:
            params[name] = value
