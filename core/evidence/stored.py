"""Evidence as JSON: in an index, in runs, in traces and in question files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from core.types import Evidence

_DEFAULTS = asdict(Evidence(""))
_NAMES = frozenset(each.name for each in fields(Evidence))


def evidence_rows(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Return a dictionary per item, without fields that have their default value."""
    return [
        {name: value for name, value in asdict(each).items() if value != _DEFAULTS[name]}
        for each in evidence
    ]


def evidence_of_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[Evidence, ...]:
    """Restore evidence from the output of `evidence_rows`; ignore fields of a later version."""
    return tuple(_evidence(row) for row in rows)


def _evidence(row: Mapping[str, Any]) -> Evidence:
    """Read one piece of evidence from JSON; unknown fields are ignored."""
    known = {name: value for name, value in row.items() if name in _NAMES}
    parts = tuple(tuple(part) for part in known.pop("parts", ()))
    others = tuple(known.pop("alternatives", ()))
    return Evidence(**{"text": "", **known}, alternatives=others, parts=parts)
