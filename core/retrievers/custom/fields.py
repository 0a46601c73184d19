"""Settings of a custom retriever as fields of a retriever's class."""

import math
from typing import Annotated, Any, Literal, get_args, get_origin

from core.retrievers.settings import Setting
from core.steps import Value

Field = tuple[Any, Value]
"""Annotation and default."""
RESERVED = frozenset({"workbench", "card", "described", "retrieve", "question", "top_k"})
"""Names that a setting cannot have."""


def field_of(name: str, hint: Any, default: object) -> Field:
    """Return the field of a setting.

    Parameters
    ----------
    hint : int, float, bool, str or a `Literal` of texts; in `Annotated` with a `Setting`, or with
        a text that says what it is.

    Raises
    ------
    ValueError : it cannot be a setting; the message names it.
    """
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if name in RESERVED or name.startswith("_") or not name.isidentifier():
        raise ValueError(f"a setting cannot be called {name!r}")
    if kind not in (int, float, bool, str) and {*map(type, choices)} != {str}:
        raise ValueError(f"{name} must be int, float, bool, str or a Literal of texts")
    if kind is float and type(default) is int:
        default = float(default)
    fits = default in choices if choices else type(default) is kind
    if not fits or not isinstance(default, Value) or default in (math.inf, -math.inf, math.nan):
        raise ValueError(f"{name} needs a default that fits its type")
    setting = next((note for note in notes if isinstance(note, Setting)), None)
    says = next((note for note in notes if isinstance(note, str)), f"handed on as {name}")
    return Annotated[kind, setting or Setting(says)], default
