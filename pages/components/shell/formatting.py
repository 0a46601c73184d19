"""Formatting of sizes, durations and shortened texts."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.text.display.passage_labels import shortened
from core.text.display.plurals import number

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def all_of(names: Sequence[str]) -> str:
    """Join texts as `a`, `a and b`, or `a, b and c`."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def cropped(text: str, length: int) -> str:
    """Shorten `text` to at most `length` characters, between words and with an ellipsis."""
    return shortened(text, length)


def size(in_bytes: int) -> str:
    """Format bytes as `18.4 MB`."""
    amount = float(in_bytes)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.3g} {unit}"
        amount /= 1000
    return f"{amount:,.3g} GB"


def duration(seconds: float) -> str:
    """Format seconds as `0.4 s`, `12 s`, `3 min 20 s`, or `2 h 5 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"


def ago(moment: datetime, now: datetime | None = None) -> str:
    """Return how long ago `moment`, which has a time zone, was."""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    for unit, length in (("day", _DAY), ("hour", _HOUR), ("minute", _MINUTE)):
        if seconds >= length:
            return f"{number(int(seconds // length), unit)} ago"
    return "just now"
