from hypothesis import given
from hypothesis import strategies as st

from core.film.patch import merged, patch

LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
NAMES = st.sampled_from(["a", "b", "__proto__", "constructor", ""])
VALUES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=4)
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


def bare(value):
    """Without members that are null, which a merge patch cannot tell from none; not in lists."""
    if isinstance(value, dict):
        return {name: bare(one) for name, one in value.items() if one is not None}
    return value


@given(OBJECTS, OBJECTS)
def test_a_patch_makes_the_one_of_the_other(old, new):
    assert merged(bare(old), patch(old, new)) == bare(new)


@given(OBJECTS)
def test_what_is_the_same_needs_no_patch(value):
    assert patch(value, value) == {}


def test_only_what_differs_is_said():
    assert patch({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": 1}, "d": [1, 2]}) == {
        "a": {"c": None},
        "d": [1, 2],
    }


def test_the_examples_of_the_rfc():
    assert merged({"a": "b"}, {"a": None}) == {}
    assert merged({"a": [{"b": "c"}]}, {"a": [1]}) == {"a": [1]}
    assert merged(["a", "b"], {"c": None}) == {}
    assert merged({}, {"a": {"bb": {"ccc": None}}}) == {"a": {"bb": {}}}
