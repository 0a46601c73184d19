"""Types of journal lines by event; other lines are ignored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from core.progress import Authorship, Spending
from core.store.records.json_values import checked, strict_json

Line = dict[str, Any]

_Moment = Annotated[float, Field(ge=0, lt=2**37)]  # seconds since 1970, well before the year 9999
_Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class _Started:
    time: _Moment
    job: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Read:
    time: _Moment
    documents: _Count
    questions: _Count
    rejected: list[tuple[str, str]]
    duplicates: list[tuple[str, str, str]]
    notes: list[str]
    rejected_count: _Count = 0
    duplicate_count: _Count = 0


@dataclass(frozen=True, slots=True)
class _Added:
    time: _Moment
    documents: _Count
    questions: _Count
    replaced: _Count
    extended: _Count


@dataclass(frozen=True, slots=True)
class _Cut:
    time: _Moment
    notes: list[str]
    longest: str = ""


@dataclass(frozen=True, slots=True)
class _Progress:
    time: _Moment
    stage: str
    done: _Count
    total: _Count
    spending: Spending | None = None
    authorship: Authorship | None = None


@dataclass(frozen=True, slots=True)
class _Finished:
    time: _Moment
    counts: dict[str, Any]
    spending: Spending | None = None
    made: dict[str, Authorship] | None = None


@dataclass(frozen=True, slots=True)
class _Ended:
    time: _Moment
    message: str
    budget: bool = False
    spending: Spending | None = None
    made: dict[str, Authorship] | None = None


_KINDS: Mapping[str, type[Any]] = {
    "started": _Started,
    "read": _Read,
    "added": _Added,
    "cut": _Cut,
    "progress": _Progress,
    "finished": _Finished,
    "failed": _Ended,
    "cancelled": _Ended,
}


def lines_of(content: bytes) -> Iterator[Line]:
    """Yield the whole lines of a journal, in order."""
    for raw in content.splitlines():
        try:
            line = strict_json(raw)
            kind = _KINDS.get(line["event"]) if isinstance(line, dict) and "event" in line else None
            if kind is None:
                continue
            checked(kind, line)
        except (ValueError, TypeError):
            continue
        yield line
