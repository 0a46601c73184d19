"""Dates in a text, as spans of days."""

from datetime import date

import pytest

from core.text.dates import Span, dates_in, span_of

DAY = Span(date(2023, 10, 7), date(2023, 10, 7))
OCTOBER = Span(date(2023, 10, 1), date(2023, 10, 31))
YEAR = Span(date(2023, 1, 1), date(2023, 12, 31))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("October 7, 2023", DAY),
        ("7th of October 2023", DAY),
        (" 2023-10-07T20:15:26+00:00 ", DAY),
        ("Oct. 2023", OCTOBER),
        ("2023-10", OCTOBER),
        ("2023", YEAR),
        ("February 2024", Span(date(2024, 2, 1), date(2024, 2, 29))),
        ("2023-10-01/2023-10-31", OCTOBER),
        ("../2023-10", Span(date.min, OCTOBER.last)),
        ("2023-10/..", Span(OCTOBER.first, date.max)),
    ],
)
def test_a_date_is_all_its_days(text, span):
    assert span_of(text) == span


@pytest.mark.parametrize(
    "text",
    [
        *("", "/", "..", "May", "7", "10/07/2023", "2023-12/2023-10", "February 30, 2023"),
        *("2023-13", "The Harbour Post", "9" * 400, "2023" + " " * 40 + "x", "' OR 1=1 --"),
    ],
)
def test_what_is_no_date_is_none(text):
    assert span_of(text) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("after October 7, 2023", Span(date(2023, 10, 8), date.max)),
        ("since October 7, 2023", Span(DAY.first, date.max)),
        ("before 2023", Span(date.min, date(2022, 12, 31))),
        ("until October 2023", Span(date.min, OCTOBER.last)),
        ("between October 1, 2023 and 31 October 2023", OCTOBER),
        ("from 2023-10-01 to 2023-10-31", OCTOBER),
        ("after the report of October 7, 2023", DAY),
        ("in 2023", YEAR),
    ],
)
def test_a_word_before_a_date_bounds_it(text, wanted):
    (found,) = dates_in(f"What was said {text}?")
    assert found.span == wanted


def test_a_year_that_counts_something_is_no_date():
    assert dates_in("Who won the 2023 final with 2000 runs?") == []


def test_two_dates_are_two():
    text = "between the reports of October 7, 2023, and of October 2023"
    assert [(d.span, text[d.start : d.end]) for d in dates_in(text)] == [
        (DAY, "October 7, 2023"),
        (OCTOBER, "October 2023"),
    ]
