"""Annotator and time of a mark, as far as known."""

from datetime import UTC, datetime
from typing import NamedTuple

from core.text.clean import one_line

_LONGEST = 60  # characters of a name on the screen


class Made(NamedTuple):
    """Who made a mark and when: `who` is empty without sign-in, `at` is in ISO 8601.

    >>> str(Made("Ana", "2026-11-22T13:04:00+01:00"))
    'by Ana, 22 Nov 2026, 12:04 UTC'
    >>> str(Made("", "2026-11-22T12:04:00+00:00"))
    '22 Nov 2026, 12:04 UTC'
    """

    who: str
    at: str

    def __str__(self) -> str:
        name = one_line(self.who)
        name = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        return f"by {name}, {self._when}" if name else self._when

    @property
    def _when(self) -> str:
        moment = datetime.fromisoformat(self.at)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def made_now(annotator: str) -> Made:
    """Return the authorship of a mark made by `annotator` now."""
    return Made(annotator, datetime.now(UTC).isoformat(timespec="seconds"))
