"""Counts with a noun in the singular or the plural."""

from core.text.display.plurals import number


def test_nouns_agree_with_their_number() -> None:
    assert number(1, "file") == "1 file"
    assert number(2400, "file") == "2,400 files"
    assert number(0, "index") == "0 indexes"
