"""Whom a sentence names is known by what it is called there."""

from core.film.sentences import _place


def test_a_name_is_found_with_its_kind_without_it_and_cut():
    named, long = "ada (entity)", "a name that is much longer than what a sentence has room for"
    assert _place("Taken: 'ada'.", named, " (entity)") == len("Taken: ")
    assert _place("At 'ada (entity)'.", named, " (entity)") == len("At ")
    assert _place("At 'a name that is much longer than what a…'.", long, " (entity)") == len("At ")
    assert _place("Taken: 'ilo'.", named, " (entity)") == -1
