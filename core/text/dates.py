"""Dates that a text names, as spans of days: a day, a month, a year, or what lies before or after.

What a date means is dateutil's to say; here is where one stands. English only.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice

from dateutil import parser

_YEAR = r"(?<!\d)[12]\d{3}(?!\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"{_YEAR}-\d\d(?:-\d\d)?(?!\d)"
    rf"|\b(?:{_DAY} (?:of )?)?{_MONTH}(?: {_DAY})?,? {_YEAR}"
    rf"|{_YEAR}",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"\b(before|until|till|after|since|between|from|to|and|in|during|of) $", re.IGNORECASE
)
_OPENING, _CLOSING = ("between", "from"), ("and", "to", "until", "till")
_LONGEST = 40  # characters of a date
_MOST = 20  # dates of a text; a question has two or three
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    def meets(self, other: "Span") -> bool:
        """Check whether two spans share a day."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Dated:
    """A span where a text names it: `text[start:end]`."""

    span: Span
    start: int
    end: int


_BOUNDED: dict[str, Callable[[Span], Span]] = {
    "before": lambda span: Span(date.min, span.first - _ONE_DAY),
    "until": lambda span: Span(date.min, span.last),
    "till": lambda span: Span(date.min, span.last),
    "after": lambda span: Span(span.last + _ONE_DAY, date.max),
    "since": lambda span: Span(span.first, date.max),
}
"""What a word before a date makes of it."""


def span_of(text: str) -> Span | None:
    """Return the days that `text` denotes, or None if it is not a date with a year.

    Two dates with a stroke between them are all days from one to the other; in place of one of
    them may be two dots (ISO 8601-2).

    >>> span_of("October 2023")
    Span(first=datetime.date(2023, 10, 1), last=datetime.date(2023, 10, 31))
    """
    one, stroke, other = text.strip().partition("/")
    if not stroke:
        return _days_of(one)
    first = Span(date.min, date.min) if one == ".." else _days_of(one)
    last = Span(date.max, date.max) if other == ".." else _days_of(other)
    return Span(first.first, last.last) if first and last and first.first <= last.last else None


def dates_in(text: str) -> list[Dated]:
    """Return the dates in `text` in order; 'before' and 'after' widen the period of their date.

    Two dates joined to a range are one. A year alone counts as a date only after such a word or one
    like 'in', so 'the 2023 final' has no date.

    >>> [text[d.start : d.end] for text in ["not after May 2021, nor 2020"] for d in dates_in(text)]
    ['after May 2021']
    """
    dates: list[Dated] = []
    for span, start, end in islice(_date_periods(text), _MOST):
        before = dates[-1] if dates else None
        word = _word_before(text, start)
        if before and _goes_on(text, before, start) and before.span.first <= span.last:
            dates[-1] = Dated(Span(before.span.first, span.last), before.start, end)
        elif word in _BOUNDED:
            dates.append(Dated(_BOUNDED[word](span), start - len(word) - 1, end))
        else:
            dates.append(Dated(span, start, end))
    return dates


def _date_periods(text: str) -> Iterator[tuple[Span, int, int]]:
    """Yield the period of each date in a text, with its start and end in characters."""
    for match in _DATE.finditer(text):
        alone = re.fullmatch(_YEAR, match.group())
        if alone and not _word_before(text, match.start()):
            continue
        if span := span_of(match.group()):
            yield span, *match.span()


def _word_before(text: str, at: int) -> str:
    match = _WORD.search(text, max(0, at - _LONGEST), at)
    return match[1].casefold() if match else ""


def _goes_on(text: str, before: Dated, start: int) -> bool:
    """Check whether the date at `start` ends a period that `before` begins."""
    opened = _word_before(text, before.start) in _OPENING
    return opened and text[before.end : start].strip(" ,").casefold() in _CLOSING


def _days_of(text: str) -> Span | None:
    """Return the first and last day of a date, which may be a month or a year; None if invalid."""
    year = re.search(_YEAR, text)
    if not year or len(text) > _LONGEST:
        return None
    # What a text leaves open is that of the default: the first days of it, and the last.
    first, last = (_parse_date(text, datetime(2000, *day)) for day in ((1, 1), (12, 31)))
    if not first or not last or first.year != int(year.group()):
        return None
    return Span(first, last)


def _parse_date(text: str, default: datetime) -> date | None:
    """Parse a date; missing parts come from `default`. None if it is no date."""
    try:
        parsed: datetime = parser.parse(text, default=default, ignoretz=True)
    except (ValueError, OverflowError):
        return None
    return parsed.date()
