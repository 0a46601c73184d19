"""Selected rows, cells, nodes and edges of tables and charts.

A selection comes from the client, which may name rows that do not exist.
"""

from collections.abc import Sequence
from typing import Any, NotRequired, TypeVar

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

T = TypeVar("T")
U = TypeVar("U")


class _Group(TypedDict):
    data_type: NotRequired[str | None]
    data_indices: list[int]


_ROWS = TypeAdapter(list[int])
_CELLS = TypeAdapter(list[tuple[int, str]])
_GROUPS = TypeAdapter(list[_Group])
_POINTS = TypeAdapter(list[dict[str, str]])


def selected_rows(state: Any, shown: Sequence[T]) -> list[T]:
    """Return those of the `shown` rows that are selected in the `state` of a table."""
    found: list[int] = _read(_ROWS, state, "rows")
    return [shown[row] for row in found if 0 <= row < len(shown)]


def selected_cell(state: Any, shown: Sequence[T]) -> tuple[T, str] | None:
    """Return the row and the column of the first cell that is selected; None if there is none."""
    found: list[tuple[int, str]] = _read(_CELLS, state, "cells")
    cells = ((shown[row], column) for row, column in found if 0 <= row < len(shown))
    return next(cells, None)


def selected_item(state: Any, nodes: Sequence[T], edges: Sequence[U]) -> T | U | None:
    """Return the first node or edge of a graph chart that is selected; None if there is none."""
    groups: list[_Group] = _read(_GROUPS, state, "selected")
    for group in groups:
        shown: Sequence[T | U] = edges if group.get("data_type") == "edge" else nodes
        for number in group["data_indices"]:
            return shown[number] if 0 <= number < len(shown) else None
    return None


def selected_point(state: Any, name: str) -> dict[str, str]:
    """Return the fields of the first mark that the selection `name` of a chart has; else none."""
    found: list[dict[str, str]] = _read(_POINTS, state, name)
    return found[0] if found else {}


def _read(kind: TypeAdapter[Any], state: Any, name: str) -> Any:
    """Return the selection called `name`; empty if the client has sent something else."""
    try:
        return kind.validate_python(state["selection"][name])
    except (ValidationError, LookupError, TypeError):
        return []
