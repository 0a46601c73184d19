from hypothesis import given
from hypothesis import strategies as st

from core.text.clean import clean, one_line


@given(st.text(st.characters()))
def test_cleaned_text_can_be_stored_and_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert once.encode().decode() == once
    assert clean(once) == once
    assert "\0" not in once


def test_letters_of_two_parts_become_one_and_line_ends_one_kind() -> None:
    assert clean("e\u0301\r\nb\rc\u2028d") == "é\nb\nc\nd"


def test_one_line_has_single_spaces() -> None:
    assert one_line("  a\n\tb  ") == "a b"
