import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.clean import clean
from core.text.sentences import WINDOW, paragraphs, sentence_places, sentences


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Smith met Mr. J. R. R. Tolkien in the U.S.", "He left at 5 p.m. and went home."],
        ["It was No. 5 at St. Louis.", "It cost about 3.5 million c. 1900."],
        ["Acme Inc. was founded in 1999.", "It is in Washington, D.C., today."],
        ["Wait... what?", "Yes!"],
        ['She said: "Go."', "Then he went."],
        ['Films including" 48 Hrs."( 1982)," Colors"( 1988).', "He retired."],
    ],
)
def test_english_sentences_end_where_a_reader_ends_them(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [("今日は雨です。明日は晴れるでしょう。本当?", 3), ("यह एक वाक्य है। यह दूसरा है।", 2)],
)
def test_other_scripts_have_their_own_full_stops(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not() -> None:
    assert sentences("A heading\r\n\r\nIt goes\non here. Twice.") == [
        "A heading",
        "It goes\non here.",
        "Twice.",
    ]


def test_nothing_has_no_sentences() -> None:
    assert sentences("") == sentences(" \n\n ") == []


def test_sentences_of_a_long_paragraph_do_not_depend_on_the_window() -> None:
    expected = [
        f"Number {number} of Mr. Smith's sons came to the U.S. Army." for number in range(500)
    ]
    text = " ".join(expected)
    assert len(text) > 5 * WINDOW
    assert sentences(text) == expected


def test_a_run_without_an_end_is_cut_at_a_space() -> None:
    text = "word " * WINDOW
    found = sentences(text)
    assert " ".join(found).split() == text.split()
    assert max(map(len, found)) <= WINDOW


@pytest.mark.parametrize(
    "unit", [".", "a", "“a. ", "(", "日。", "\n\n", "Mr. ", '"a. b" ', "\ud800"]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    began = time.process_time()
    sentences(unit * (200_000 // len(unit)))
    assert time.process_time() - began < 10  # quadratic time is minutes


@given(st.text(alphabet=st.sampled_from("aB1.!?。 \n\t\"'“”()é\u0301\U0001d11eहि।\u200d\0\ud800…")))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(clean(text).split())


@given(st.text(alphabet=st.sampled_from('aB1.!?。 \n\t"“”()é\u0301।…')))
def test_places_of_sentences_are_those_of_their_texts(text: str) -> None:
    cleaned = clean(text)
    places = sentence_places(cleaned)
    assert [cleaned[start:end] for start, end in places] == sentences(cleaned)
    assert all(one[1] <= other[0] for one, other in pairwise(places))


def test_paragraphs_are_what_blank_lines_divide() -> None:
    assert paragraphs("\n a\nb\n \t\n\nc\n") == ["a\nb", "c"]
    assert paragraphs("\n\n") == []
